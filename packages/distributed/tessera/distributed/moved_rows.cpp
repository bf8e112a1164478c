// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/moved_rows.hpp"

#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// The numbers from 0 on without `count` from `first` on, so many of them.
template <class Space>
Array<Ordinal, Space> numbers_beside(const Space& exec, Ordinal first, Ordinal count,
                                     Ordinal length) {
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::MovedRows::remotes",
                                         static_cast<std::size_t>(length));
  Kokkos::parallel_for(
      "tessera::distributed::MovedRows::remotes", Kokkos::RangePolicy<Space>(exec, 0, length),
      KOKKOS_LAMBDA(const Ordinal i) { numbers(i) = i < first ? i : i + count; });
  exec.fence("tessera::distributed::MovedRows");
  return numbers;
}

/// From `rows` to those of each process's keeper, which has them in the order of their numbers.
/// Sends nothing.
template <class Space>
Plan<Space> moving_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                        const Partition& rows, const std::vector<int>& keepers) {
  if (processes->size() == 1) return nullptr;
  const int rank = processes->rank();
  const int keeper = keepers[static_cast<std::size_t>(rank)];
  auto plan = std::make_shared<CommunicationPlan<Space>>();
  plan->processes = processes;
  plan->num_source = rows.own();
  if (keeper != rank) {
    if (rows.own() == 0) return plan;
    plan->exports = numbers_from(exec, 0, rows.own());
    plan->receivers = {{keeper, 0, rows.own()}};
    return plan;
  }
  Ordinal others = 0, before = 0;  // rows of others, and those of lower ranks
  for (int p = 0; p < processes->size(); ++p) {
    const Ordinal count = rows.own(p);
    if (keepers[static_cast<std::size_t>(p)] != rank || p == rank || count == 0) continue;
    plan->senders.push_back({p, others, count});
    others += count;
    if (p < rank) before += count;
  }
  plan->num_target = others + rows.own();
  plan->remotes = numbers_beside(exec, before, rows.own(), others);
  if (before == 0 || rows.own() == 0) {
    plan->num_same = rows.own();
    return plan;
  }
  plan->from = numbers_from(exec, 0, rows.own());
  plan->to = numbers_from(exec, before, rows.own());
  return plan;
}

/// For each row of the target its number in the stack of own rows and those of others; none where
/// that is the same.
template <class Space>
Array<Ordinal, Space> order_of_rows(const Space& exec, const Plan<Space>& plan) {
  if (plan == nullptr || plan->to.extent(0) == 0) return {};
  const auto order = allocate<Ordinal>(exec, "tessera::distributed::MovedRows::order",
                                       static_cast<std::size_t>(plan->num_target));
  const auto own = plan->to, others = plan->remotes;
  const auto num_own = static_cast<Ordinal>(own.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::MovedRows::order",
      Kokkos::RangePolicy<Space>(exec, 0, plan->num_target),
      KOKKOS_LAMBDA(const Ordinal i) { order(i < num_own ? own(i) : others(i - num_own)) = i; });
  exec.fence("tessera::distributed::MovedRows");
  return order;
}

/// The global numbers of all columns here, and behind them those of the entries that have come.
template <class Space>
Array<std::int64_t, Space> columns_of_all(const Space& exec, const ColumnNumbers<Space>& given,
                                          const ArrayView<const std::int64_t, Space>& come) {
  const auto here = static_cast<std::size_t>(given.size());
  const auto columns =
      allocate<std::int64_t>(exec, "tessera::distributed::columns_of_all", here + come.extent(0));
  const auto& others = given.others();
  const auto own = static_cast<std::size_t>(given.num_own());
  const std::int64_t first = given.first();
  Kokkos::parallel_for(
      "tessera::distributed::columns_of_all",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        columns(e) = e < own    ? first + static_cast<std::int64_t>(e)
                     : e < here ? others(e - own)
                                : come(e - here);
      });
  exec.fence("tessera::distributed::columns_of_all");
  return columns;
}

}  // namespace

int processes_with_rows(const Partition& rows) {
  int count = 0;
  for (int p = 0; p < rows.processes(); ++p)
    count += rows.own(p) > 0 ? 1 : 0;
  return count;
}

std::vector<std::int64_t> rows_by_process(const Partition& rows) {
  std::vector<std::int64_t> counts;
  for (int p = 0; p < rows.processes(); ++p)
    counts.push_back(rows.own(p));
  return counts;
}

template <class Space>
MovedRows<Space>::MovedRows(const Space& exec, const Matrix<Space>& A,
                            const std::vector<int>& keepers) {
  ColumnNumbers<Space> given;
  on_all_processes(*A.processes, [&] {
    m_plan = moving_plan(exec, A.processes, *A.row_shares, keepers);
    given = ColumnNumbers<Space>(exec, A.column_shares->first(), A.num_own_columns(), A.ghosts);
    m_rows = RowExchange<Space>(m_plan, RowExchange<Space>::Direction::forward);
  });
  const auto others = m_rows.pattern(exec, A.rows, given);
  const Ordinal count = m_plan == nullptr ? A.rows.num_rows : m_plan->num_target;
  const auto shares = std::make_shared<const Partition>(*A.processes, count);
  ColumnNumbers<Space> numbers(shares->first(), count);
  on_all_processes(*A.processes, [&] {
    if (count == 0) {
      m_stack = {0, 0, from_host(exec, std::vector<std::int64_t>{0}), {}, {}};
      return;
    }
    m_order = order_of_rows(exec, m_plan);
    const auto here = static_cast<std::size_t>(A.rows.num_cols);
    const auto number = numbers.add(exec, columns_of_all<Space>(exec, given, others.columns));
    const auto part = [&](std::size_t begin, std::size_t end) {
      return Array<Ordinal, Space>(Kokkos::subview(number, std::make_pair(begin, end)));
    };
    const auto own = renumbered_columns(exec, A.rows, part(0, here), numbers.size());
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, A.rows.num_rows, others, part(here, number.extent(0)),
                           numbers.size());
  });
  m_matrix = matrix_of(exec, A.processes, m_stack, shares, shares, numbers);
  update(exec, A);
}

/// The stack's rows in the order of their numbers.
template <class Space>
LocalRows<Space> MovedRows<Space>::in_order(const Space& exec) const {
  if (m_order.extent(0) == 0) return m_stack;
  const auto offsets =
      starts_of<Space>(exec, listed_lengths<Space>(exec, m_order, m_stack.offsets));
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::MovedRows", m_stack.num_entries());
  const auto values =
      allocate<double>(exec, "tessera::distributed::MovedRows", m_stack.num_entries());
  pack_rows<Ordinal, Space>(exec, m_order, m_stack.offsets, m_stack.columns, offsets, columns);
  pack_rows<double, Space>(exec, m_order, m_stack.offsets, m_stack.values, offsets, values);
  return {m_stack.num_rows, m_stack.num_cols, offsets, columns, values};
}

template <class Space>
void MovedRows<Space>::update(const Space& exec, const Matrix<Space>& A) {
  const bool keeps = m_stack.num_rows > 0;
  m_rows.values(exec, A.rows,
                keeps ? values_below(m_stack, m_num_own_entries) : Array<double, Space>());
  on_all_processes(*A.processes, [&] {
    if (!keeps) return;
    const auto own = std::make_pair(std::size_t(0), m_num_own_entries);
    if (m_num_own_entries > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own), A.rows.values);
    m_matrix.rows = kernels::sort_rows(exec, in_order(exec).view());
    exec.fence("tessera::distributed::MovedRows");
  });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, MovedRows)

}  // namespace tessera::distributed
