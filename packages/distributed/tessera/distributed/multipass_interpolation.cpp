// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/multipass_interpolation.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// 0, 1, ...
template <class Space>
Array<const Ordinal, Space> ascending(const Space& exec, Ordinal count) {
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::multipass::points",
                                         static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "tessera::distributed::multipass::points", Kokkos::RangePolicy<Space>(exec, 0, count),
      KOKKOS_LAMBDA(const Ordinal i) { numbers(i) = i; });
  return numbers;
}

template <class Space>
Array<double, Space> room_for_values(const Space& exec, const LocalRows<Space>& rows) {
  return allocate<double>(exec, "tessera::distributed::multipass::values", rows.num_entries());
}

/// `rows` by own point instead of one after the other, with these columns for theirs. Points of a
/// pass ascend, so that entries are in the same order.
template <class Space>
LocalRows<Space> rows_by_own_point(const Space& exec, Ordinal num_own,
                                   const Array<const Ordinal, Space>& points,
                                   const LocalRows<Space>& rows) {
  auto made =
      amg::pattern_of_passes<double, Space, Offset>(exec, num_own, rows.num_cols, {{points, rows}});
  made.columns = rows.columns;
  made.values = rows.values;
  return made;
}

}  // namespace

template <class Space>
auto MultipassInterpolation<Space>::make(const Space& exec, const Rows& A,
                                         const SplitPoints<Space>& split) -> const Rows& {
  const NodeGraph<Space>& points = split.points;
  const Communicator& processes = *points.processes;
  find_passes(exec, split);
  for (std::size_t p = 1; p < m_passes.size(); ++p) {
    Pass& pass = m_passes[p];
    const Pass& before = m_passes[p - 1];
    pass.before.make(exec, processes, split.halo, before.rows, before.columns);
    on_all_processes(processes, [&] {
      fill_weights(exec, A, p);
      pass.P = kernels::spgemm(exec, pass.M.view(), pass.before.rows().view(), pass.plan);
      pass.before.release();
      const Rows rows =
          own_columns_first(exec, pass.P, 0, pass.P.num_rows, pass.before.numbers(), pass.columns);
      pass.rows = rows_by_own_point(exec, points.num_own(), pass.points, rows);
    });
  }
  on_all_processes(processes, [&] {
    const OrderedNumbers<Space> numbers = all_columns(exec);
    join_passes(exec, numbers);
    place_weights(exec);
    m_ordered = amg::truncation_pattern(exec, m_untruncated.view(), m_truncation.factor,
                                        m_truncation.max_entries);
    m_ordered.values = room_for_values(exec, m_ordered);
    amg::truncate_values(exec, m_untruncated.view(), m_ordered);
    this->m_P = own_columns_first(exec, m_ordered, 0, m_ordered.num_rows, numbers, this->m_columns);
    release();
  });
  return this->m_P;
}

template <class Space>
auto MultipassInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                           const Rows& A) -> const Rows& {
  on_all_processes(processes, [&] {
    Pass& coarse = m_passes.front();
    coarse.P.values = coarse.rows.values = room_for_values(exec, coarse.P);
    Kokkos::deep_copy(exec, coarse.P.values, 1.0);
  });
  for (std::size_t p = 1; p < m_passes.size(); ++p) {
    Pass& pass = m_passes[p];
    pass.before.fill(exec, processes, m_passes[p - 1].rows);
    on_all_processes(processes, [&] {
      fill_weights(exec, A, p);
      pass.P.values = pass.rows.values = room_for_values(exec, pass.P);
      kernels::spgemm_numeric(exec, pass.M.view(), pass.before.rows().view(), pass.P, pass.plan);
      exec.fence("tessera::distributed::MultipassInterpolation");
      pass.before.release();
    });
  }
  on_all_processes(processes, [&] {
    place_weights(exec);
    amg::truncate_values(exec, m_untruncated.view(), m_ordered);
    exec.fence("tessera::distributed::MultipassInterpolation");
    release();
  });
  return this->m_P;
}

/// Also a process that has no points for a pass takes part in it.
template <class Space>
void MultipassInterpolation<Space>::find_passes(const Space& exec,
                                                const SplitPoints<Space>& split) {
  const NodeGraph<Space>& points = split.points;
  const Communicator& processes = *points.processes;
  on_all_processes(processes, [&] {
    const auto own = std::make_pair(Ordinal(0), points.num_own());
    const auto coarse = amg::number_coarse_points(
        exec, Array<std::int8_t, Space>(Kokkos::subview(split.is_coarse, own)));
    m_numbers = amg::start_passes(exec, coarse.coarse_number, points.num_here());
    m_points = ascending(exec, points.num_here());
    m_passes = {coarse_points(exec, split, coarse.num_coarse)};
    exec.fence("tessera::distributed::MultipassInterpolation");
  });
  for (Ordinal before = 0;; ++before) {
    points.halo.fill(exec, m_numbers.pass);
    Ordinal count = 0;
    on_all_processes(processes,
                     [&] { count = amg::next_pass(exec, points.graph, before, m_numbers); });
    if (processes.sum_of(static_cast<std::int64_t>(count)) == 0) break;
    on_all_processes(processes, [&] {
      Pass pass;
      pass.points = amg::points_of_pass(exec, m_numbers, before + 1, count);
      const auto graph =
          amg::pass_pattern(exec, points.graph, pass.points, m_numbers.pass, m_points, before);
      pass.M = {count, points.num_here(), graph.offsets, graph.columns, {}};
      m_passes.push_back(pass);
      exec.fence("tessera::distributed::MultipassInterpolation");
    });
  }
  m_numbers.rank = {};
}

template <class Space>
auto MultipassInterpolation<Space>::coarse_points(const Space& exec,
                                                  const SplitPoints<Space>& split,
                                                  Ordinal num_coarse) const -> Pass {
  Pass pass;
  pass.points = amg::points_of_pass(exec, m_numbers, 0, num_coarse);
  pass.P = amg::identity_pattern<double, Space, Offset>(exec, num_coarse);
  pass.P.values = room_for_values(exec, pass.P);
  Kokkos::deep_copy(exec, pass.P.values, 1.0);
  pass.rows = rows_by_own_point(exec, split.points.num_own(), pass.points, pass.P);
  pass.columns = ColumnNumbers<Space>(split.coarse->first(), num_coarse);
  return pass;
}

/// M's values in the pass `number`.
template <class Space>
void MultipassInterpolation<Space>::fill_weights(const Space& exec, const Rows& A,
                                                 std::size_t number) {
  Pass& pass = m_passes[number];
  pass.M.values = room_for_values(exec, pass.M);
  amg::fill_pass(exec, A.view(), pass.points, m_numbers.pass, m_points,
                 static_cast<Ordinal>(number) - 1, pass.M);
}

/// The coarse points that any pass has.
template <class Space>
OrderedNumbers<Space> MultipassInterpolation<Space>::all_columns(const Space& exec) const {
  const ColumnNumbers<Space>& own = m_passes.front().columns;
  GlobalNumbers<Space> others;
  for (const Pass& pass : m_passes)
    others = united<Space>(exec, others, pass.columns.others());
  return ordered_numbers(exec, own.first(), own.num_own(), others);
}

/// The pattern of P before truncation.
template <class Space>
void MultipassInterpolation<Space>::join_passes(const Space& exec,
                                                const OrderedNumbers<Space>& numbers) {
  std::vector<RowsOfPass> all;
  for (const Pass& pass : m_passes) {
    Rows P = pass.P;
    P.columns = pass.rows.columns;
    all.push_back({pass.points, with_columns_in_order(exec, P, pass.columns, numbers)});
  }
  m_untruncated = amg::pattern_of_passes(exec, m_passes.front().rows.num_rows, numbers.size(), all);
}

template <class Space>
void MultipassInterpolation<Space>::place_weights(const Space& exec) {
  std::vector<RowsOfPass> all;
  for (const Pass& pass : m_passes)
    all.push_back({pass.points, pass.P});
  m_untruncated.values = room_for_values(exec, m_untruncated);
  amg::place_values(exec, all, m_untruncated);
}

/// Frees values; patterns stay, for new ones.
template <class Space>
void MultipassInterpolation<Space>::release() {
  for (Pass& pass : m_passes)
    pass.M.values = pass.P.values = pass.rows.values = {};
  m_untruncated.values = {};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, MultipassInterpolation)

}  // namespace tessera::distributed
