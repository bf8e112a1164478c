// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/overlapped_rows.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

template <class View>
auto part_of(const View& view, std::size_t first, std::size_t length) {
  return Kokkos::subview(view, std::make_pair(first, first + length));
}

}  // namespace

template <class Space>
void OverlappedRows<Space>::make(const Space& exec, const Rows& own,
                                 const ColumnNumbers<Space>& columns,
                                 const LevelPoints<Space>& points) {
  m_own = own;
  m_own.values = {};
  on_all_processes(*points.processes, [&] {
    m_exchange = RowExchange<Space>(points.halo, RowExchange<Space>::Direction::forward);
  });
  const auto come = m_exchange.pattern(exec, own, columns);
  on_all_processes(*points.processes, [&] {
    ColumnNumbers<Space> all = columns;
    const auto columns_of_others = all.add(exec, come.columns);
    m_numbers = ordered_numbers(exec, points.nodes->first(), points.num_own(),
                                united<Space>(exec, all.ascending_others(), points.ghosts));
    const auto number_of_others =
        places_among<Space>(exec, m_numbers.others, all.others(), points.num_own());
    auto above = own;
    above.values = allocate<double>(exec, "tessera::distributed::overlap", own.num_entries());
    const auto stack =
        stacked_rows(exec, above, points.num_own(), come, columns_of_others, all.size());
    place(exec,
          renumbered_others(exec, stack, points.num_own(), number_of_others, m_numbers.size()),
          points);
  });
}

/// Puts the rows of a stack, own ones first, in the order of all points.
template <class Space>
void OverlappedRows<Space>::place(const Space& exec, const Rows& stack,
                                  const LevelPoints<Space>& points) {
  const PlacesInOrder places(m_numbers);
  const Ordinal own = points.num_own();
  const std::size_t own_entries = entries_of_first_rows(exec, stack, own);
  const bool has_come = stack.num_rows > own;
  m_before =
      has_come ? entries_of_first_rows(exec, stack, own + points.num_before) - own_entries : 0;
  m_after = stack.num_entries() - own_entries - m_before;
  // How many of the rows that have come, those of all ghosts, are before each of the others.
  const auto count = counts_below<Space>(exec, has_come ? points.ghosts : GlobalNumbers<Space>(),
                                         m_numbers.others);
  const auto given = stack.offsets;
  const auto before = static_cast<Offset>(m_before);
  const auto entries = static_cast<Offset>(own_entries);
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::overlap::offsets",
                                        static_cast<std::size_t>(m_numbers.size()) + 1);
  Kokkos::parallel_for(
      "tessera::distributed::overlap::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, m_numbers.size() + 1), KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal row = i - places.num_before;
        if (row < 0) {
          offsets(i) = given(own + count(i)) - entries;
        } else if (row <= own) {
          offsets(i) = before + given(row);
        } else {
          offsets(i) = given(own + count(i - own));
        }
      });
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::overlap::columns", stack.num_entries());
  const auto copy = [&](std::size_t to, std::size_t from, std::size_t length) {
    if (length > 0)
      Kokkos::deep_copy(exec, part_of(columns, to, length), part_of(stack.columns, from, length));
  };
  copy(0, own_entries, m_before);
  copy(m_before, 0, own_entries);
  copy(m_before + own_entries, own_entries + m_before, m_after);
  Kokkos::parallel_for(
      "tessera::distributed::overlap::columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { columns(e) = places.place(columns(e)); });
  exec.fence("tessera::distributed::overlap");
  m_rows = {m_numbers.size(), m_numbers.size(), offsets, columns, {}};
}

template <class Space>
void OverlappedRows<Space>::exchange(const Space& exec) {
  if (m_exchange.is_empty()) return;
  const std::size_t own_entries = m_own.num_entries();
  Array<double, Space> come;
  on_all_processes(m_exchange.processes(), [&] {
    come = allocate<double>(exec, "tessera::distributed::overlap::values", m_before + m_after);
  });
  Rows own = m_own;
  own.values = part_of(m_rows.values, m_before, own_entries);
  m_exchange.values(exec, own, come);
  const auto copy = [&](std::size_t to, std::size_t from, std::size_t length) {
    if (length > 0)
      Kokkos::deep_copy(exec, part_of(m_rows.values, to, length), part_of(come, from, length));
  };
  copy(0, 0, m_before);
  copy(m_before + own_entries, m_before, m_after);
  exec.fence("tessera::distributed::overlap");
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, OverlappedRows)

}  // namespace tessera::distributed
