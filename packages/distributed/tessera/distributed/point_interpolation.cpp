// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/point_interpolation.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
using Global = Partition::Global;

/// The places of what own fine points depend on, with columns and without values; other points have
/// empty rows. `is_direct`: all have, as nobody asks.
template <class Space>
LocalRows<Space> strong_rows(const Space& exec, const kernels::Graph<Space, Offset>& strong,
                             const Array<std::int8_t, Space>& is_coarse, Ordinal num_own,
                             bool is_direct) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::strong_rows::offsets",
                                        static_cast<std::size_t>(num_own) + 1);
  Kokkos::parallel_for(
      "tessera::distributed::strong_rows::count", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal i) {
        const bool is_empty = is_direct || is_coarse(i) != 0;
        offsets(i) = is_empty ? 0 : strong.offsets(i + 1) - strong.offsets(i);
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::strong_rows", total);
  Kokkos::parallel_for(
      "tessera::distributed::strong_rows::columns", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Offset first = strong.offsets(i);
        for (Offset e = offsets(i); e < offsets(i + 1); ++e)
          columns(e) = strong.columns(first + (e - offsets(i)));
      });
  exec.fence("tessera::distributed::strong_rows");
  return {num_own, strong.num_nodes, offsets, columns,
          allocate<double>(exec, "tessera::distributed::strong_rows::values", total)};
}

/// The values of `rows`, whose rows have some of A's entries in A's order.
template <class Space>
void copy_some_values(const Space& exec, const LocalRows<Space>& A, const LocalRows<Space>& rows) {
  Kokkos::parallel_for(
      "tessera::distributed::copy_some_values", Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset to = rows.offsets(i);
        for (Offset e = A.offsets(i); to < rows.offsets(i + 1); ++e)
          if (A.columns(e) == rows.columns(to)) rows.values(to++) = A.values(e);
      });
  exec.fence("tessera::distributed::copy_some_values");
}

/// Row i of the first `num_own` as it is, and then empty rows between the others: the result has
/// row num_own + r of `rows` where `before`, by rows of the result behind the own ones and one
/// more, goes from r to r + 1.
template <class Space>
LocalRows<Space> with_empty_rows(const Space& exec, const LocalRows<Space>& rows, Ordinal num_own,
                                 const std::vector<Ordinal>& before) {
  const Ordinal all = num_own + static_cast<Ordinal>(before.size()) - 1;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::with_empty_rows",
                                        static_cast<std::size_t>(all) + 1);
  const auto place = from_host(exec, before);
  const auto given = rows.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::with_empty_rows", Kokkos::RangePolicy<Space>(exec, 0, all + 1),
      KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = given(i < num_own ? i : num_own + place(i - num_own));
      });
  exec.fence("tessera::distributed::with_empty_rows");
  return {all, all, offsets, rows.columns, rows.values};
}

/// Strong couplings of `rows`: of own points those of `own`, columns by `number`; of others all
/// that have come.
template <class Space>
kernels::Graph<Space, Offset> extended_graph(const Space& exec, const LocalRows<Space>& rows,
                                             Ordinal num_own,
                                             const kernels::Graph<Space, Offset>& own,
                                             const std::vector<Ordinal>& number) {
  const auto own_edges = static_cast<Offset>(own.num_edges());
  const auto own_entries = static_cast<Offset>(entries_of_first_rows(exec, rows, num_own));
  const auto come = static_cast<Offset>(rows.num_entries()) - own_entries;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::extended_graph::offsets",
                                        static_cast<std::size_t>(rows.num_rows) + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::extended_graph",
                                         static_cast<std::size_t>(own_edges + come));
  const auto new_number = from_host(exec, number);
  Kokkos::parallel_for(
      "tessera::distributed::extended_graph::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows + 1), KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = i < num_own ? own.offsets(i) : own_edges + rows.offsets(i) - own_entries;
      });
  Kokkos::parallel_for(
      "tessera::distributed::extended_graph",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Offset>>(exec, 0, own_edges + come),
      KOKKOS_LAMBDA(const Offset e) {
        columns(e) = e < own_edges ? new_number(own.columns(e))
                                   : rows.columns(own_entries + (e - own_edges));
      });
  exec.fence("tessera::distributed::extended_graph");
  return {rows.num_rows, offsets, columns};
}

/// `first` + the number of each own coarse point, -1 for fine ones; behind them room for others.
template <class Space>
Array<Global, Space> global_coarse_numbers(const Space& exec, const amg::Splitting<Space>& own,
                                           Global first, std::size_t all) {
  const auto numbers = allocate<Global>(exec, "tessera::distributed::global_coarse_numbers", all);
  const auto coarse_number = own.coarse_number;
  Kokkos::parallel_for(
      "tessera::distributed::global_coarse_numbers",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(coarse_number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        numbers(i) = coarse_number(i) < 0 ? Global(-1) : first + coarse_number(i);
      });
  exec.fence("tessera::distributed::global_coarse_numbers");
  return numbers;
}

/// The own numbers behind `num_before` others, and then `others` as they are.
template <class Space>
Array<const Ordinal, Space> numbers_in_order(const Space& exec, const amg::Splitting<Space>& own,
                                             Ordinal num_before,
                                             const std::vector<Ordinal>& others) {
  const auto own_number = own.coarse_number;
  const auto num_own = static_cast<Ordinal>(own_number.extent(0));
  const auto other_number = from_host(exec, others);
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        own_number.extent(0) + others.size());
  Kokkos::parallel_for(
      "tessera::distributed::coarse_number",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (i >= num_own)
          number(i) = other_number(i - num_own);
        else
          number(i) = own_number(i) < 0 ? -1 : num_before + own_number(i);
      });
  exec.fence("tessera::distributed::coarse_number");
  return number;
}

}  // namespace

template <class Space>
auto PointInterpolation<Space>::make(const Space& exec, const Rows& A,
                                     const SplitPoints<Space>& split) -> const Rows& {
  const Communicator& processes = *split.points.processes;
  extend(exec, A, split);
  number_coarse_points(exec, split);
  on_all_processes(processes, [&] {
    const auto num_coarse = m_num_own_coarse + static_cast<Ordinal>(m_coarse_others.size());
    m_factors = amg::interpolation_pattern<double, Space, Offset>(exec, m_strong, m_coarse_number,
                                                                  num_coarse, m_interpolation);
    m_strong = {};
    amg::fill_interpolation(exec, m_extended.view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_ordered = m_product.make(exec, first_rows(exec, m_factors.M, m_num_own), m_factors.N,
                               m_truncation, timer);
    timer.stop(exec);
    take_columns(exec);
    release();
  });
  return m_P;
}

template <class Space>
auto PointInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                       const Rows& A) -> const Rows& {
  fill_extended(exec, A);
  on_all_processes(processes, [&] {
    amg::fill_interpolation(exec, m_extended.view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_product.remake(exec, first_rows(exec, m_factors.M, m_num_own), m_factors.N, m_ordered, timer);
    timer.stop(exec);
    release();
  });
  return m_P;
}

/// Frees values; patterns stay, for new ones.
template <class Space>
void PointInterpolation<Space>::release() {
  m_factors.M.values = m_factors.N.values = {};
  m_product.release();
}

/// A with the rows that are sent below it, in a square matrix; those that nobody sends are empty.
template <class Space>
void PointInterpolation<Space>::extend(const Space& exec, const Rows& A,
                                       const SplitPoints<Space>& split) {
  const NodeGraph<Space>& points = split.points;
  const Communicator& processes = *points.processes;
  m_num_own = points.num_own();
  on_all_processes(processes, [&] {
    m_sent = strong_rows(exec, points.graph, split.is_coarse, m_num_own,
                         m_interpolation == amg::Interpolation::direct);
  });
  m_exchange = RowExchange<Space>(split.halo, RowExchange<Space>::Direction::forward);
  const Global first = points.nodes->first();
  const auto come =
      m_exchange.pattern(exec, m_sent, ColumnNumbers(first, m_num_own, points.ghosts));
  on_all_processes(processes, [&] {
    m_others = points.ghosts;
    const auto come_of_others = numbers_of_others<Space>(exec, come.columns, first, m_num_own);
    m_others.insert(m_others.end(), come_of_others.begin(), come_of_others.end());
    std::ranges::sort(m_others);
    m_others.erase(std::unique(m_others.begin(), m_others.end()), m_others.end());
    const auto place = [&](Global number) {
      return static_cast<Ordinal>(std::ranges::lower_bound(m_others, number) - m_others.begin());
    };
    std::vector<Ordinal> number(static_cast<std::size_t>(points.num_here()));
    std::iota(number.begin(), number.begin() + m_num_own, 0);
    std::vector<Ordinal> before(m_others.size() + 1, 0);
    for (std::size_t g = 0; g < points.ghosts.size(); ++g) {
      const Ordinal at = place(points.ghosts[g]);
      number[static_cast<std::size_t>(m_num_own) + g] = m_num_own + at;
      before[static_cast<std::size_t>(at) + 1] = 1;
    }
    std::partial_sum(before.begin(), before.end(), before.begin());
    ColumnNumbers numbers(first, m_num_own, m_others);
    const auto columns = numbers.add<Space>(exec, come.columns);
    const auto above = renumbered_columns(exec, A, number, numbers.size());
    const auto stack = stacked_rows(exec, above, m_num_own, come, columns, numbers.size());
    m_extended = come.num_rows() == 0 ? squared(exec, stack)
                                      : with_empty_rows(exec, stack, m_num_own, before);
    m_strong = extended_graph(exec, m_extended, m_num_own, points.graph, number);
  });
  fill_extended(exec, A);
}

template <class Space>
void PointInterpolation<Space>::fill_extended(const Space& exec, const Rows& A) {
  copy_some_values(exec, A, m_sent);
  const auto own = A.num_entries();
  Kokkos::deep_copy(exec, Kokkos::subview(m_extended.values, std::make_pair(std::size_t(0), own)),
                    A.values);
  m_exchange.values(exec, m_sent, values_below(m_extended, own));
  exec.fence("tessera::distributed::PointInterpolation");
}

/// Which points of others are coarse, and all coarse points in the order of their numbers among
/// all: that of truncation between equal weights.
template <class Space>
void PointInterpolation<Space>::number_coarse_points(const Space& exec,
                                                     const SplitPoints<Space>& split) {
  const auto& processes = split.points.processes;
  amg::Splitting<Space> own;
  Array<Global, Space> all;
  m_first_coarse = split.coarse->first();
  m_num_own_coarse = split.coarse->own();
  on_all_processes(*processes, [&] {
    own = amg::number_coarse_points(
        exec, Array<std::int8_t, Space>(
                  Kokkos::subview(split.is_coarse, std::make_pair(Ordinal(0), m_num_own))));
    all = global_coarse_numbers(exec, own, m_first_coarse,
                                static_cast<std::size_t>(m_num_own) + m_others.size());
  });
  NodeHalo<Space>(halo_plan(processes, *split.points.nodes, m_others)).fill(exec, all);
  on_all_processes(*processes, [&] {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all);
    std::vector<Ordinal> others;
    m_coarse_others.clear();
    Ordinal num_before = 0;
    for (std::size_t i = 0; i < m_others.size(); ++i) {
      const Global number = host(static_cast<std::size_t>(m_num_own) + i);
      const bool is_before = number < m_first_coarse;
      const auto place = static_cast<Ordinal>(m_coarse_others.size());
      others.push_back(number < 0 ? -1 : is_before ? place : place + m_num_own_coarse);
      if (number < 0) continue;
      num_before += is_before ? 1 : 0;
      m_coarse_others.push_back(number);
    }
    m_coarse_number = numbers_in_order(exec, own, num_before, others);
  });
}

/// P by own coarse points and behind them those of others that it has entries of.
template <class Space>
void PointInterpolation<Space>::take_columns(const Space& exec) {
  const auto before = static_cast<Ordinal>(
      std::ranges::lower_bound(m_coarse_others, m_first_coarse) - m_coarse_others.begin());
  m_columns = ColumnNumbers(m_first_coarse, m_num_own_coarse, m_coarse_others);
  std::vector<Ordinal> number(static_cast<std::size_t>(m_columns.size()));
  for (Ordinal c = 0; c < m_columns.size(); ++c) {
    const bool is_own = c >= before && c < before + m_num_own_coarse;
    number[static_cast<std::size_t>(c)] = is_own       ? c - before
                                          : c < before ? m_num_own_coarse + c
                                                       : c;
  }
  m_P = renumbered_columns(exec, m_ordered, number, m_columns.size());
  const auto kept = m_columns.keep(used_columns(exec, m_P, m_columns.num_own()));
  m_P = renumbered_others(exec, m_P, m_num_own_coarse, kept, m_columns.size());
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, PointInterpolation)

}  // namespace tessera::distributed
