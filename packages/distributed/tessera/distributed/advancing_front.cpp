// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/advancing_front.hpp"

#include "tessera/distributed/number_bits.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/front_rules.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
using Global = Partition::Global;

struct FrontState {
  static constexpr std::int8_t decided = 0;
  static constexpr std::int8_t free = 1;  ///< it depends on no coarse point
  static constexpr std::int8_t reached = 2;  ///< in the first round, by a point that stays coarse
};

/// Two counts in a word, which threads and processes may add to at once.
struct TwoCounts {
  static constexpr std::uint64_t first = 1;
  static constexpr std::uint64_t second = std::uint64_t(1) << 32;

  KOKKOS_FUNCTION static std::uint32_t of_first(std::uint64_t word) {
    return static_cast<std::uint32_t>(word);
  }
  KOKKOS_FUNCTION static std::uint32_t of_second(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> 32);
  }
};

/// What all see of a point in a round: two bits and its measure; 0 of one that is not free.
struct SeenPoint {
  KOKKOS_FUNCTION static std::uint64_t pack(std::int32_t measure, bool is_candidate) {
    const auto clamped = static_cast<std::uint64_t>(Kokkos::max(measure, 0));
    return clamped << 2 | (is_candidate ? 2U : 0U) | 1U;
  }
  KOKKOS_FUNCTION static bool is_candidate(std::uint64_t word) { return (word & 2U) != 0; }
  KOKKOS_FUNCTION static kernels::FrontPoint unpack(std::uint64_t word, Global number) {
    return {number, kernels::front_hash(number_bits(number), 0),
            static_cast<std::int32_t>(word >> 2), is_candidate(word)};
  }
};

/// What the rounds share, of own points or, behind them, of ghosts as well.
template <class Space>
struct Fronts {
  kernels::Graph<Space, Offset> strong;
  Array<Global, Space> number;  ///< here
  Array<std::int32_t, Space> measure;  ///< own
  Array<std::int8_t, Space> state;  ///< own, by FrontState
  Array<std::int8_t, Space> candidate;  ///< own; seeds need not be marked
  Array<std::int8_t, Space> is_coarse;  ///< here
  Array<std::uint64_t, Space> seen;  ///< here, by SeenPoint
  /// Here, what rows mean for the points that they name: TwoCounts, 0 again once own points have
  /// read theirs.
  Array<std::uint64_t, Space> told;

  /// Whether own point v depends on a coarse one.
  KOKKOS_FUNCTION bool is_reached(Ordinal v) const {
    for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k)
      if (is_coarse(strong.columns(k)) != 0) return true;
    return false;
  }
  KOKKOS_FUNCTION void tell_all(Ordinal v, std::uint64_t count) const {
    for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k)
      Kokkos::atomic_add(&told(strong.columns(k)), count);
  }
};

/// Waits for `exec`.
template <class Space>
Fronts<Space> fronts_of(const Space& exec, const NodeGraph<Space>& points) {
  const auto here = static_cast<std::size_t>(points.num_here());
  const auto own = static_cast<std::size_t>(points.num_own());
  const Fronts<Space> fronts{
      points.graph,
      points.number,
      allocate<std::int32_t>(exec, "tessera::distributed::fronts::measure", own),
      allocate<std::int8_t>(exec, "tessera::distributed::fronts::state", own),
      allocate<std::int8_t>(exec, "tessera::distributed::fronts::candidate", own),
      allocate<std::int8_t>(exec, "tessera::distributed::fronts::is_coarse", here),
      allocate<std::uint64_t>(exec, "tessera::distributed::fronts::seen", here),
      allocate<std::uint64_t>(exec, "tessera::distributed::fronts::told", here)};
  Kokkos::deep_copy(exec, fronts.candidate, std::int8_t(0));
  Kokkos::deep_copy(exec, fronts.seen, std::uint64_t(0));
  Kokkos::deep_copy(exec, fronts.told, std::uint64_t(0));
  exec.fence("tessera::distributed::fronts");
  return fronts;
}

/// Owners get what others tell their points.
template <class Space>
void tell_owners(const Space& exec, const NodeGraph<Space>& points, const Fronts<Space>& fronts) {
  points.halo.add_back(exec, fronts.told);
  const auto ghosts = std::make_pair(points.num_own(), points.num_here());
  Kokkos::deep_copy(exec, Kokkos::subview(fronts.told, ghosts), std::uint64_t(0));
}

template <class Space>
void count_dependents(const Space& exec, Ordinal num_own, const Fronts<Space>& fronts) {
  Kokkos::parallel_for(
      "tessera::distributed::fronts::count", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) { fronts.tell_all(v, TwoCounts::first); });
  exec.fence("tessera::distributed::fronts::count");
}

/// With what each process's rows tell of dependents. Collective.
template <class Space>
Fronts<Space> counted_fronts(const Space& exec, const NodeGraph<Space>& points) {
  Fronts<Space> fronts;
  on_all_processes(*points.processes, [&] {
    fronts = fronts_of(exec, points);
    count_dependents(exec, points.num_own(), fronts);
  });
  tell_owners(exec, points, fronts);
  return fronts;
}

/// First states and measures; returns how many own points are undecided.
template <class Space>
std::int64_t first_states(const Space& exec, Ordinal num_own,
                          const Array<std::int8_t, Space>& stays, const Fronts<Space>& fronts) {
  std::int64_t left = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::fronts::first_states", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& undecided) {
        const std::uint32_t dependents = TwoCounts::of_first(fronts.told(v));
        const bool depends = fronts.strong.offsets(v) < fronts.strong.offsets(v + 1);
        const bool decides = stays(v) == 0 && depends && dependents > 0;
        fronts.told(v) = 0;
        fronts.measure(v) = static_cast<std::int32_t>(dependents);
        fronts.is_coarse(v) = stays(v) != 0 ? 1 : 0;
        fronts.state(v) = decides ? FrontState::free : FrontState::decided;
        undecided += decides ? 1 : 0;
      },
      left);
  exec.fence("tessera::distributed::fronts::first_states");
  return left;
}

/// Undecided own points that depend on one that stays.
template <class Space>
void reach_from_those_that_stay(const Space& exec, Ordinal num_own, const Fronts<Space>& fronts) {
  Kokkos::parallel_for(
      "tessera::distributed::fronts::reach", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (fronts.state(v) == FrontState::free && fronts.is_reached(v))
          fronts.state(v) = FrontState::reached;
      });
}

/// Own points count who has become fine and coarse of those that depend on them, and show
/// themselves. `bound`: of seeds' hashes.
template <class Space>
void show(const Space& exec, Ordinal num_own, std::uint32_t bound, const Fronts<Space>& fronts) {
  Kokkos::parallel_for(
      "tessera::distributed::fronts::show", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (fronts.state(v) != FrontState::free) return;
        const std::uint32_t fine = TwoCounts::of_first(fronts.told(v));
        const std::uint32_t coarse = TwoCounts::of_second(fronts.told(v));
        fronts.told(v) = 0;
        fronts.measure(v) += static_cast<std::int32_t>(fine) - static_cast<std::int32_t>(coarse);
        if (fine > 0) fronts.candidate(v) = 1;
        const bool is_candidate = fronts.candidate(v) != 0 ||
                                  kernels::is_front_seed(number_bits(fronts.number(v)), 0, bound);
        fronts.seen(v) = SeenPoint::pack(fronts.measure(v), is_candidate);
      });
}

/// Of each dependence between free points, which is met in the row of the one that depends, the
/// lighter candidate is outweighed (the first count), and what outweighs it without being one is
/// called (the second).
template <class Space>
void weigh(const Space& exec, Ordinal num_own, const Fronts<Space>& fronts) {
  const auto strong = fronts.strong;
  const auto told = fronts.told;
  Kokkos::parallel_for(
      "tessera::distributed::fronts::weigh", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (fronts.seen(v) == 0) return;
        const auto own = SeenPoint::unpack(fronts.seen(v), fronts.number(v));
        for (Offset k = strong.offsets(v); k < strong.offsets(v + 1); ++k) {
          const Ordinal w = strong.columns(k);
          if (fronts.seen(w) == 0) continue;
          const auto other = SeenPoint::unpack(fronts.seen(w), fronts.number(w));
          if (own.is_candidate && kernels::outweighs(other, own)) {
            Kokkos::atomic_add(&told(v), TwoCounts::first);
            if (!other.is_candidate) Kokkos::atomic_add(&told(w), TwoCounts::second);
          } else if (other.is_candidate && kernels::outweighs(own, other)) {
            Kokkos::atomic_add(&told(w), TwoCounts::first);
            if (!own.is_candidate) Kokkos::atomic_add(&told(v), TwoCounts::second);
          }
        }
      });
  exec.fence("tessera::distributed::fronts::weigh");
}

/// Own candidates that nothing outweighs become coarse, and those that were called candidates.
template <class Space>
void choose_coarse(const Space& exec, Ordinal num_own, const Fronts<Space>& fronts) {
  Kokkos::parallel_for(
      "tessera::distributed::fronts::choose", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (fronts.seen(v) == 0) return;
        const std::uint64_t told = fronts.told(v);
        fronts.told(v) = 0;
        if (SeenPoint::is_candidate(fronts.seen(v)) && TwoCounts::of_first(told) == 0)
          fronts.is_coarse(v) = 1;
        if (TwoCounts::of_second(told) > 0) fronts.candidate(v) = 1;
      });
}

/// Own points that are coarse now, and those that depend on such a one, tell those that they depend
/// on: fine ones are the first count, coarse ones the second. Returns how many stay undecided.
template <class Space>
std::int64_t decide_points_of_fronts(const Space& exec, Ordinal num_own,
                                     const Fronts<Space>& fronts) {
  std::int64_t left = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::fronts::decide", Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& undecided) {
        if (fronts.state(v) == FrontState::decided) return;
        const bool is_coarse = fronts.is_coarse(v) != 0;
        if (!is_coarse && !fronts.is_reached(v)) {
          ++undecided;
          return;
        }
        fronts.state(v) = FrontState::decided;
        fronts.seen(v) = 0;
        fronts.tell_all(v, is_coarse ? TwoCounts::second : TwoCounts::first);
      },
      left);
  exec.fence("tessera::distributed::fronts::decide");
  return left;
}

}  // namespace

template <class Space>
Array<std::int8_t, Space> advancing_front(const Space& exec, const NodeGraph<Space>& points,
                                          const Array<std::int8_t, Space>& stays) {
  const Communicator& processes = *points.processes;
  const Ordinal own = points.num_own();
  const Fronts<Space> fronts = counted_fronts(exec, points);
  std::int64_t left = processes.sum_of(first_states(exec, own, stays, fronts));
  points.halo.fill(exec, fronts.is_coarse);
  reach_from_those_that_stay(exec, own, fronts);
  const kernels::SeedShare share(points.nodes->size());
  for (std::uint32_t round = 1; left > 0; ++round) {
    show(exec, own, share.bound(round), fronts);
    points.halo.fill(exec, fronts.seen);
    weigh(exec, own, fronts);
    tell_owners(exec, points, fronts);
    choose_coarse(exec, own, fronts);
    points.halo.fill(exec, fronts.is_coarse);
    left = processes.sum_of(decide_points_of_fronts(exec, own, fronts));
    if (left > 0) tell_owners(exec, points, fronts);
  }
  return fronts.is_coarse;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, advancing_front)

}  // namespace tessera::distributed
