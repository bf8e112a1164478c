// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/hyb/hyb_format.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/tile_map.hpp"
#include "tessera/kernels/spmv/coo/analyse_impl.hpp"
#include "tessera/kernels/spmv/ell/analyse_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// Sets the bit of every row that is among the ascending `rows`.
template <class Space>
void mark_rows(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
               std::size_t num_entries, const ArrayView<std::uint32_t, Space>& words) {
  Kokkos::deep_copy(exec, words, 0u);
  Kokkos::parallel_for(
      "tessera::hyb_long_rows", Kokkos::RangePolicy<Space>(exec, 0, num_entries),
      KOKKOS_LAMBDA(const std::size_t e) {
        if (e > 0 && rows(e - 1) == rows(e)) return;
        Kokkos::atomic_or(&words(rows(e) / 32), std::uint32_t(1) << (rows(e) % 32));
      });
}

/// The number of bits before each word, and in all.
template <class Space>
Ordinal count_marks(const Space& exec, const ArrayView<const std::uint32_t, Space>& words,
                    const ArrayView<Ordinal, Space>& before) {
  Ordinal total = 0;
  Kokkos::parallel_scan(
      "tessera::hyb_long_rows", Kokkos::RangePolicy<Space>(exec, 0, words.extent(0)),
      KOKKOS_LAMBDA(const std::size_t word, Ordinal& running, const bool is_final) {
        if (is_final) before(word) = running;
        running += count_bits(words(word));
      },
      total);
  return total;
}

}  // namespace detail

template <class Storage, class Space>
HybSpmvPlan<Space> analyse_spmv(const Space& exec, const HybView<Storage, Space>& A) {
  HybSpmvPlan<Space> plan;
  plan.ell = analyse_spmv(exec, A.ell);
  const std::size_t num_entries = A.coo.num_entries;
  plan.coo = detail::divide_entries(exec, A.num_rows, num_entries, detail::coo_share<Space>);
  plan.coo.pattern = detail::pattern_of(exec, A.coo);
  const std::size_t num_words = ell_stride(A.num_rows) / 32;
  const auto words = allocate<std::uint32_t>(exec, "tessera::hyb_long_rows", num_words);
  const auto before = allocate<Ordinal>(exec, "tessera::hyb_long_rows_before", num_words);
  detail::mark_rows<Space>(exec, A.coo.rows, num_entries, words);
  plan.num_long_rows = detail::count_marks<Space>(exec, words, before);
  plan.long_rows = words;
  plan.long_rows_before = before;
  // Sized for double, so that the plan serves the same pattern in any precision.
  plan.workspace = allocate<std::byte>(
      exec, "tessera::spmv_workspace",
      static_cast<std::size_t>(plan.num_long_rows) * detail::max_columns_at_once * sizeof(double));
  return plan;
}

#define TESSERA_INSTANTIATE(Storage, Space) \
  template HybSpmvPlan<Space> analyse_spmv(const Space& exec, const HybView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
