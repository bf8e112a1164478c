// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/diagonal_block.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

#include <algorithm>

namespace tessera::distributed {

template <class Space>
kernels::Csr<double, Space, std::int64_t> kept_columns(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& new_column, Ordinal num_cols) {
  using Offset = std::int64_t;
  const std::string label = "tessera::distributed::kept_columns";
  const auto offsets =
      allocate<Offset>(exec, label + "::offsets", static_cast<std::size_t>(A.num_rows) + 1);
  Offset num_entries = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::kept_columns::count",
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool last) {
        if (last) offsets(i) = sum;
        if (i == A.num_rows) return;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
          sum += new_column(A.columns(e)) >= 0 ? 1 : 0;
      },
      num_entries);
  const auto columns = allocate<Ordinal>(exec, label + "::columns", num_entries);
  const auto values = allocate<double>(exec, label + "::values", num_entries);
  Kokkos::parallel_for(
      "tessera::distributed::kept_columns::fill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset out = offsets(i);
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const Ordinal column = new_column(A.columns(e));
          if (column < 0) continue;
          columns(out) = column;
          values(out) = A.values(e);
          ++out;
        }
      });
  return {A.num_rows, num_cols, offsets, columns, values};
}

namespace {

using Offset = std::int64_t;
template <class Space>
using RowsView = kernels::CsrView<double, Space, Offset>;

/// Where each row's entries of others' columns begin among all such entries.
template <class Space>
Array<Offset, Space> offsets_of_others(const Space& exec, const RowsView<Space>& A,
                                       Ordinal num_own) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::split_columns::others",
                                        static_cast<std::size_t>(A.num_rows) + 1);
  Kokkos::parallel_for(
      "tessera::distributed::split_columns::count", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
          count += A.columns(e) >= num_own ? 1 : 0;
        offsets(i) = count;
      });
  Kokkos::parallel_scan(
      "tessera::distributed::split_columns::others",
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool is_last) {
        const Offset count = i < A.num_rows ? offsets(i) : 0;
        if (is_last) offsets(i) = sum;
        sum += count;
      });
  return offsets;
}

/// What others' entries leave of the offsets.
template <class Space>
Array<Offset, Space> offsets_of_own(const Space& exec, const RowsView<Space>& A,
                                    const Array<Offset, Space>& others) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::split_columns::own",
                                        static_cast<std::size_t>(A.num_rows) + 1);
  Kokkos::parallel_for(
      "tessera::distributed::split_columns::own",
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = i == 0 ? 0 : A.offsets(i) - others(i); });
  return offsets;
}

template <class Space>
std::size_t last_of(const Space& exec, const Array<Offset, Space>& offsets) {
  Offset last = 0;
  Kokkos::deep_copy(exec, last, Kokkos::subview(offsets, offsets.extent(0) - 1));
  exec.fence("tessera::distributed::split_columns");
  return static_cast<std::size_t>(last);
}

/// Copies a row's entries to the own ones and to those of others. Most rows have none of others,
/// and are copied by the lanes of a group side by side.
template <class Space>
struct SplitRow {
  RowsView<Space> A;
  Ordinal num_own;
  ArrayView<const Offset, Space> own_offsets, other_offsets;
  ArrayView<Ordinal, Space> columns, other_columns;
  ArrayView<double, Space> values, other_values;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    Offset out = own_offsets(i);
    Offset other = other_offsets(i);
    const bool has_others = other < other_offsets(i + 1);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal column = A.columns(e);
      if (has_others && column >= num_own) {
        other_columns(other) = column - num_own;
        other_values(other++) = A.values(e);
      } else {
        columns(out) = column;
        values(out++) = A.values(e);
      }
    }
  }

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, const Ordinal i) const {
    if (i < 0) return;
    if (other_offsets(i) < other_offsets(i + 1)) {
      if (group.lane() == 0) (*this)(i);
      return;
    }
    const Offset begin = A.offsets(i);
    const Offset out = own_offsets(i);
    const Offset length = A.offsets(i + 1) - begin;
    for (Offset e = group.lane(); e < length; e += group.size()) {
      columns(out + e) = A.columns(begin + e);
      values(out + e) = A.values(begin + e);
    }
  }
};

}  // namespace

template <class Space>
SplitRows<Space> split_columns(const Space& exec, const RowsView<Space>& A, Ordinal num_own) {
  const auto other_offsets = offsets_of_others<Space>(exec, A, num_own);
  const auto own_offsets = offsets_of_own<Space>(exec, A, other_offsets);
  const std::size_t num_others = last_of<Space>(exec, other_offsets);
  const std::size_t num_kept = last_of<Space>(exec, own_offsets);
  const std::string label = "tessera::distributed::split_columns";
  const auto columns = allocate<Ordinal>(exec, label, num_kept);
  const auto values = allocate<double>(exec, label, num_kept);
  const auto other_columns = allocate<Ordinal>(exec, label, num_others);
  const auto other_values = allocate<double>(exec, label, num_others);
  const int lanes = kernels::is_host_space<Space> ? 0 : std::max(4, kernels::lanes_per_row(A));
  kernels::for_each_row(exec, "tessera::distributed::split_columns::fill", A.num_rows, lanes,
                        SplitRow<Space>{A, num_own, own_offsets, other_offsets, columns,
                                        other_columns, values, other_values});
  return {{A.num_rows, num_own, own_offsets, columns, values},
          {A.num_rows, A.num_cols - num_own, other_offsets, other_columns, other_values}};
}

template <class Space>
kernels::Csr<double, Space, std::int64_t> own_pattern(const Space& exec, const RowsView<Space>& A,
                                                      Ordinal num_own) {
  const auto offsets = offsets_of_own<Space>(exec, A, offsets_of_others<Space>(exec, A, num_own));
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::own_pattern", last_of<Space>(exec, offsets));
  Kokkos::parallel_for(
      "tessera::distributed::own_pattern", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset out = offsets(i);
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
          if (A.columns(e) < num_own) columns(out++) = A.columns(e);
      });
  return {A.num_rows, num_own, offsets, columns, {}};
}

template <class Space>
kernels::Csr<double, Space, std::int64_t> rows_without_entries(const Space& exec, Ordinal num_rows,
                                                               Ordinal num_cols) {
  const std::string label = "tessera::distributed::rows_without_entries";
  const auto offsets = allocate<Offset>(exec, label, static_cast<std::size_t>(num_rows) + 1);
  Kokkos::deep_copy(exec, offsets, 0);
  return {num_rows, num_cols, offsets, allocate<Ordinal>(exec, label, 0),
          allocate<double>(exec, label, 0)};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_without_entries)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, kept_columns)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, split_columns)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, own_pattern)

}  // namespace tessera::distributed
