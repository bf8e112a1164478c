// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/point_splitting.hpp"

#include "tessera/distributed/advancing_front.hpp"
#include "tessera/distributed/number_bits.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
using Global = Partition::Global;

struct PointState {
  static constexpr std::int8_t fine = 0;
  static constexpr std::int8_t coarse = 1;
  static constexpr std::int8_t undecided = 2;
};

/// What the rounds share, of own points and behind them of ghosts.
template <class Space>
struct PointRounds {
  kernels::Graph<Space, Offset> strong;
  Array<Global, Space> number;
  /// How many depend on the point, and 32 bits of hash.
  Array<std::uint64_t, Space> weight;
  Array<std::int8_t, Space> state;
  /// 0 for undecided points that no undecided neighbour outweighs. Whole words: several threads may
  /// write the same one, and processes are added up.
  Array<std::uint32_t, Space> beaten;
  Array<std::int8_t, Space> leads;  ///< 1: coarse from this round on, or before

  /// As kernels::pmis weighs; of equal hashes, which numbers beyond 32 bits may have, by number.
  KOKKOS_FUNCTION bool is_heavier(Ordinal v, Ordinal w) const {
    return weight(v) != weight(w) ? weight(v) > weight(w) : number(v) > number(w);
  }
};

template <class Space>
PointRounds<Space> empty_rounds(const Space& exec, const NodeGraph<Space>& points) {
  const auto here = static_cast<std::size_t>(points.num_here());
  return {points.graph,
          points.number,
          allocate<std::uint64_t>(exec, "tessera::distributed::pmis::weight", here),
          allocate<std::int8_t>(exec, "tessera::distributed::pmis::state", here),
          allocate<std::uint32_t>(exec, "tessera::distributed::pmis::beaten", here),
          allocate<std::int8_t>(exec, "tessera::distributed::pmis::leads", here)};
}

/// How many of this process's points depend on each one here.
template <class Space>
void count_dependents(const Space& exec, Ordinal num_own, const PointRounds<Space>& rounds) {
  const auto weight = rounds.weight;
  const auto strong = rounds.strong;
  Kokkos::deep_copy(exec, weight, std::uint64_t(0));
  Kokkos::parallel_for(
      "tessera::distributed::pmis::count", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k)
          Kokkos::atomic_inc(&weight(strong.columns(k)));
      });
  exec.fence("tessera::distributed::pmis::count");
}

/// Collective.
template <class Space>
PointRounds<Space> rounds_of(const Space& exec, const NodeGraph<Space>& points) {
  PointRounds<Space> rounds;
  on_all_processes(*points.processes, [&] {
    rounds = empty_rounds(exec, points);
    count_dependents(exec, points.num_own(), rounds);
  });
  points.halo.add_back(exec, rounds.weight);
  return rounds;
}

/// The weights and first states of own points; returns how many are undecided.
template <class Space>
std::int64_t initialise_points(const Space& exec, Ordinal num_own,
                               const Array<std::int8_t, Space>& stays,
                               const PointRounds<Space>& rounds) {
  std::int64_t left = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::pmis::initialise", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& undecided) {
        const std::uint64_t dependents = rounds.weight(v);
        const bool depends = rounds.strong.offsets(v) < rounds.strong.offsets(v + 1);
        rounds.weight(v) = dependents << 32 | kernels::hash32(number_bits(rounds.number(v)), 0U);
        rounds.state(v) = PointState::fine;
        if (stays(v) != 0) {
          rounds.state(v) = PointState::coarse;
        } else if (depends && dependents > 0) {
          rounds.state(v) = PointState::undecided;
          ++undecided;
        }
      },
      left);
  exec.fence("tessera::distributed::pmis::initialise");
  return left;
}

/// Marks the lighter one of each dependence between undecided points, which is met in the row of
/// the one that depends.
template <class Space>
void outweigh(const Space& exec, Ordinal num_own, const PointRounds<Space>& rounds) {
  Kokkos::deep_copy(exec, rounds.beaten, std::uint32_t(0));
  const auto strong = rounds.strong;
  Kokkos::parallel_for(
      "tessera::distributed::pmis::outweigh", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (rounds.state(v) != PointState::undecided) return;
        for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k) {
          const Ordinal w = strong.columns(k);
          if (rounds.state(w) != PointState::undecided) continue;
          Kokkos::atomic_store(&rounds.beaten(rounds.is_heavier(v, w) ? w : v), std::uint32_t(1));
        }
      });
  exec.fence("tessera::distributed::pmis::outweigh");
}

/// Own points that lead become coarse, and those that depend on such a one fine; returns how many
/// stay undecided.
template <class Space>
std::int64_t decide_points(const Space& exec, Ordinal num_own, const PointRounds<Space>& rounds) {
  Kokkos::parallel_for(
      "tessera::distributed::pmis::lead",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rounds.state.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) {
        const bool is_next = rounds.state(v) == PointState::undecided && rounds.beaten(v) == 0;
        rounds.leads(v) = is_next || rounds.state(v) == PointState::coarse ? 1 : 0;
      });
  const auto strong = rounds.strong;
  std::int64_t left = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::pmis::decide", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& undecided) {
        if (rounds.state(v) != PointState::undecided) return;
        if (rounds.leads(v) != 0) {
          rounds.state(v) = PointState::coarse;
          return;
        }
        for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k) {
          if (rounds.leads(strong.columns(k)) == 0) continue;
          rounds.state(v) = PointState::fine;
          return;
        }
        ++undecided;
      },
      left);
  exec.fence("tessera::distributed::pmis::decide");
  return left;
}

template <class Space>
Array<std::int8_t, Space> pmis(const Space& exec, const NodeGraph<Space>& points,
                               const Array<std::int8_t, Space>& stays) {
  const Communicator& processes = *points.processes;
  const Ordinal own = points.num_own();
  const PointRounds<Space> rounds = rounds_of(exec, points);
  std::int64_t left = processes.sum_of(initialise_points(exec, own, stays, rounds));
  points.halo.fill(exec, rounds.weight);
  points.halo.fill(exec, rounds.state);
  while (left > 0) {
    outweigh(exec, own, rounds);
    points.halo.add_back(exec, rounds.beaten);
    points.halo.fill(exec, rounds.beaten);
    left = processes.sum_of(decide_points(exec, own, rounds));
    points.halo.fill(exec, rounds.state);
  }
  return rounds.state;
}

}  // namespace

template <class Space>
Array<std::int8_t, Space> split_points(const Space& exec, const NodeGraph<Space>& points,
                                       const Array<std::int8_t, Space>& stays,
                                       amg::PointSplitting how) {
  return how == amg::PointSplitting::pmis ? pmis(exec, points, stays)
                                          : advancing_front(exec, points, stays);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, split_points)

}  // namespace tessera::distributed
