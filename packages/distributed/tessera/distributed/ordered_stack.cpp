// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_stack.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// Of each of the first `num_own` columns, and of others by their place among all others, the place
/// in the order of all; takes those among others in `own_first`.
template <class Space>
void place_in_order(const Space& exec, const PlacesInOrder& places,
                    const Array<Ordinal, Space>& own_first, const Array<Ordinal, Space>& placed) {
  const Ordinal num_own = places.num_own;
  Kokkos::parallel_for(
      "tessera::distributed::with_columns_in_order",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(placed.extent(0))),
      KOKKOS_LAMBDA(const Ordinal c) {
        placed(c) = places.place(c < num_own ? c : own_first(c - num_own));
      });
  exec.fence("tessera::distributed::with_columns_in_order");
}

}  // namespace

template <class Space>
LocalRows<Space> with_columns_in_order(const Space& exec, const LocalRows<Space>& rows,
                                       const ColumnNumbers<Space>& columns,
                                       const OrderedNumbers<Space>& numbers) {
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::with_columns_in_order",
                                        static_cast<std::size_t>(columns.size()));
  place_in_order<Space>(
      exec, PlacesInOrder(numbers),
      places_among<Space>(exec, numbers.others, columns.others(), numbers.num_own), number);
  return renumbered_columns(exec, rows, number, numbers.size());
}

template <class Space>
void OrderedStack<Space>::make(const Space& exec, const Communicator& processes,
                               const Plan<Space>& plan, const LocalRows<Space>& rows,
                               ColumnNumbers<Space> columns) {
  on_all_processes(processes, [&] {
    m_exchange = RowExchange<Space>(plan, RowExchange<Space>::Direction::forward);
  });
  const auto come = m_exchange.pattern(exec, rows, columns);
  on_all_processes(processes, [&] {
    const auto columns_of_others = columns.add(exec, come.columns);
    m_numbers =
        ordered_numbers(exec, columns.first(), columns.num_own(), columns.ascending_others());
    m_stack = with_columns_in_order(
        exec, stacked_rows(exec, rows, rows.num_rows, come, columns_of_others, columns.size()),
        columns, m_numbers);
  });
  m_exchange.values(exec, rows, values_below(m_stack, rows.num_entries()));
}

template <class Space>
void OrderedStack<Space>::fill(const Space& exec, const Communicator& processes,
                               const LocalRows<Space>& rows) {
  const auto own = std::make_pair(std::size_t(0), rows.num_entries());
  on_all_processes(processes, [&] {
    if (m_stack.values.extent(0) != m_stack.num_entries())
      m_stack.values =
          allocate<double>(exec, "tessera::distributed::OrderedStack", m_stack.num_entries());
    Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own), rows.values);
  });
  m_exchange.values(exec, rows, values_below(m_stack, rows.num_entries()));
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_columns_in_order)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, OrderedStack)

}  // namespace tessera::distributed
