// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/matrix/same_pattern.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint_impl.hpp"

#include <algorithm>
#include <string>

namespace tessera {
namespace detail {

/// The first row whose length or columns differ; the number of rows where none does.
template <class Scalar, class Space, class Offset>
Ordinal first_different_row(const Space& exec,
                            const kernels::CsrView<Scalar, Space, Offset>& before,
                            const kernels::CsrView<Scalar, Space, Offset>& now) {
  Ordinal first = before.num_rows;
  Kokkos::parallel_reduce(
      "tessera::first_different_row",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, before.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& least) {
        if (i >= least) return;
        const Offset begin = before.offsets(i);
        const Offset end = before.offsets(i + 1);
        bool same = now.offsets(i) == begin && now.offsets(i + 1) == end;
        for (Offset e = begin; same && e < end; ++e)
          same = before.columns(e) == now.columns(e);
        if (!same) least = i;
      },
      Kokkos::Min<Ordinal>(first));
  return Kokkos::min(first, before.num_rows);
}

/// Hashes one block of rows per team. Sums of integers are the same in any order.
template <class Scalar, class Space, class Offset>
struct HashBlock {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<std::uint64_t, Space> hashes;

  /// Offsets that were written over may point anywhere.
  KOKKOS_FUNCTION std::int64_t entry_at(Ordinal row) const {
    const auto entry = static_cast<std::int64_t>(A.offsets(row));
    const auto end = static_cast<std::int64_t>(A.num_entries);
    return Kokkos::clamp(entry, std::int64_t{0}, end);
  }

  KOKKOS_FUNCTION void operator()(
      const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    using kernels::detail::mixed;
    const auto block = static_cast<Ordinal>(team.league_rank());
    const Ordinal first = block * rows_per_pattern_hash;
    const Ordinal left = A.num_rows - first;
    const Ordinal end = first + (left < rows_per_pattern_hash ? left : rows_per_pattern_hash);
    std::uint64_t of_rows = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, end),
        [&](const Ordinal i, std::uint64_t& sum) {
          sum += mixed(i, static_cast<std::uint64_t>(A.offsets(i + 1)));
        },
        of_rows);
    std::uint64_t of_columns = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, entry_at(first), entry_at(end)),
        [&](const std::int64_t e, std::uint64_t& sum) {
          sum += mixed(e, static_cast<std::uint64_t>(A.columns(e)));
        },
        of_columns);
    Kokkos::single(Kokkos::PerTeam(team), [&] { hashes(block) = mixed(of_rows, of_columns); });
  }
};

/// The first block of rows whose hashes differ; their number where none does.
template <class Space>
std::size_t first_different_block(const Space& exec,
                                  const Array<const std::uint64_t, Space>& before,
                                  const Array<const std::uint64_t, Space>& now) {
  std::size_t first = before.extent(0);
  Kokkos::parallel_reduce(
      "tessera::first_different_block", Kokkos::RangePolicy<Space>(exec, 0, before.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& least) {
        if (before(i) != now(i)) least = Kokkos::min(least, i);
      },
      Kokkos::Min<std::size_t>(first));
  return std::min(first, before.extent(0));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<const std::uint64_t, Space> pattern_hashes(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A) {
  const Ordinal full = A.num_rows / rows_per_pattern_hash;
  const Ordinal blocks = full + (A.num_rows % rows_per_pattern_hash != 0 ? 1 : 0);
  const auto hashes = allocate<std::uint64_t>(exec, "tessera::pattern_hashes", blocks);
  if (blocks > 0) {
    Kokkos::parallel_for("tessera::pattern_hashes",
                         Kokkos::TeamPolicy<Space>(exec, blocks, Kokkos::AUTO),
                         detail::HashBlock<Scalar, Space, Offset>{A, hashes});
  }
  return hashes;
}

template <class Scalar, class Space, class Offset>
void require_same_pattern(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& before,
                          const kernels::CsrView<Scalar, Space, Offset>& now,
                          const NonDeduced<Array<const std::uint64_t, Space>>& hashes) {
  require(before.num_rows == now.num_rows && before.num_cols == now.num_cols &&
              before.num_entries == now.num_entries &&
              before.offsets.extent(0) == now.offsets.extent(0),
          [&] {
            const auto size = [](const kernels::CsrView<Scalar, Space, Offset>& A) {
              return std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) + " with " +
                     std::to_string(A.num_entries) + " entries";
            };
            return "the pattern of A changed: it is " + size(now) + ", and " + size(before) +
                   " at setup; call setup for a new pattern";
          });
  if (before.offsets.data() == now.offsets.data() && before.columns.data() == now.columns.data()) {
    if (hashes.extent(0) == 0) return;
    const auto block =
        detail::first_different_block<Space>(exec, hashes, pattern_hashes(exec, now));
    require(block == hashes.extent(0), [&] {
      const auto first = static_cast<Ordinal>(block) * rows_per_pattern_hash;
      const Ordinal last = first + std::min(rows_per_pattern_hash, now.num_rows - first) - 1;
      return "the pattern of A changed in the arrays that were given to setup, from one of the "
             "rows " +
             std::to_string(first) + " to " + std::to_string(last) +
             " on; call setup for a new pattern";
    });
    return;
  }
  const Ordinal row = detail::first_different_row(exec, before, now);
  require(row == before.num_rows, [&] {
    return "the pattern of A changed, from row " + std::to_string(row) +
           " on; call setup for a new pattern";
  });
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, pattern_hashes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, require_same_pattern)

}  // namespace tessera
