// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/moved_rows.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::distributed {
namespace {

/// From `rows` to those of each process's keeper.
Plan moving_plan(const std::shared_ptr<const Communicator>& processes, const Partition& rows,
                 const std::vector<int>& keepers) {
  if (processes->size() == 1) return nullptr;
  const int rank = processes->rank();
  const int keeper = keepers[static_cast<std::size_t>(rank)];
  auto plan = std::make_shared<CommunicationPlan>();
  plan->processes = processes;
  plan->num_source = rows.own();
  if (keeper != rank) {
    if (rows.own() == 0) return plan;
    plan->exports.resize(static_cast<std::size_t>(rows.own()));
    std::iota(plan->exports.begin(), plan->exports.end(), 0);
    plan->receivers = {{keeper, 0, rows.own()}};
    return plan;
  }
  plan->num_same = rows.own();
  Ordinal others = 0;
  for (int p = rank + 1; p < processes->size(); ++p) {
    if (keepers[static_cast<std::size_t>(p)] != rank || rows.own(p) == 0) continue;
    plan->senders.push_back({p, others, rows.own(p)});
    others += rows.own(p);
  }
  plan->num_target = rows.own() + others;
  plan->remotes.resize(static_cast<std::size_t>(others));
  std::iota(plan->remotes.begin(), plan->remotes.end(), rows.own());
  return plan;
}

/// The global numbers of all columns here, and behind them those of the entries that have come.
template <class Space>
Array<std::int64_t, Space> columns_of_all(const Space& exec, const ColumnNumbers& given,
                                          const ArrayView<const std::int64_t, Space>& come) {
  const auto here = static_cast<std::size_t>(given.size());
  const auto columns =
      allocate<std::int64_t>(exec, "tessera::distributed::columns_of_all", here + come.extent(0));
  const auto others = from_host(exec, given.others());
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

std::vector<int> keepers_of_rows(const Partition& rows, std::int64_t rows_per_process) {
  std::vector<int> keepers(static_cast<std::size_t>(rows.processes()));
  std::iota(keepers.begin(), keepers.end(), 0);
  // Groups of as many processes each, so that none gets twice what others have.
  const std::int64_t before = processes_with_rows(rows);
  const auto groups_of = [&](std::int64_t length) { return (before + length - 1) / length; };
  std::int64_t length = 1;
  while (groups_of(length) > 1 && rows.size() / groups_of(length) < rows_per_process)
    ++length;
  std::int64_t k = 0;  // processes with rows so far
  int keeper = 0;
  for (int p = 0; p < rows.processes(); ++p) {
    if (rows.own(p) == 0) continue;
    if (k++ % length == 0) keeper = p;
    keepers[static_cast<std::size_t>(p)] = keeper;
  }
  return keepers;
}

template <class Space>
MovedRows<Space>::MovedRows(const Space& exec, const Matrix<Space>& A,
                            const std::vector<int>& keepers)
    : m_plan(moving_plan(A.processes, *A.row_shares, keepers)),
      m_rows(m_plan, RowExchange<Space>::Direction::forward) {
  const ColumnNumbers given(A.column_shares->first(), A.num_own_columns(), A.ghosts);
  const auto others = m_rows.pattern(exec, A.rows, given);
  const Ordinal count = m_plan == nullptr ? A.rows.num_rows : m_plan->num_target;
  const auto shares = std::make_shared<const Partition>(*A.processes, count);
  ColumnNumbers numbers(shares->first(), count);
  on_all_processes(*A.processes, [&] {
    if (count == 0) {
      m_stack = {0, 0, from_host(exec, std::vector<std::int64_t>{0}), {}, {}};
      return;
    }
    const auto here = static_cast<std::size_t>(A.rows.num_cols);
    const auto number =
        numbers.add<Space>(exec, columns_of_all<Space>(exec, given, others.columns));
    const auto part = [&](std::size_t begin, std::size_t end) {
      return Array<Ordinal, Space>(Kokkos::subview(number, std::make_pair(begin, end)));
    };
    const auto own = renumbered_columns(exec, A.rows, part(0, here), numbers.size());
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, A.rows.num_rows, others, part(here, number.extent(0)),
                           numbers.size());
  });
  m_matrix = matrix_of(A.processes, m_stack, shares, shares, numbers);
  update(exec, A);
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
    m_matrix.rows = kernels::sort_rows(exec, m_stack.view());
    exec.fence("tessera::distributed::MovedRows");
  });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, MovedRows)

}  // namespace tessera::distributed
