// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of row_bins.hpp.
#pragma once

#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

template <>
struct Kokkos::reduction_identity<tessera::kernels::spgemm_detail::SizeHistogram> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::kernels::spgemm_detail::SizeHistogram sum() {
    return {};
  }
};

namespace tessera::kernels::spgemm_detail {

template <class Space>
struct CountSizes {
  TableFill fill;
  ArrayView<const Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal row, SizeHistogram& sum) const {
    const Ordinal size = sizes(row);
    const int mine = size_class(fill, size);
    sum.total += size;
    // Unrolled with constant indices, so that the histogram stays in registers.
    for (int c = 0; c < num_classes; ++c)
      sum.rows[c] += c == mine;
  }
};

template <class Space>
SizeHistogram histogram_of_sizes(const Space& exec, TableFill fill,
                                 const ArrayView<const Ordinal, Space>& sizes) {
  SizeHistogram result;
  Kokkos::parallel_reduce(
      "tessera::spgemm::histogram",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
      CountSizes<Space>{fill, sizes}, Kokkos::Sum<SizeHistogram>(result));
  return result;
}

/// Lists the rows of the classes from first_class to last_class.
template <class Space>
struct ListRowsOfBin {
  TableFill fill;
  int first_class, last_class;
  ArrayView<const Ordinal, Space> sizes;
  ArrayView<Ordinal, Space> rows;
  Ordinal first;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& position, bool final) const {
    const int mine = size_class(fill, sizes(row));
    if (mine < first_class || mine > last_class) return;
    if (final) rows(first + position) = row;
    ++position;
  }
};

template <class Space>
RowBins<Space> bin_rows(const Space& exec, TableFill fill, const SizeHistogram& histogram,
                        int max_log2_slots, const ArrayView<const Ordinal, Space>& sizes,
                        const Array<Ordinal, Space>& memory) {
  RowBins<Space> result{group_classes(histogram, max_log2_slots), {}};
  if (result.bins.size() < 2) return result;
  const bool has_room = memory.extent(0) == sizes.extent(0);
  result.rows =
      has_room ? memory : allocate<Ordinal>(exec, "tessera::spgemm::rows", sizes.extent(0));
  for (const RowBin& bin : result.bins) {
    Kokkos::parallel_scan(
        "tessera::spgemm::list_rows",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
        ListRowsOfBin<Space>{fill, bin.first_class, bin.last_class, sizes, result.rows, bin.first});
  }
  return result;
}

template <class Space, class Offset>
struct BoundRow {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;
  std::int64_t num_cols;
  ArrayView<Ordinal, Space> bounds;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = member.league_rank() * member.team_size() + member.team_rank();
    if (row >= static_cast<Ordinal>(bounds.extent(0))) return;
    std::int64_t products = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, a_offsets(row), a_offsets(row + 1)),
        [&](Offset k, std::int64_t& sum) {
          const Ordinal column = a_columns(k);
          sum += b_offsets(column + 1) - b_offsets(column);
        },
        products);
    Kokkos::single(Kokkos::PerThread(member), [&]() {
      bounds(row) = static_cast<Ordinal>(products < num_cols ? products : num_cols);
    });
  }
};

template <class Space, class Offset>
void bound_row_sizes(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                     const ArrayView<const Ordinal, Space>& a_columns,
                     const ArrayView<const Offset, Space>& b_offsets, Ordinal num_cols,
                     const ArrayView<Ordinal, Space>& bounds) {
  const auto num_rows = static_cast<Ordinal>(bounds.extent(0));
  if (num_rows == 0) return;
  const int lanes = lanes_for<Space>(static_cast<double>(a_columns.extent(0)) / num_rows);
  const int team = threads_in_team<Space>(128, lanes);
  Kokkos::parallel_for("tessera::spgemm::bound",
                       Kokkos::TeamPolicy<Space>(exec, (num_rows + team - 1) / team, team, lanes),
                       BoundRow<Space, Offset>{a_offsets, a_columns, b_offsets, num_cols, bounds});
}

template <class Space, class Offset>
struct SumCounts {
  ArrayView<const Ordinal, Space> counts;
  ArrayView<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Offset& sum, bool final) const {
    if (final) offsets(row) = sum;
    if (row < static_cast<Ordinal>(counts.extent(0))) sum += counts(row);
  }
};

template <class Space, class Offset>
void offsets_from_counts(const Space& exec, const ArrayView<const Ordinal, Space>& counts,
                         const ArrayView<Offset, Space>& offsets) {
  Kokkos::parallel_scan(
      "tessera::spgemm::offsets",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, offsets.extent(0)),
      SumCounts<Space, Offset>{counts, offsets});
}

template <class Space>
struct SumSizes {
  ArrayView<const Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal row, std::int64_t& sum) const { sum += sizes(row); }
};

template <class Space>
std::int64_t sum_of_sizes(const Space& exec, const ArrayView<const Ordinal, Space>& sizes) {
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "tessera::spgemm::sum_of_sizes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
      SumSizes<Space>{sizes}, total);
  return total;
}

}  // namespace tessera::kernels::spgemm_detail
