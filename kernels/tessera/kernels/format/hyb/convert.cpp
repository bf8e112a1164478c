// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/hyb/convert.hpp"

#include "tessera/kernels/format/coo/convert_impl.hpp"
#include "tessera/kernels/format/ell/convert_impl.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/kernels/offsets.hpp"

namespace tessera::kernels {
namespace detail {

/// offsets(i) = the number of entries of rows before `i` that `width` slots a row do not take.
template <class Space, class Offset>
Array<Offset, Space> offsets_of_rest(const Space& exec,
                                     const ArrayView<const Offset, Space>& offsets,
                                     Ordinal num_rows, Ordinal width, std::size_t& num_rest) {
  const auto rest = allocate<Offset>(exec, "tessera::offsets", num_rows + std::size_t(1));
  Kokkos::parallel_for(
      "tessera::hyb_rest", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Offset length = offsets(row + 1) - offsets(row);
        rest(row) = length > width ? length - width : Offset(0);
      });
  num_rest = counts_to_offsets<Offset, Space>(exec, rest);
  return rest;
}

/// Entries of the rest from their rows: entry `e` of row `i` of the rest is entry
/// offsets(i) + width + e - rest_offsets(i) of `A`.
template <class Storage, class Scalar, class Space, class Offset>
void fill_rest(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const ArrayView<const Offset, Space>& rest_offsets,
               const ArrayView<const Ordinal, Space>& rows, Ordinal width, double factor,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Storage, Space>& values) {
  Kokkos::parallel_for(
      "tessera::hyb_fill", Kokkos::RangePolicy<Space>(exec, 0, rows.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Ordinal row = rows(e);
        const auto entry = A.offsets(row) + width + (static_cast<Offset>(e) - rest_offsets(row));
        columns(e) = A.columns(entry);
        values(e) = scaled_value<Storage>(A.values(entry), factor);
      });
}

/// offsets(i) += the number of entries of rows before `i` among the ascending `rows`.
template <class Offset, class Space>
void add_rest(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
              std::size_t num_entries, Ordinal num_rows, const ArrayView<Offset, Space>& offsets) {
  Kokkos::parallel_for(
      "tessera::hyb_offsets", Kokkos::RangePolicy<Space>(exec, 0, num_rows + std::int64_t(1)),
      KOKKOS_LAMBDA(const std::int64_t row) {
        offsets(row) += static_cast<Offset>(
            row == num_rows ? num_entries
                            : first_of_row(rows, 0, num_entries, static_cast<Ordinal>(row)));
      });
}

/// Copies the entries of `A` to places behind the `width` slots of their rows.
template <class Scalar, class Storage, class Space, class Offset>
void copy_rest(const Space& exec, const CooView<Storage, Space>& A, Ordinal width,
               const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  Kokkos::parallel_for(
      "tessera::hyb_to_csr", Kokkos::RangePolicy<Space>(exec, 0, A.num_entries),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Ordinal row = A.rows(e);
        const std::size_t place = e - first_of_row(A.rows, 0, e, row);
        const std::size_t entry = static_cast<std::size_t>(offsets(row)) + width + place;
        columns(entry) = A.columns(e);
        values(entry) = scaled_value<Scalar>(A.values(e), A.scale);
      });
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Hyb<Storage, Space> csr_to_hyb(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               const HybStrategy& strategy, double scale) {
  detail::require_power_of_two(scale);
  const Ordinal width = hyb_width(exec, A, strategy, sizeof(Storage));
  detail::require_little_padding<Storage>(A, static_cast<std::size_t>(width));
  std::size_t num_rest = 0;
  const auto rest_offsets =
      detail::offsets_of_rest<Space, Offset>(exec, A.offsets, A.num_rows, width, num_rest);
  Hyb<Storage, Space> result;
  result.ell = detail::first_entries<Storage>(exec, A, width, A.num_entries - num_rest, scale);
  const auto rows =
      detail::rows_of_entries<Space, Offset>(exec, rest_offsets, A.num_rows, num_rest);
  const auto columns = allocate<Ordinal>(exec, "tessera::columns", num_rest);
  const auto values = allocate<Storage>(exec, "tessera::values", num_rest);
  detail::fill_rest<Storage, Scalar, Space, Offset>(exec, A, rest_offsets, rows, width, 1 / scale,
                                                    columns, values);
  result.coo = {A.num_rows, A.num_cols, scale, rows, columns, values};
  return result;
}

template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> hyb_to_csr(const Space& exec, const HybView<Storage, Space>& A) {
  require_countable<Offset>(static_cast<std::int64_t>(A.num_entries), "A");
  const auto offsets =
      detail::offsets_of_slots<Offset, Space>(exec, A.ell.columns, A.num_rows, A.ell.width);
  detail::add_rest<Offset, Space>(exec, A.coo.rows, A.coo.num_entries, A.num_rows, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::columns", A.num_entries);
  const auto values = allocate<Scalar>(exec, "tessera::values", A.num_entries);
  detail::copy_slots<Scalar, Storage, Space, Offset>(exec, A.ell, offsets, columns, values);
  detail::copy_rest<Scalar, Storage, Space, Offset>(exec, A.coo, A.ell.width, offsets, columns,
                                                    values);
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

#define TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, Offset)                    \
  template Hyb<Storage, Space> csr_to_hyb(const Space& exec,                          \
                                          const CsrView<Scalar, Space, Offset>& A,    \
                                          const HybStrategy& strategy, double scale); \
  template Csr<Scalar, Space, Offset> hyb_to_csr<Scalar, Offset>(                     \
      const Space& exec, const HybView<Storage, Space>& A);
#define TESSERA_INSTANTIATE(Storage, Scalar, Space)                \
  TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, std::int64_t)
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
