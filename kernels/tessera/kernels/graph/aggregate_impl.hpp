// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of aggregate_mis2.
#pragma once

#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/mis.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"

namespace tessera::kernels {

/// What `root_of` holds for a node that is in no aggregate yet.
inline constexpr Ordinal no_root = -1;

template <class Space, class Offset>
struct MarkCandidates {
  Graph<Space, Offset> graph;
  Array<const Ordinal, Space> root_of;
  Array<std::int8_t, Space> candidate;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
    candidate(v) = !isolated && root_of(v) == no_root ? 1 : 0;
  }
};

/// Marks the nodes that may become roots: those with a neighbour and without an aggregate.
template <class Space, class Offset>
void mark_candidates(const Space& exec, const Graph<Space, Offset>& graph,
                     const Array<Ordinal, Space>& root_of,
                     const Array<std::int8_t, Space>& candidate) {
  Kokkos::parallel_for("tessera::aggregate::candidates",
                       Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
                       MarkCandidates<Space, Offset>{graph, root_of, candidate});
}

template <class Space, class Offset>
struct DropLonelyRoots {
  Graph<Space, Offset> graph;
  Array<const std::int8_t, Space> candidate;
  int least;
  Array<std::int8_t, Space> roots;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (roots(v) == 0) return;
    int free = 0;
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k)
      free += candidate(graph.columns(k));
    if (free < least) roots(v) = 0;
  }
};

/// Takes from `roots` those with fewer than `least` neighbours among the candidates.
template <class Space, class Offset>
void drop_lonely_roots(const Space& exec, const Graph<Space, Offset>& graph,
                       const Array<std::int8_t, Space>& candidate, int least,
                       const Array<std::int8_t, Space>& roots) {
  Kokkos::parallel_for("tessera::aggregate::drop_roots",
                       Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
                       DropLonelyRoots<Space, Offset>{graph, candidate, least, roots});
}

template <class Space, class Offset>
struct JoinRoots {
  Graph<Space, Offset> graph;
  Array<const std::int8_t, Space> candidate;
  Array<const std::int8_t, Space> roots;
  Array<Ordinal, Space> root_of;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (candidate(v) == 0) return;
    if (roots(v) != 0) root_of(v) = v;
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1) && root_of(v) == no_root; ++k) {
      if (roots(graph.columns(k)) != 0) root_of(v) = graph.columns(k);
    }
  }
};

/// A candidate that is a root, or has one as its neighbour, takes that root; at most one such
/// neighbour exists, as roots are more than two edges apart.
template <class Space, class Offset>
void join_roots(const Space& exec, const Graph<Space, Offset>& graph,
                const Array<std::int8_t, Space>& candidate, const Array<std::int8_t, Space>& roots,
                const Array<Ordinal, Space>& root_of) {
  Kokkos::parallel_for("tessera::aggregate::join_roots",
                       Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
                       JoinRoots<Space, Offset>{graph, candidate, roots, root_of});
}

template <class Space>
struct NumberRoots {
  Array<const Ordinal, Space> root_of;
  Array<Ordinal, Space> number;

  KOKKOS_FUNCTION void operator()(Ordinal v, Ordinal& sum, bool last) const {
    if (last) number(v) = sum;
    if (root_of(v) == v) ++sum;
  }
};

/// `number(root)`: how many roots precede it. Returns the number of roots, for which it waits.
template <class Space>
Ordinal number_roots(const Space& exec, const Array<Ordinal, Space>& root_of,
                     const Array<Ordinal, Space>& number) {
  Ordinal total = 0;
  Kokkos::parallel_scan("tessera::aggregate::number",
                        Kokkos::RangePolicy<Space>(exec, 0, root_of.extent(0)),
                        NumberRoots<Space>{root_of, number}, total);
  exec.fence("tessera::aggregate::number");
  return total;
}

template <class Space>
struct NumberMembers {
  Array<const Ordinal, Space> root_of;
  Array<const Ordinal, Space> number;
  Array<Ordinal, Space> aggregate_of;
  Array<Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const Ordinal root = root_of(v);
    aggregate_of(v) = root == no_root ? no_root : number(root);
    if (root != no_root) Kokkos::atomic_inc(&sizes(number(root)));
  }
};

/// The aggregate of each node that has a root, and the aggregates' sizes.
template <class Space>
void number_members(const Space& exec, const Array<Ordinal, Space>& root_of,
                    const Array<Ordinal, Space>& number, const Array<Ordinal, Space>& aggregate_of,
                    const Array<Ordinal, Space>& sizes) {
  Kokkos::deep_copy(exec, sizes, 0);
  Kokkos::parallel_for("tessera::aggregate::members",
                       Kokkos::RangePolicy<Space>(exec, 0, root_of.extent(0)),
                       NumberMembers<Space>{root_of, number, aggregate_of, sizes});
}

/// The neighbouring aggregate of most edges; of those, the smallest one; of those, the first. Only
/// the 32 lowest-numbered neighbouring aggregates are looked at.
template <class Space, class Offset>
struct JoinNeighbours {
  Graph<Space, Offset> graph;
  Array<const Ordinal, Space> before;
  Array<const Ordinal, Space> sizes;
  Array<Ordinal, Space> after;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (before(v) != no_root) return;
    constexpr int capacity = 32;
    SortedBatch<capacity> batch;
    const Offset begin = graph.offsets(v);
    const Offset end = graph.offsets(v + 1);
    for (Offset k = begin; k < end; ++k)
      batch.insert(before(graph.columns(k)));
    int edges[capacity];
    for (int at = 0; at < batch.size(); ++at)
      edges[at] = 0;
    for (Offset k = begin; k < end; ++k) {
      const int at = batch.find(before(graph.columns(k)));
      if (at >= 0) ++edges[at];
    }
    int best = 0;
    for (int at = 1; at < batch.size(); ++at) {
      const bool smaller = sizes(batch.key(at)) < sizes(batch.key(best));
      if (edges[at] > edges[best] || (edges[at] == edges[best] && smaller)) best = at;
    }
    if (batch.size() > 0) after(v) = batch.key(best);
  }
};

template <class Space, class Offset>
Aggregates<Space> aggregate_mis2(const Space& exec, const Graph<Space, Offset>& graph,
                                 bool two_phase, std::uint32_t seed) {
  const Ordinal n = graph.num_nodes;
  Aggregates<Space> result;
  result.aggregate_of = allocate<Ordinal>(exec, "tessera::aggregate::aggregate_of", n);
  if (n == 0) return result;
  auto root_of = allocate<Ordinal>(exec, "tessera::aggregate::root_of", n);
  auto candidate = allocate<std::int8_t>(exec, "tessera::aggregate::candidate", n);
  Kokkos::deep_copy(exec, root_of, no_root);
  for (int phase = 0; phase < (two_phase ? 2 : 1); ++phase) {
    mark_candidates(exec, graph, root_of, candidate);
    const auto roots = maximal_independent_set(exec, graph, 2, seed + phase, candidate);
    if (phase == 1) drop_lonely_roots(exec, graph, candidate, 2, roots);
    join_roots(exec, graph, candidate, roots, root_of);
  }
  auto number = allocate<Ordinal>(exec, "tessera::aggregate::number", n);
  result.num_aggregates = number_roots(exec, root_of, number);
  auto sizes = allocate<Ordinal>(exec, "tessera::aggregate::sizes", result.num_aggregates);
  number_members(exec, root_of, number, result.aggregate_of, sizes);
  Kokkos::deep_copy(exec, number, result.aggregate_of);
  Kokkos::parallel_for("tessera::aggregate::join_neighbours",
                       Kokkos::RangePolicy<Space>(exec, 0, n),
                       JoinNeighbours<Space, Offset>{graph, number, sizes, result.aggregate_of});
  return result;
}

}  // namespace tessera::kernels
