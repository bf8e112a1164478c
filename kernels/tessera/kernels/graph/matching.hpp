// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rounds of proposals: the matching of pairwise aggregation, on one process and on several.
#pragma once

#include "tessera/kernels/graph/aggregate_impl.hpp"
#include "tessera/kernels/graph/couplings.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/pairwise.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

#include <algorithm>
#include <utility>

namespace tessera::kernels::pairwise_detail {

/// What couplings are compared by: bits of a positive double, which order as the numbers do, after
/// rounding to the nearest number that has no others.
struct ComparedBits {
  std::uint64_t half = 0;  ///< of the last bit that counts
  std::uint64_t kept = ~std::uint64_t(0);

  KOKKOS_FUNCTION std::uint64_t rank(double coupling) const {
    return (tessera::detail::bit_cast<std::uint64_t>(coupling) + half) & kept;
  }
  KOKKOS_FUNCTION double rounded(double coupling) const {
    return tessera::detail::bit_cast<double>(rank(coupling));
  }
};

/// All bits, or 24 of a number where the rest is rounding.
inline ComparedBits bits_of_couplings(bool rounded) {
  constexpr int dropped = 29;  // of the 52 that are stored; a leading one is not
  if (!rounded) return {};
  return {std::uint64_t(1) << (dropped - 1), ~std::uint64_t(0) << dropped};
}

/// Their powers of 2 alone.
inline ComparedBits exponents_of_couplings(bool rounded) {
  return {bits_of_couplings(rounded).half, ~std::uint64_t(0) << 52};
}

/// The part of a node's strongest coupling that rounding alone may leave of a sum that cancels.
inline constexpr double share_of_rounding = 1e-10;
/// The same where all of a node's couplings are such sums, as a part of diagonals.
inline constexpr double coupling_by_rounding = 1e-13;

/// Nodes of one process, which has them all.
template <class Space>
struct AllNodes {
  using Number = Ordinal;

  KOKKOS_FUNCTION Number number(Ordinal v) const { return v; }
  KOKKOS_FUNCTION Ordinal place(Number number) const { return number; }
};

/// Nobody else has nodes. What stands for it over several processes has the same members:
/// `numbers`, what gives nodes that are others' what these have of them, sums of all processes, and
/// work by itself that fails on all where it does on one.
template <class Space>
struct NoOtherNodes {
  using Numbers = AllNodes<Space>;
  Numbers numbers = {};

  void fill(const Space& /*exec*/, const Array<Ordinal, Space>& /*by_node*/) const {}
  std::int64_t sum(std::int64_t own) const { return own; }
  template <class Work>
  void on_all(const Work& work) const {
    work();
  }
};

/// The neighbour of the strongest coupling so far. The order is one of edges, not of neighbours: of
/// the edges among nodes that are left, the first is the choice of both its ends, so that every
/// round makes progress.
template <class Number>
struct Strongest {
  Ordinal node = -1;  ///< its place
  Number number = -1;
  double coupling = 0;
  std::uint64_t rank = 0;
  std::uint32_t hash = 0;

  /// `met` >= 0: the coupling of node number `v` and the one at `place`, number `neighbour`.
  KOKKOS_FUNCTION void meet(Number v, Ordinal place, Number neighbour, double met,
                            const ComparedBits& compared, std::uint32_t seed) {
    const std::uint64_t met_rank = compared.rank(met);
    if (met_rank < rank) return;
    const auto low = static_cast<std::uint32_t>(Kokkos::min(v, neighbour));
    const auto high = static_cast<std::uint32_t>(Kokkos::max(v, neighbour));
    const std::uint32_t drawn = hash32(high, hash32(low, seed));
    const bool same = node >= 0 && met_rank == rank;
    // Edges of v with the same hash are in the order of their other ends, as pairs (low, high) are.
    if (same && (drawn < hash || (drawn == hash && neighbour < number))) return;
    *this = {place, neighbour, met, met_rank, drawn};
  }
};

/// What a node without an aggregate does in a round: the number of the node that it proposes to, or
/// one of these.
template <class Number>
struct Choice {
  static constexpr Number none = -1;  ///< it has no couplings

  KOKKOS_FUNCTION static Number join(Number root) { return -2 - root; }
  KOKKOS_FUNCTION static bool joins(Number choice) { return choice < none; }
  KOKKOS_FUNCTION static Number root(Number choice) { return -2 - choice; }
};

/// Lines 7 to 18. Reads roots as they were before the round, whatever order threads run in.
template <class Space, class Offset, class Numbers>
struct Choose {
  using Number = typename Numbers::Number;

  CsrView<double, Space, Offset> weights;
  Array<const double, Space> scale;
  Array<const Number, Space> root_of;
  Array<const Ordinal, Space> pending;
  Array<Number, Space> choice;
  Numbers numbers;
  PairwiseOptions options;
  double weak_share;
  double least;  ///< a coupling up to it is a zero
  ComparedBits compared;  ///< of couplings between nodes without aggregates
  ComparedBits exact;  ///< of others
  bool proposing;  ///< false after the last round
  bool joining;  ///< false: a node that does not propose stays alone, for the next pass

  KOKKOS_FUNCTION void operator()(Ordinal at) const {
    const Ordinal v = pending(at);
    choice(v) = choice_of(v);
  }

 private:
  KOKKOS_FUNCTION static bool is_hub(double measure) {
    return measure == Kokkos::Experimental::infinity_v<double>;
  }

  KOKKOS_FUNCTION Number choice_of(Ordinal v) const {
    const double mine = scale(v);
    // Nothing is coupled to a hub, whose row may be long.
    if (is_hub(mine)) return Choice<Number>::none;
    const Number number = numbers.number(v);
    Strongest<Number> free;
    Strongest<Number> taken;
    for (Offset k = weights.offsets(v); k < weights.offsets(v + 1); ++k) {
      const Ordinal j = weights.columns(k);
      const double larger = Kokkos::max(mine, scale(j));
      const double met = weights.values(k) / larger;
      const double coupling = met > least ? met : 0;
      const bool couples = options.zeros ? met >= 0 : met > least;
      if (j == v || !couples || is_hub(larger)) continue;
      if (root_of(j) == no_root) {
        free.meet(number, j, numbers.number(j), coupling, compared, options.seed);
      } else {
        taken.meet(number, j, numbers.number(j), coupling, exact, options.seed);
      }
    }
    if (free.node < 0 && taken.node < 0) return Choice<Number>::none;
    const bool weak = exact.rounded(free.coupling) < weak_share * exact.rounded(taken.coupling);
    if (free.node >= 0 && proposing && !weak) return free.number;
    return Choice<Number>::join(taken.node >= 0 && joining ? root_of(taken.node) : number);
  }
};

/// Lines 11 and 19 to 24.
template <class Space, class Numbers>
struct Settle {
  using Number = typename Numbers::Number;

  Array<const Ordinal, Space> pending;
  Array<const Number, Space> choice;
  Array<Number, Space> root_of;
  Numbers numbers;

  KOKKOS_FUNCTION void operator()(Ordinal at) const {
    const Ordinal v = pending(at);
    const Number chosen = choice(v);
    if (Choice<Number>::joins(chosen)) {
      root_of(v) = Choice<Number>::root(chosen);
    } else if (chosen != Choice<Number>::none &&
               choice(numbers.place(chosen)) == numbers.number(v)) {
      root_of(v) = Kokkos::min(numbers.number(v), chosen);
    }
  }
};

/// A scan: lists in `left` those of `pending` that found no partner.
template <class Space, class Number>
struct ListUnmatched {
  Array<const Ordinal, Space> pending;
  Array<const Number, Space> choice;
  Array<const Number, Space> root_of;
  Array<Ordinal, Space> left;

  KOKKOS_FUNCTION void operator()(Ordinal at, Ordinal& count, bool store) const {
    const Ordinal v = pending(at);
    if (root_of(v) != no_root || choice(v) == Choice<Number>::none) return;
    if (store) left(count) = v;
    ++count;
  }
};

template <class Space, class Number>
struct BeginMatching {
  Array<Number, Space> root_of;
  Array<Number, Space> choice;
  Array<Ordinal, Space> pending;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    root_of(v) = no_root;
    choice(v) = Choice<Number>::none;
    if (static_cast<std::size_t>(v) < pending.extent(0)) pending(v) = v;
  }
};

/// Lines 5 to 28: the number of the root of each node's aggregate, `no_root` for a node without
/// couplings; of own nodes, whose rows `couplings` has, and behind them of those of others. Where
/// these are, all processes call it at the same time.
template <class Space, class Offset, class OtherNodes>
Array<typename OtherNodes::Numbers::Number, Space> match(const Space& exec,
                                                         const Couplings<Space, Offset>& couplings,
                                                         const PairwiseOptions& options,
                                                         bool joining, const OtherNodes& others) {
  using Numbers = typename OtherNodes::Numbers;
  using Number = typename Numbers::Number;
  const Ordinal own = couplings.weights.num_rows;
  const std::size_t here = couplings.scale.extent(0);
  Array<Number, Space> root_of, choice;
  Array<Ordinal, Space> pending, left;
  others.on_all([&] {
    root_of = allocate<Number>(exec, "tessera::pairwise::root_of", here);
    choice = allocate<Number>(exec, "tessera::pairwise::choice", here);
    pending = allocate<Ordinal>(exec, "tessera::pairwise::pending", own);
    left = allocate<Ordinal>(exec, "tessera::pairwise::left", own);
  });
  Kokkos::parallel_for("tessera::pairwise::start", Kokkos::RangePolicy<Space>(exec, 0, here),
                       BeginMatching<Space, Number>{root_of, choice, pending});
  const ComparedBits exact = bits_of_couplings(options.rounded);
  const double weak_share =
      options.rounded ? std::max(options.weak_share, share_of_rounding) : options.weak_share;
  const double least = options.rounded ? coupling_by_rounding : 0;
  const auto propose = [&](Ordinal num_pending, const ComparedBits& compared, bool proposing) {
    const Kokkos::RangePolicy<Space> range(exec, 0, num_pending);
    Kokkos::parallel_for(
        "tessera::pairwise::choose", range,
        Choose<Space, Offset, Numbers>{couplings.weights.view(), couplings.scale, root_of, pending,
                                       choice, others.numbers, options, weak_share, least, compared,
                                       exact, proposing, joining});
    others.fill(exec, choice);
    Kokkos::parallel_for("tessera::pairwise::settle", range,
                         Settle<Space, Numbers>{pending, choice, root_of, others.numbers});
    others.fill(exec, root_of);
  };
  Ordinal num_pending = own;
  std::int64_t all_pending = others.sum(num_pending);
  const auto enough =
      static_cast<std::int64_t>(options.unmatched_share * static_cast<double>(all_pending));
  for (int round = 0; round < options.max_rounds && all_pending > enough; ++round) {
    const bool by_exponents = round >= (options.max_rounds + 1) / 2;
    propose(num_pending, by_exponents ? exponents_of_couplings(options.rounded) : exact, true);
    Ordinal num_left = 0;
    Kokkos::parallel_scan("tessera::pairwise::unmatched",
                          Kokkos::RangePolicy<Space>(exec, 0, num_pending),
                          ListUnmatched<Space, Number>{pending, choice, root_of, left}, num_left);
    exec.fence("tessera::pairwise::unmatched");
    num_pending = num_left;
    all_pending = others.sum(num_pending);
    std::swap(pending, left);
  }
  if (all_pending > 0) propose(num_pending, exact, false);
  return root_of;
}

}  // namespace tessera::kernels::pairwise_detail
