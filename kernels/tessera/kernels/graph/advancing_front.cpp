// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/advancing_front.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/detail/node_worklist.hpp"
#include "tessera/kernels/graph/front_rules.hpp"

#include <string>

namespace tessera::kernels {
namespace front_detail {

enum State : std::int8_t { fine, coarse, undecided };

/// What the rounds share. Whole words for flags: several threads may write the same one.
template <class Space, class Offset>
struct Splitting {
  Graph<Space, Offset> strong;
  Graph<Space, Offset> dependents;  ///< the transpose of `strong`, rows in any order
  std::uint32_t seed;
  Array<std::int32_t, Space> measure;
  Array<std::int8_t, Space> state;
  Array<std::uint32_t, Space> candidate;  ///< the round from which it is one, seed or not; 0: none
  Array<std::uint32_t, Space> reached;  ///< 1: it depends on a coarse point
  Array<std::uint32_t, Space> beaten;  ///< the last round in which another outweighed it
};

/// Seeds have a hash of up to `bound`.
template <class Space, class Offset>
struct Round {
  Splitting<Space, Offset> split;
  std::uint32_t number;  ///< from 1
  std::uint32_t bound;

  KOKKOS_FUNCTION bool is_reached(Ordinal v) const {
    return Kokkos::atomic_load(&split.reached(v)) != 0;
  }
  KOKKOS_FUNCTION bool is_candidate(Ordinal v) const {
    const std::uint32_t since = Kokkos::atomic_load(&split.candidate(v));
    return (since != 0 && since <= number) ||
           is_front_seed(static_cast<std::uint32_t>(v), split.seed, bound);
  }
  KOKKOS_FUNCTION FrontPoint point(Ordinal v) const {
    return {v, front_hash(static_cast<std::uint32_t>(v), split.seed),
            Kokkos::max(split.measure(v), 0), is_candidate(v)};
  }
};

template <class Space, class Offset>
struct FirstState {
  Splitting<Space, Offset> split;
  ArrayView<const std::int8_t, Space> stays;  ///< empty: none

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    const auto& dependents = split.dependents;
    const Offset begin = dependents.offsets(v);
    const Offset end = dependents.offsets(v + 1);
    const bool is_coarse = stays.extent(0) != 0 && stays(v) != 0;
    const bool depends = split.strong.offsets(v) != split.strong.offsets(v + 1);
    const bool decides = !is_coarse && depends && begin < end;
    split.measure(v) = static_cast<std::int32_t>(end - begin);
    split.state(v) = decides ? undecided : (is_coarse ? coarse : fine);
    for (Offset k = begin; k < (is_coarse ? end : begin); ++k)
      Kokkos::atomic_store(&split.reached(dependents.columns(k)), std::uint32_t(1));
    return decides;
  }
};

/// Finds which candidates are outweighed. A neighbour of larger measure that is no candidate
/// outweighs, too, and is one from the next round on.
template <class Space, class Offset>
struct Outweigh {
  Round<Space, Offset> round;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const auto& split = round.split;
    if (round.is_reached(v) || !round.is_candidate(v)) return;
    const bool below = is_below(split.strong, v);
    if (is_below(split.dependents, v) || below) split.beaten(v) = round.number;
  }

  KOKKOS_FUNCTION bool is_below(const Graph<Space, Offset>& graph, Ordinal v) const {
    const auto& split = round.split;
    const FrontPoint own = round.point(v);
    bool below = false;
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k) {
      const Ordinal w = graph.columns(k);
      if (split.state(w) != undecided || round.is_reached(w)) continue;
      const FrontPoint other = round.point(w);
      if (!outweighs(other, own)) continue;
      if (!other.is_candidate) Kokkos::atomic_store(&split.candidate(w), round.number + 1);
      below = true;
    }
    return below;
  }
};

/// A candidate that another's choice reaches meanwhile was outweighed by that.
template <class Space, class Offset>
struct MarkCoarse {
  Round<Space, Offset> round;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const auto& split = round.split;
    if (split.beaten(v) == round.number || round.is_reached(v) || !round.is_candidate(v)) return;
    split.state(v) = coarse;
    for (Offset k = split.dependents.offsets(v); k < split.dependents.offsets(v + 1); ++k)
      Kokkos::atomic_store(&split.reached(split.dependents.columns(k)), std::uint32_t(1));
  }
};

/// Kept are the points that stay undecided; of others, those that they depend on learn.
template <class Space, class Offset>
struct DecidePoint {
  Round<Space, Offset> round;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    const auto& split = round.split;
    const bool is_coarse = split.state(v) == coarse;
    if (!is_coarse && split.reached(v) == 0) return true;
    if (!is_coarse) split.state(v) = fine;
    for (Offset k = split.strong.offsets(v); k < split.strong.offsets(v + 1); ++k) {
      const Ordinal w = split.strong.columns(k);
      Kokkos::atomic_add(&split.measure(w), is_coarse ? -1 : 1);
      if (!is_coarse) Kokkos::atomic_store(&split.candidate(w), round.number + 1);
    }
    return false;
  }
};

template <class Space, class Offset>
Graph<Space, Offset> transposed(const Space& exec, const Graph<Space, Offset>& graph) {
  const Ordinal n = graph.num_nodes;
  const auto offsets = allocate<Offset>(exec, "tessera::advancing_front::offsets", n + 1ul);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  const auto columns = graph.columns;
  Kokkos::parallel_for(
      "tessera::advancing_front::count", Kokkos::RangePolicy<Space>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t k) { Kokkos::atomic_inc(&offsets(columns(k))); });
  counts_to_offsets_async<Offset, Space>(exec, offsets);
  const auto next = allocate<Offset>(exec, "tessera::advancing_front::next", n + 1ul);
  Kokkos::deep_copy(exec, next, offsets);
  const auto rows =
      allocate<Ordinal>(exec, "tessera::advancing_front::dependents", columns.extent(0));
  Kokkos::parallel_for(
      "tessera::advancing_front::transpose", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        for (Offset k = graph.offsets(i); k < graph.offsets(i + 1); ++k)
          rows(Kokkos::atomic_fetch_add(&next(columns(k)), Offset(1))) = i;
      });
  return {n, offsets, rows};
}

/// Decides the points of `work`; `counts` is as long as the rounds between two waits.
template <class Space, class Offset>
void run_rounds(const Space& exec, const Splitting<Space, Offset>& split,
                detail::NodeWorklist<Space>& work, const Array<Ordinal, Space>& counts) {
  const SeedShare share(split.strong.num_nodes);
  const auto last = static_cast<Ordinal>(counts.extent(0)) - 1;
  const auto count = [&](Ordinal at) { return ArrayView<Ordinal, Space>(counts.data() + at, 1); };
  for (std::uint32_t number = 1; work.bound > 0;) {
    Kokkos::deep_copy(exec, counts, 0);
    for (Ordinal at = 0; at <= last; ++at, ++number) {
      const Round<Space, Offset> round{split, number, share.bound(number)};
      detail::visit_all(exec, "tessera::advancing_front::outweigh", work,
                        Outweigh<Space, Offset>{round});
      detail::visit_all(exec, "tessera::advancing_front::mark", work,
                        MarkCoarse<Space, Offset>{round});
      detail::visit_and_keep(exec, "tessera::advancing_front::decide", work, count(at),
                             DecidePoint<Space, Offset>{round});
    }
    work.bound = copy_to_host(exec, counts)(last);
    work.length = {};
  }
}

template <class Entry, class Space>
Array<Entry, Space> zeros(const Space& exec, const char* label, Ordinal n) {
  const auto result = allocate<Entry>(exec, label, n);
  Kokkos::deep_copy(exec, result, Entry(0));
  return result;
}

}  // namespace front_detail

template <class Space, class Offset>
Array<std::int8_t, Space> advancing_front(
    const Space& exec, const Graph<Space, Offset>& strong,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& stays, std::uint32_t seed) {
  using namespace front_detail;
  const Ordinal n = strong.num_nodes;
  require(stays.extent(0) == 0 || stays.extent(0) == static_cast<std::size_t>(n), [&] {
    return "stays has length " + std::to_string(stays.extent(0)) + "; expected " +
           std::to_string(n);
  });
  const auto state = allocate<std::int8_t>(exec, "tessera::advancing_front::state", n);
  if (n == 0) return state;
  const Splitting<Space, Offset> split{
      strong,
      transposed(exec, strong),
      seed,
      allocate<std::int32_t>(exec, "tessera::advancing_front::measure", n),
      state,
      zeros<std::uint32_t>(exec, "tessera::advancing_front::candidate", n),
      zeros<std::uint32_t>(exec, "tessera::advancing_front::reached", n),
      zeros<std::uint32_t>(exec, "tessera::advancing_front::beaten", n)};
  // A round more than is needed costs three small launches, a wait as much as several.
  constexpr Ordinal rounds_per_wait = is_host_space<Space> ? 1 : 8;
  const auto counts = allocate<Ordinal>(exec, "tessera::advancing_front::counts", rounds_per_wait);
  const auto first_count = zeros<Ordinal>(exec, "tessera::advancing_front::counts", 1);
  detail::NodeWorklist<Space> work;
  work.spare = allocate<Ordinal>(exec, "tessera::advancing_front::undecided", n);
  work.bound = n;
  detail::visit_and_keep(exec, "tessera::advancing_front::first_state", work,
                         ArrayView<Ordinal, Space>(first_count),
                         FirstState<Space, Offset>{split, stays});
  work.spare = allocate<Ordinal>(exec, "tessera::advancing_front::undecided", n);
  run_rounds(exec, split, work, counts);
  return state;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, advancing_front)

}  // namespace tessera::kernels
