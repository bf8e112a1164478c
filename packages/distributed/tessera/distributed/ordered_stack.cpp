// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_stack.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

/// The numbers of `columns` in the order of all.
OrderedNumbers in_ascending_order(const ColumnNumbers& columns) {
  OrderedNumbers numbers{columns.first(), columns.num_own(), columns.others()};
  std::ranges::sort(numbers.others);
  return numbers;
}

}  // namespace

template <class Space>
LocalRows<Space> with_columns_in_order(const Space& exec, const LocalRows<Space>& rows,
                                       const ColumnNumbers& columns,
                                       const OrderedNumbers& numbers) {
  const PlacesInOrder places(numbers);
  std::vector<Ordinal> number;
  number.reserve(static_cast<std::size_t>(columns.size()));
  for (Ordinal c = 0; c < numbers.num_own; ++c)
    number.push_back(places.place(c));
  for (const auto other : columns.others())
    number.push_back(places.place(numbers.num_own + numbers.place_among_others(other)));
  return renumbered_columns(exec, rows, number, numbers.size());
}

template <class Space>
void OrderedStack<Space>::make(const Space& exec, const Communicator& processes, const Plan<Space>& plan,
                               const LocalRows<Space>& rows, ColumnNumbers columns) {
  on_all_processes(processes, [&] {
    m_exchange = RowExchange<Space>(plan, RowExchange<Space>::Direction::forward);
  });
  const auto come = m_exchange.pattern(exec, rows, columns);
  on_all_processes(processes, [&] {
    const auto columns_of_others = columns.template add<Space>(exec, come.columns);
    m_numbers = in_ascending_order(columns);
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
