// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/extended_couplings.hpp"

#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// Visits the columns of what is sent of an own point's row, in A's order.
template <class Space>
struct SentColumns {
  CouplingsOfOthers kind;
  LocalRows<Space> A;
  kernels::Graph<Space, Offset> strong;
  Array<std::int8_t, Space> is_coarse;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    const Offset begin = strong.offsets(i);
    const Offset end = strong.offsets(i + 1);
    if (kind == CouplingsOfOthers::strong_to_coarse) {
      for (Offset e = begin; e < end; ++e)
        if (is_coarse(strong.columns(e)) != 0) visit(strong.columns(e));
      return;
    }
    if (kind == CouplingsOfOthers::none || is_coarse(i) != 0 || begin == end) return;
    if (kind == CouplingsOfOthers::strong) {
      for (Offset e = begin; e < end; ++e)
        visit(strong.columns(e));
      return;
    }
    bool is_empty = true;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      if (j != i && is_coarse(j) == 0) continue;
      visit(j);
      is_empty = false;
    }
    // What has come shows that the point depends on others.
    if (is_empty) visit(strong.columns(begin));
  }
};

/// What is sent, with columns and without values; points of which nothing is have empty rows.
template <class Space>
LocalRows<Space> sent_rows(const Space& exec, const SentColumns<Space>& sent, Ordinal num_own) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::sent_rows::offsets",
                                        static_cast<std::size_t>(num_own) + 1);
  Kokkos::parallel_for(
      "tessera::distributed::sent_rows::count", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        sent.for_each(i, [&](Ordinal) { ++count; });
        offsets(i) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::sent_rows", total);
  Kokkos::parallel_for(
      "tessera::distributed::sent_rows::columns", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        sent.for_each(i, [&](Ordinal j) { columns(at++) = j; });
      });
  exec.fence("tessera::distributed::sent_rows");
  return {num_own, sent.strong.num_nodes, offsets, columns,
          allocate<double>(exec, "tessera::distributed::sent_rows::values", total)};
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
                                 const Array<const Ordinal, Space>& before) {
  const Ordinal all = num_own + static_cast<Ordinal>(before.extent(0)) - 1;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::with_empty_rows",
                                        static_cast<std::size_t>(all) + 1);
  const auto given = rows.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::with_empty_rows", Kokkos::RangePolicy<Space>(exec, 0, all + 1),
      KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = given(i < num_own ? i : num_own + before(i - num_own));
      });
  exec.fence("tessera::distributed::with_empty_rows");
  return {all, all, offsets, rows.columns, rows.values};
}

/// Strong couplings of `rows`: of own points those of `own`, columns of others by
/// `number_of_others`; of others all that have come, the diagonal as well where it has.
template <class Space>
kernels::Graph<Space, Offset> extended_graph(const Space& exec, const LocalRows<Space>& rows,
                                             Ordinal num_own,
                                             const kernels::Graph<Space, Offset>& own,
                                             const Array<const Ordinal, Space>& number_of_others) {
  const auto own_edges = static_cast<Offset>(own.num_edges());
  const auto own_entries = static_cast<Offset>(entries_of_first_rows(exec, rows, num_own));
  const auto come = static_cast<Offset>(rows.num_entries()) - own_entries;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::extended_graph::offsets",
                                        static_cast<std::size_t>(rows.num_rows) + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::extended_graph",
                                         static_cast<std::size_t>(own_edges + come));
  Kokkos::parallel_for(
      "tessera::distributed::extended_graph::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows + 1), KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = i < num_own ? own.offsets(i) : own_edges + rows.offsets(i) - own_entries;
      });
  Kokkos::parallel_for(
      "tessera::distributed::extended_graph",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Offset>>(exec, 0, own_edges + come),
      KOKKOS_LAMBDA(const Offset e) {
        if (e >= own_edges) {
          columns(e) = rows.columns(own_entries + (e - own_edges));
          return;
        }
        const Ordinal column = own.columns(e);
        columns(e) = column < num_own ? column : number_of_others(column - num_own);
      });
  exec.fence("tessera::distributed::extended_graph");
  return {rows.num_rows, offsets, columns};
}

}  // namespace

template <class Space>
auto ExtendedCouplings<Space>::make(const Space& exec, const Rows& A,
                                    const NodeGraph<Space>& points, const Plan<Space>& halo,
                                    const Array<std::int8_t, Space>& is_coarse) -> Graph {
  auto strong = make_pattern(exec, A, points, halo, is_coarse);
  fill(exec, A);
  return strong;
}

template <class Space>
auto ExtendedCouplings<Space>::make_pattern(const Space& exec, const Rows& A,
                                            const NodeGraph<Space>& points, const Plan<Space>& halo,
                                            const Array<std::int8_t, Space>& is_coarse) -> Graph {
  const Communicator& processes = *points.processes;
  m_num_own = points.num_own();
  on_all_processes(processes, [&] {
    m_sent = sent_rows(exec, SentColumns<Space>{m_kind, A, points.graph, is_coarse}, m_num_own);
    m_exchange = RowExchange<Space>(halo, RowExchange<Space>::Direction::forward);
  });
  const Global first = points.nodes->first();
  const auto come =
      m_exchange.pattern(exec, m_sent, ColumnNumbers<Space>(first, m_num_own, points.ghosts));
  Graph strong;
  on_all_processes(processes, [&] {
    m_others = united<Space>(exec, points.ghosts,
                             numbers_of_others<Space>(exec, come.columns, first, m_num_own));
    const auto number_of_others = places_among<Space>(exec, m_others, points.ghosts, m_num_own);
    const auto before = counts_below<Space>(exec, points.ghosts, m_others);
    ColumnNumbers<Space> numbers(first, m_num_own, m_others);
    const auto columns = numbers.add(exec, come.columns);
    const auto above = renumbered_others(exec, A, m_num_own, number_of_others, numbers.size());
    const auto stack = stacked_rows(exec, above, m_num_own, come, columns, numbers.size());
    m_rows = come.num_rows() == 0 ? squared(exec, stack)
                                  : with_empty_rows<Space>(exec, stack, m_num_own, before);
    strong = extended_graph<Space>(exec, m_rows, m_num_own, points.graph, number_of_others);
  });
  return strong;
}

template <class Space>
void ExtendedCouplings<Space>::fill(const Space& exec, const Rows& A) {
  copy_some_values(exec, A, m_sent);
  const auto own = A.num_entries();
  Kokkos::deep_copy(exec, Kokkos::subview(m_rows.values, std::make_pair(std::size_t(0), own)),
                    A.values);
  m_exchange.values(exec, m_sent, values_below(m_rows, own));
  exec.fence("tessera::distributed::ExtendedCouplings");
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ExtendedCouplings)

}  // namespace tessera::distributed
