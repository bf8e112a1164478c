// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_sums.hpp"

#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
template <class Space>
using Marks = Array<Ordinal, Space>;

/// Marks rows that have a column of another process.
template <class Space>
struct MarkOthersColumns {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_own;
  Marks<Space> marks;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    Ordinal found = 0;
    for (Offset e = offsets(i); e < offsets(i + 1); ++e)
      found |= columns(e) >= num_own ? 1 : 0;
    if (found != 0) marks(i) = 1;
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, const Ordinal i) const {
    if (i < 0) return;
    for (Offset e = offsets(i) + group.lane(); e < offsets(i + 1); e += group.size())
      if (columns(e) >= num_own) Kokkos::atomic_store(&marks(i), Ordinal(1));
  }
};

/// Copies each row's entries to where the row begins in `to`; columns where there are some.
template <class Space>
struct CopyRows {
  ArrayView<const Offset, Space> offsets, begins;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const double, Space> values;
  ArrayView<Ordinal, Space> to_columns;
  ArrayView<double, Space> to_values;

  KOKKOS_FUNCTION void copy(const Ordinal i, const int lane, const int lanes) const {
    const Offset first = offsets(i);
    const Offset out = begins(i);
    const Offset length = offsets(i + 1) - first;
    for (Offset e = lane; e < length; e += lanes) {
      if (to_columns.extent(0) > 0) to_columns(out + e) = columns(first + e);
      to_values(out + e) = values(first + e);
    }
  }
  KOKKOS_FUNCTION void operator()(const Ordinal i) const { copy(i, 0, 1); }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, const Ordinal i) const {
    if (i >= 0) copy(i, group.lane(), group.size());
  }
};

/// Lanes that share a row of `rows`, of which some are others'.
template <class Space>
int lanes_of(const LocalRows<Space>& rows) {
  return kernels::is_host_space<Space> ? 0 : std::max(4, kernels::lanes_per_row(rows.view()));
}

/// The first `num_rows` rows that have a column from `num_own` on, or are among `belongs`.
template <class Space>
Array<Ordinal, Space> border_of(const Space& exec, const LocalRows<Space>& rows, Ordinal num_rows,
                                Ordinal num_own, const Array<const Ordinal, Space>& belongs,
                                const Marks<Space>& place) {
  Kokkos::deep_copy(exec, place, 0);
  kernels::for_each_row(exec, "tessera::distributed::RowSums::others", num_rows, lanes_of(rows),
                        MarkOthersColumns<Space>{rows.offsets, rows.columns, num_own, place});
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::belongs",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(belongs.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) { Kokkos::atomic_store(&place(belongs(k)), Ordinal(1)); });
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::RowSums::count", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool is_last) {
        const Ordinal mark = place(i);
        if (is_last) place(i) = mark != 0 ? sum : -1;
        sum += mark;
      },
      count);
  exec.fence("tessera::distributed::RowSums");
  const auto border = allocate<Ordinal>(exec, "tessera::distributed::RowSums::border",
                                        static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::border", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (place(i) >= 0) border(place(i)) = i;
      });
  return border;
}

template <class Space>
std::size_t last_of(const Space& exec, const Array<Offset, Space>& starts) {
  Offset last = 0;
  Kokkos::deep_copy(exec, last, Kokkos::subview(starts, starts.extent(0) - 1));
  exec.fence("tessera::distributed::RowSums");
  return static_cast<std::size_t>(last);
}

/// The rows of the list.
template <class Space>
LocalRows<Space> rows_at(const Space& exec, const LocalRows<Space>& rows,
                         const Array<Ordinal, Space>& list) {
  const auto starts = starts_of<Space>(exec, listed_lengths<Space>(exec, list, rows.offsets));
  const auto count = static_cast<Ordinal>(list.extent(0));
  const std::size_t total = last_of<Space>(exec, starts);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::RowSums::columns", total);
  const auto values = allocate<double>(exec, "tessera::distributed::RowSums::values", total);
  pack_rows<Ordinal, Space>(exec, list, rows.offsets, rows.columns, starts, columns);
  pack_rows<double, Space>(exec, list, rows.offsets, rows.values, starts, values);
  return {count, rows.num_cols, starts, columns, values};
}

/// Each entry's place in a list of places.
template <class Space>
Array<Ordinal, Space> places_of(const Space& exec, const Array<const Ordinal, Space>& entries,
                                const Array<Ordinal, Space>& place) {
  const auto places =
      allocate<Ordinal>(exec, "tessera::distributed::RowSums::places", entries.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::places",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(entries.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) { places(k) = place(entries(k)); });
  return places;
}

/// Where rows begin that are as long as the parts' and, at the border, as the sums'.
template <class Space>
Array<Offset, Space> starts_of_sums(const Space& exec, const LocalRows<Space>& parts,
                                    Ordinal num_rows, const Array<Ordinal, Space>& border,
                                    const LocalRows<Space>& border_sums) {
  const auto lengths = allocate<Offset>(exec, "tessera::distributed::RowSums::lengths",
                                        static_cast<std::size_t>(num_rows));
  const auto given = parts.offsets;
  const auto at_border = border_sums.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::lengths", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i) { lengths(i) = given(i + 1) - given(i); });
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::lengths_of_border",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(border.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) { lengths(border(k)) = at_border(k + 1) - at_border(k); });
  return starts_of<Space>(exec, lengths);
}

/// Where the rows of the list begin.
template <class Space>
Array<Offset, Space> begins_of(const Space& exec, const Array<Ordinal, Space>& list,
                               const Array<const Offset, Space>& offsets) {
  const auto begins =
      allocate<Offset>(exec, "tessera::distributed::RowSums::begins", list.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::RowSums::begins",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(list.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) { begins(k) = offsets(list(k)); });
  return begins;
}

/// All rows of the parts, and over those of the border their sums: what a part has of a row is no
/// longer than the sum. With columns where `to_columns` has room.
template <class Space>
void join(const Space& exec, const LocalRows<Space>& parts, const Array<Ordinal, Space>& border,
          const LocalRows<Space>& border_sums, const LocalRows<Space>& to,
          const ArrayView<Ordinal, Space>& to_columns) {
  kernels::for_each_row(exec, "tessera::distributed::RowSums::copy", to.num_rows, lanes_of(parts),
                        CopyRows<Space>{parts.offsets, to.offsets, parts.columns, parts.values,
                                        to_columns, to.values});
  kernels::for_each_row(
      exec, "tessera::distributed::RowSums::copy_border", border_sums.num_rows,
      lanes_of(border_sums),
      CopyRows<Space>{border_sums.offsets, begins_of<Space>(exec, border, to.offsets),
                      border_sums.columns, border_sums.values, to_columns, to.values});
  exec.fence("tessera::distributed::RowSums");
}

}  // namespace

template <class Space>
auto RowSums<Space>::make(const Space& exec, const Rows& parts, Ordinal num_rows,
                          RowExchange<Space> back, ColumnNumbers<Space>& numbers) -> const Rows& {
  m_back = std::move(back);
  if (m_back.is_empty()) return m_rows = parts;
  const auto come = m_back.pattern(exec, parts, numbers);
  Array<Ordinal, Space> belongs;  ///< of the rows that come, those of the border
  // All columns of others are then those of their parts.
  const bool keeps_all = numbers.others().extent(0) == 0;
  on_all_processes(m_back.processes(), [&] {
    const auto columns_of_others = numbers.add(exec, come.columns);
    const auto received = m_back.received_rows();
    const auto place = allocate<Ordinal>(exec, "tessera::distributed::RowSums::place",
                                         static_cast<std::size_t>(num_rows));
    m_border = border_of(exec, parts, num_rows, numbers.num_own(), received, place);
    belongs = places_of<Space>(exec, received, place);
    const Rows own = rows_at(exec, parts, m_border);
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, own.num_rows, come, columns_of_others, numbers.size());
    if (keeps_all) return;
    const auto number = numbers.keep(exec, used_columns(exec, m_stack, numbers.num_own()));
    m_stack = renumbered_others(exec, m_stack, numbers.num_own(), number, numbers.size());
  });
  m_back.values(exec, parts, values_below(m_stack, m_num_own_entries));
  on_all_processes(m_back.processes(), [&] {
    m_sum = sum_of_rows(exec, static_cast<Ordinal>(m_border.extent(0)), belongs);
    m_border_sums = kernels::spgemm(exec, m_sum.view(), m_stack.view());
    const auto starts = starts_of_sums(exec, parts, num_rows, m_border, m_border_sums);
    const std::size_t total = last_of<Space>(exec, starts);
    const auto columns = allocate<Ordinal>(exec, "tessera::distributed::RowSums::columns", total);
    const auto values = allocate<double>(exec, "tessera::distributed::RowSums::values", total);
    m_rows = {num_rows, numbers.size(), starts, columns, values};
    join<Space>(exec, parts, m_border, m_border_sums, m_rows, columns);
  });
  return m_rows;
}

template <class Space>
auto RowSums<Space>::remake(const Space& exec, const Rows& parts) -> const Rows& {
  if (m_back.is_empty()) return m_rows;
  on_all_processes(m_back.processes(), [&] {
    const Array<double, Space> own =
        Kokkos::subview(m_stack.values, std::make_pair(std::size_t(0), m_num_own_entries));
    pack_rows<double, Space>(
        exec, m_border, parts.offsets, parts.values,
        starts_of<Space>(exec, listed_lengths<Space>(exec, m_border, parts.offsets)), own);
  });
  m_back.values(exec, parts, values_below(m_stack, m_num_own_entries));
  on_all_processes(m_back.processes(), [&] {
    kernels::spgemm_numeric(exec, m_sum.view(), m_stack.view(), m_border_sums);
    join<Space>(exec, parts, m_border, m_border_sums, m_rows, {});
  });
  return m_rows;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowSums)

}  // namespace tessera::distributed
