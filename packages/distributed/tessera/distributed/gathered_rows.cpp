// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_rows.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <limits>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

template <class Space>
Array<Ordinal, Space> as_columns(const Space& exec, const GlobalNumbers<Space>& numbers) {
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::GatheredRows", numbers.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::columns",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(numbers.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { columns(i) = static_cast<Ordinal>(numbers(i)); });
  exec.fence("tessera::distributed::GatheredRows");
  return columns;
}

}  // namespace

template <class Space>
GatheredRows<Space>::GatheredRows(const Space& exec, const Matrix<Space>& A)
    : m_processes(A.processes), m_is_first(A.processes->rank() == 0), m_num_own(A.rows.num_rows) {
  require(A.row_shares->size() <= std::numeric_limits<Ordinal>::max(), [&] {
    return "a level of " + std::to_string(A.row_shares->size()) +
           " rows is too large to be gathered on one process";
  });
  ColumnNumbers<Space> numbers;
  on_all_processes(*A.processes, [&] {
    numbers = ColumnNumbers<Space>(exec, A.column_shares->first(), A.num_own_columns(), A.ghosts);
    const Plan<Space> plan = gathering_plan(exec, A.processes, *A.row_shares);
    m_rows = RowExchange<Space>(plan, RowExchange<Space>::Direction::forward);
    m_exchange = Exchange<double, Space>(plan);
    m_exchange.reserve(1, true);
  });
  m_num_all = m_is_first ? static_cast<Ordinal>(A.row_shares->size()) : 0;
  const auto others = m_rows.pattern(exec, A.rows, numbers);
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    // All columns are the first process's now, by their numbers among all; its own come first.
    const auto number = as_columns<Space>(exec, A.ghosts);
    const auto own = renumbered_others(exec, A.rows, A.num_own_columns(), number, m_num_all);
    const auto columns = ColumnNumbers<Space>(0, m_num_all).add(exec, others.columns);
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, A.rows.num_rows, others, columns, m_num_all);
  });
  take_values(exec, A);
}

template <class Space>
void GatheredRows<Space>::take_values(const Space& exec, const Matrix<Space>& A) {
  m_rows.values(exec, A.rows,
                m_is_first ? values_below(m_stack, m_num_own_entries) : Array<double, Space>());
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    const auto own = std::make_pair(std::size_t(0), m_num_own_entries);
    if (m_num_own_entries > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own), A.rows.values);
    m_gathered = kernels::sort_rows(exec, m_stack.view());
  });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GatheredRows)

}  // namespace tessera::distributed
