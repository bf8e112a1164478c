// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pmis.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/detail/node_worklist.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <string>

namespace tessera::kernels {
namespace pmis_detail {

enum State : std::int8_t { fine, coarse, undecided };

/// What the rounds share. A word of weight: 32 bits of count, 32 of hash. The hash is bijective, so
/// that no two weigh the same.
template <class Space, class Offset>
struct Splitting {
  Graph<Space, Offset> strong;
  Array<std::uint64_t, Space> weight;
  Array<std::int8_t, Space> state;
  /// 1 for points that no undecided neighbour outweighs; of decided ones, for those that are
  /// coarse. Whole words, for several threads may write the same 0.
  Array<std::uint32_t, Space> leads;
};

template <class Space, class Offset>
struct FirstState {
  Splitting<Space, Offset> split;
  ArrayView<const std::int8_t, Space> stays;  ///< empty: none
  std::uint32_t seed;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    const std::uint64_t dependents = split.weight(v);
    const bool depends = split.strong.offsets(v) != split.strong.offsets(v + 1);
    const bool is_coarse = stays.extent(0) != 0 && stays(v) != 0;
    const bool decides = !is_coarse && depends && dependents > 0;
    split.weight(v) = dependents << 32 | hash32(static_cast<std::uint32_t>(v), seed);
    split.state(v) = decides ? undecided : (is_coarse ? coarse : fine);
    split.leads(v) = is_coarse ? 1 : 0;
    return decides;
  }
};

template <class Space, class Offset>
struct Lead {
  Splitting<Space, Offset> split;
  KOKKOS_FUNCTION void operator()(Ordinal v) const { split.leads(v) = 1; }
};

/// Each dependence between undecided points is met once, in the row of the one that depends.
template <class Space, class Offset>
struct Outweigh {
  Splitting<Space, Offset> split;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const auto& strong = split.strong;
    for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k) {
      const Ordinal w = strong.columns(k);
      if (split.state(w) != undecided) continue;
      const Ordinal lighter = split.weight(v) > split.weight(w) ? w : v;
      Kokkos::atomic_store(&split.leads(lighter), std::uint32_t(0));
    }
  }
};

/// Kept are the points that stay undecided.
template <class Space, class Offset>
struct DecidePoint {
  Splitting<Space, Offset> split;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    if (split.leads(v) != 0) {
      split.state(v) = coarse;
      return false;
    }
    const auto& strong = split.strong;
    for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k) {
      if (split.leads(strong.columns(k)) == 0) continue;
      split.state(v) = fine;
      return false;
    }
    return true;
  }
};

/// weight(v): how many depend on v.
template <class Space, class Offset>
void count_dependents(const Space& exec, const Splitting<Space, Offset>& split) {
  const auto weight = split.weight;
  const auto columns = split.strong.columns;
  Kokkos::deep_copy(exec, weight, std::uint64_t(0));
  Kokkos::parallel_for(
      "tessera::pmis::count", Kokkos::RangePolicy<Space>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t k) { Kokkos::atomic_inc(&weight(columns(k))); });
}

/// Decides the points of `work`; `counts` is as long as the rounds between two waits.
template <class Space, class Offset>
void run_rounds(const Space& exec, const Splitting<Space, Offset>& split,
                detail::NodeWorklist<Space>& work, const Array<Ordinal, Space>& counts) {
  const auto last = static_cast<Ordinal>(counts.extent(0)) - 1;
  const auto count = [&](Ordinal at) { return ArrayView<Ordinal, Space>(counts.data() + at, 1); };
  while (work.bound > 0) {
    Kokkos::deep_copy(exec, counts, 0);
    for (Ordinal round = 0; round <= last; ++round) {
      detail::visit_all(exec, "tessera::pmis::lead", work, Lead<Space, Offset>{split});
      detail::visit_all(exec, "tessera::pmis::outweigh", work, Outweigh<Space, Offset>{split});
      detail::visit_and_keep(exec, "tessera::pmis::decide", work, count(round),
                             DecidePoint<Space, Offset>{split});
    }
    work.bound = copy_to_host(exec, counts)(last);
    work.length = {};
  }
}

}  // namespace pmis_detail

template <class Space, class Offset>
Array<std::int8_t, Space> pmis(const Space& exec, const Graph<Space, Offset>& strong,
                               const NonDeduced<ArrayView<const std::int8_t, Space>>& stays,
                               std::uint32_t seed) {
  using namespace pmis_detail;
  const Ordinal n = strong.num_nodes;
  require(stays.extent(0) == 0 || stays.extent(0) == static_cast<std::size_t>(n), [&] {
    return "stays has length " + std::to_string(stays.extent(0)) + "; expected " +
           std::to_string(n);
  });
  const Splitting<Space, Offset> split{strong,
                                       allocate<std::uint64_t>(exec, "tessera::pmis::weight", n),
                                       allocate<std::int8_t>(exec, "tessera::pmis::state", n),
                                       allocate<std::uint32_t>(exec, "tessera::pmis::leads", n)};
  if (n == 0) return split.state;
  count_dependents(exec, split);
  // A round more than is needed costs three small launches, a wait as much as several.
  constexpr int rounds_per_wait = is_host_space<Space> ? 1 : 4;
  const auto counts = allocate<Ordinal>(exec, "tessera::pmis::counts", rounds_per_wait);
  const auto first_count = allocate<Ordinal>(exec, "tessera::pmis::counts", 1);
  Kokkos::deep_copy(exec, first_count, 0);
  detail::NodeWorklist<Space> work;
  work.spare = allocate<Ordinal>(exec, "tessera::pmis::undecided", n);
  work.bound = n;
  detail::visit_and_keep(exec, "tessera::pmis::first_state", work,
                         ArrayView<Ordinal, Space>(first_count),
                         FirstState<Space, Offset>{split, stays, seed});
  work.spare = allocate<Ordinal>(exec, "tessera::pmis::undecided", n);
  run_rounds(exec, split, work, counts);
  return split.state;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, pmis)

}  // namespace tessera::kernels
