// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pmis.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/detail/node_worklist.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <string>

namespace tessera::kernels {
namespace pmis_detail {

/// What the rounds share. Who leads is in two arrays that change places after each round: while
/// points are decided by one, the other is made ready, which takes no launch of its own. A decided
/// point has no weight, so that one look at a neighbour says whether it still counts and how much
/// it weighs.
template <class Space, class Offset>
struct Splitting {
  Graph<Space, Offset> strong;
  /// A word: 32 bits of count, 32 of hash; 0 for decided points. The hash is bijective, so that no
  /// two undecided ones weigh the same.
  Array<std::uint64_t, Space> weight;
  Array<std::int8_t, Space> is_coarse;
  /// 1 for points that no undecided neighbour outweighs; of decided ones, for those that are
  /// coarse. Whole words, for several threads may write the same 0.
  Array<std::uint32_t, Space> leads;
  Array<std::uint32_t, Space> leads_next;
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
    split.weight(v) =
        decides ? dependents << 32 | hash32(static_cast<std::uint32_t>(v), seed) : std::uint64_t(0);
    split.is_coarse(v) = is_coarse ? 1 : 0;
    split.leads(v) = is_coarse || decides ? 1 : 0;
    split.leads_next(v) = is_coarse ? 1 : 0;
    return decides;
  }
};

/// Each dependence between undecided points is met once, in the row of the one that depends. By one
/// thread or by several lanes, which do not wait for one another.
template <class Space, class Offset>
struct Outweigh {
  Splitting<Space, Offset> split;
  detail::NodeWorklist<Space> work;

  KOKKOS_FUNCTION void operator()(Ordinal at) const { outweigh(at, 0, 1); }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal at) const {
    if (at >= 0) outweigh(at, group.lane(), group.size());
  }

 private:
  KOKKOS_INLINE_FUNCTION void outweigh(Ordinal at, int lane, int lanes) const {
    if (work.length.extent(0) != 0 && at >= work.length(0)) return;
    const Ordinal v = work.list(at);
    const auto& strong = split.strong;
    const std::uint64_t mine = split.weight(v);
    const Offset end = strong.offsets(v + 1);
    for (Offset k = strong.offsets(v) + lane; k < end; k += lanes) {
      const Ordinal w = strong.columns(k);
      const std::uint64_t other = split.weight(w);
      if (other != 0) Kokkos::atomic_store(&split.leads(mine > other ? w : v), std::uint32_t(0));
    }
  }
};

/// Kept are the points that stay undecided, which lead again until they are outweighed again.
template <class Space, class Offset>
struct DecidePoint {
  /// Neighbours that are looked at together: what is waited for is the memory.
  static constexpr int at_once = is_host_space<Space> ? 1 : 4;

  Splitting<Space, Offset> split;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    const bool is_coarse = split.leads(v) != 0;
    const bool is_fine = !is_coarse && depends_on_leader(v);
    split.leads_next(v) = is_fine ? 0 : 1;
    if (is_coarse) split.is_coarse(v) = 1;
    if (is_coarse || is_fine) split.weight(v) = 0;
    return !is_coarse && !is_fine;
  }

 private:
  KOKKOS_INLINE_FUNCTION bool depends_on_leader(Ordinal v) const {
    const auto& strong = split.strong;
    const Offset end = strong.offsets(v + 1);
    for (Offset k = strong.offsets(v); k < end; k += at_once) {
      std::uint32_t any = 0;
      for (int q = 0; q < at_once; ++q)
        any |= split.leads(strong.columns(k + q < end ? k + q : k));
      if (any != 0) return true;
    }
    return false;
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

/// Lanes that share the strong couplings of a point on a device; 0: each point has a thread.
template <class Space, class Offset>
int lanes_for_couplings(const Graph<Space, Offset>& strong) {
  const double mean = static_cast<double>(strong.columns.extent(0)) / strong.num_nodes;
  if (is_host_space<Space> || mean < rules::min_entries_for_lanes) return 0;
  int lanes = 4;
  while (lanes < 32 && 2 * lanes < mean)
    lanes *= 2;
  return lanes;
}

/// Decides the points of `work` in two launches per round. A round more than is needed costs two
/// small ones, a wait as much as several. How many points each round leaves has a place of its own
/// in `counts`, all 0, of which `used` are taken: as a rule these are all that is needed.
template <class Space, class Offset>
void run_rounds(const Space& exec, Splitting<Space, Offset> split,
                detail::NodeWorklist<Space>& work, const Array<Ordinal, Space>& counts, int used,
                int lanes) {
  constexpr int rounds_per_wait = is_host_space<Space> ? 1 : 4;
  const auto num_counts = static_cast<int>(counts.extent(0));
  const auto count = [&](int at) { return ArrayView<Ordinal, Space>(counts.data() + at, 1); };
  while (work.bound > 0) {
    if (used + rounds_per_wait > num_counts) {
      Kokkos::deep_copy(exec, counts, 0);
      used = 0;
    }
    for (int round = 0; round < rounds_per_wait; ++round) {
      for_each_row(exec, "tessera::pmis::outweigh", work.bound, lanes,
                   Outweigh<Space, Offset>{split, work});
      detail::visit_and_keep(exec, "tessera::pmis::decide", work, count(used++),
                             DecidePoint<Space, Offset>{split});
      std::swap(split.leads, split.leads_next);
    }
    work.bound = copy_to_host(exec, count(used - 1))(0);
    work.length = {};
  }
}

}  // namespace pmis_detail

template <class Space, class Offset>
Array<std::int8_t, Space> pmis(const Space& exec, const Graph<Space, Offset>& strong,
                               const NonDeduced<ArrayView<const std::int8_t, Space>>& stays,
                               std::uint32_t seed, std::optional<int> lanes) {
  using namespace pmis_detail;
  const Ordinal n = strong.num_nodes;
  require(stays.extent(0) == 0 || stays.extent(0) == static_cast<std::size_t>(n), [&] {
    return "stays has length " + std::to_string(stays.extent(0)) + "; expected " +
           std::to_string(n);
  });
  const Splitting<Space, Offset> split{strong,
                                       allocate<std::uint64_t>(exec, "tessera::pmis::weight", n),
                                       allocate<std::int8_t>(exec, "tessera::pmis::state", n),
                                       allocate<std::uint32_t>(exec, "tessera::pmis::leads", n),
                                       allocate<std::uint32_t>(exec, "tessera::pmis::leads", n)};
  if (n == 0) return split.is_coarse;
  count_dependents(exec, split);
  constexpr int num_counts = 33;
  const auto counts = allocate<Ordinal>(exec, "tessera::pmis::counts", num_counts);
  Kokkos::deep_copy(exec, counts, 0);
  detail::NodeWorklist<Space> work;
  work.spare = allocate<Ordinal>(exec, "tessera::pmis::undecided", n);
  work.bound = n;
  detail::visit_and_keep(exec, "tessera::pmis::first_state", work,
                         ArrayView<Ordinal, Space>(counts.data(), 1),
                         FirstState<Space, Offset>{split, stays, seed});
  work.spare = allocate<Ordinal>(exec, "tessera::pmis::undecided", n);
  run_rounds(exec, split, work, counts, 1, lanes.value_or(lanes_for_couplings(strong)));
  return split.is_coarse;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, pmis)

}  // namespace tessera::kernels
