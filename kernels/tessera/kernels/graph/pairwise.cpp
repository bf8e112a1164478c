// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pairwise.hpp"

#include <utility>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"
#include "tessera/kernels/graph/couplings.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

namespace tessera::kernels {

namespace pairwise_detail {

/// What couplings are compared by: the bits of a positive double, which order as the numbers do.
inline constexpr std::uint64_t all_bits = ~std::uint64_t(0);
inline constexpr std::uint64_t exponent_bits = all_bits << 52;

/// The neighbour of the strongest coupling so far. The order is one of edges, not of neighbours: of
/// the edges among nodes that are left, the first is the choice of both its ends, so that every
/// round makes progress.
struct Strongest {
  Ordinal node = -1;
  double coupling = 0;
  std::uint64_t rank = 0;
  std::uint32_t hash = 0;

  /// `met` >= 0: the coupling of v and `neighbour`, of which the bits `compared` count.
  KOKKOS_FUNCTION void meet(Ordinal v, Ordinal neighbour, double met, std::uint64_t compared,
                            std::uint32_t seed) {
    const std::uint64_t met_rank = tessera::detail::bit_cast<std::uint64_t>(met) & compared;
    if (met_rank < rank) return;
    const auto low = static_cast<std::uint32_t>(Kokkos::min(v, neighbour));
    const auto high = static_cast<std::uint32_t>(Kokkos::max(v, neighbour));
    const std::uint32_t drawn = hash32(high, hash32(low, seed));
    const bool same = node >= 0 && met_rank == rank;
    // Edges of v with the same hash are in the order of their other ends, as pairs (low, high) are.
    if (same && (drawn < hash || (drawn == hash && neighbour < node))) return;
    *this = {neighbour, met, met_rank, drawn};
  }
};

/// What a node without an aggregate does in a round: a node of at least 0 is proposed to.
struct Choice {
  static constexpr Ordinal none = -1;  ///< it has no couplings

  KOKKOS_FUNCTION static Ordinal join(Ordinal root) { return -2 - root; }
  KOKKOS_FUNCTION static bool joins(Ordinal choice) { return choice < none; }
  KOKKOS_FUNCTION static Ordinal root(Ordinal choice) { return -2 - choice; }
};

/// Lines 7 to 18. Reads roots as they were before the round, whatever order threads run in.
template <class Space, class Offset>
struct Choose {
  CsrView<double, Space, Offset> weights;
  Array<const double, Space> scale;
  Array<const Ordinal, Space> root_of;
  Array<const Ordinal, Space> pending;
  Array<Ordinal, Space> choice;
  PairwiseOptions options;
  std::uint64_t compared;  ///< of the couplings between nodes without aggregates
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

  KOKKOS_FUNCTION Ordinal choice_of(Ordinal v) const {
    const double mine = scale(v);
    // Nothing is coupled to a hub, whose row may be long.
    if (is_hub(mine)) return Choice::none;
    Strongest free;
    Strongest taken;
    for (Offset k = weights.offsets(v); k < weights.offsets(v + 1); ++k) {
      const Ordinal j = weights.columns(k);
      const double larger = Kokkos::max(mine, scale(j));
      const double coupling = weights.values(k) / larger;
      const bool couples = options.zeros ? coupling >= 0 : coupling > 0;
      if (j == v || !couples || is_hub(larger)) continue;
      if (root_of(j) == no_root) {
        free.meet(v, j, coupling, compared, options.seed);
      } else {
        taken.meet(v, j, coupling, all_bits, options.seed);
      }
    }
    if (free.node < 0 && taken.node < 0) return Choice::none;
    const bool weak = free.coupling < options.weak_share * taken.coupling;
    if (free.node >= 0 && proposing && !weak) return free.node;
    return Choice::join(taken.node >= 0 && joining ? root_of(taken.node) : v);
  }
};

/// Lines 11 and 19 to 24.
template <class Space>
void settle(const Space& exec, const Array<Ordinal, Space>& pending, Ordinal num_pending,
            const Array<Ordinal, Space>& choice, const Array<Ordinal, Space>& root_of) {
  Kokkos::parallel_for(
      "tessera::pairwise::settle", Kokkos::RangePolicy<Space>(exec, 0, num_pending),
      KOKKOS_LAMBDA(const Ordinal at) {
        const Ordinal v = pending(at);
        const Ordinal chosen = choice(v);
        if (Choice::joins(chosen)) {
          root_of(v) = Choice::root(chosen);
        } else if (chosen != Choice::none && choice(chosen) == v) {
          root_of(v) = Kokkos::min(v, chosen);
        }
      });
}

/// Lists in `left` those of `pending` that found no partner; returns how many, for which it waits.
template <class Space>
Ordinal list_unmatched(const Space& exec, const Array<Ordinal, Space>& pending, Ordinal num_pending,
                       const Array<Ordinal, Space>& choice, const Array<Ordinal, Space>& root_of,
                       const Array<Ordinal, Space>& left) {
  Ordinal num_left = 0;
  Kokkos::parallel_scan(
      "tessera::pairwise::unmatched", Kokkos::RangePolicy<Space>(exec, 0, num_pending),
      KOKKOS_LAMBDA(const Ordinal at, Ordinal& count, const bool store) {
        const Ordinal v = pending(at);
        if (root_of(v) != no_root || choice(v) == Choice::none) return;
        if (store) left(count) = v;
        ++count;
      },
      num_left);
  exec.fence("tessera::pairwise::unmatched");
  return num_left;
}

/// Lines 5 to 28: the root of each node's aggregate, `no_root` for a node without couplings.
template <class Space, class Offset>
Array<Ordinal, Space> match(const Space& exec, const Couplings<Space, Offset>& couplings,
                            const PairwiseOptions& options, bool joining) {
  const Ordinal n = couplings.weights.num_rows;
  auto root_of = allocate<Ordinal>(exec, "tessera::pairwise::root_of", n);
  auto choice = allocate<Ordinal>(exec, "tessera::pairwise::choice", n);
  auto pending = allocate<Ordinal>(exec, "tessera::pairwise::pending", n);
  auto left = allocate<Ordinal>(exec, "tessera::pairwise::left", n);
  Kokkos::parallel_for(
      "tessera::pairwise::start", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal v) {
        root_of(v) = no_root;
        pending(v) = v;
      });
  const auto propose = [&](Ordinal num_pending, std::uint64_t compared, bool proposing) {
    const auto W = couplings.weights.view();
    Kokkos::parallel_for("tessera::pairwise::choose",
                         Kokkos::RangePolicy<Space>(exec, 0, num_pending),
                         Choose<Space, Offset>{W, couplings.scale, root_of, pending, choice,
                                               options, compared, proposing, joining});
    settle<Space>(exec, pending, num_pending, choice, root_of);
  };
  const auto enough = static_cast<Ordinal>(options.unmatched_share * n);
  Ordinal num_pending = n;
  for (int round = 0; round < options.max_rounds && num_pending > enough; ++round) {
    const bool exact = round < (options.max_rounds + 1) / 2;
    propose(num_pending, exact ? all_bits : exponent_bits, true);
    num_pending = list_unmatched<Space>(exec, pending, num_pending, choice, root_of, left);
    std::swap(pending, left);
  }
  if (num_pending > 0) propose(num_pending, all_bits, false);
  return root_of;
}

/// Line 29.
template <class Space>
Aggregates<Space> aggregates_of_roots(const Space& exec, const Array<Ordinal, Space>& root_of) {
  const std::size_t n = root_of.extent(0);
  auto number = allocate<Ordinal>(exec, "tessera::pairwise::number", n);
  auto aggregate_of = allocate<Ordinal>(exec, "tessera::pairwise::aggregate_of", n);
  const Ordinal num_aggregates = number_roots(exec, root_of, number);
  Kokkos::parallel_for(
      "tessera::pairwise::aggregate_of", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal v) {
        aggregate_of(v) = root_of(v) == no_root ? no_root : number(root_of(v));
      });
  return {num_aggregates, aggregate_of};
}

/// An aggregate without a neighbour stays as it is.
template <class Space>
void keep_isolated(const Space& exec, const Array<Ordinal, Space>& root_of) {
  Kokkos::parallel_for(
      "tessera::pairwise::keep_isolated", Kokkos::RangePolicy<Space>(exec, 0, root_of.extent(0)),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (root_of(v) == no_root) root_of(v) = v;
      });
}

/// The aggregates that `coarser` makes of `aggregates`.
template <class Space>
Aggregates<Space> compose(const Space& exec, const Aggregates<Space>& aggregates,
                          const Aggregates<Space>& coarser) {
  const Array<const Ordinal, Space> first = aggregates.aggregate_of;
  const Array<const Ordinal, Space> second = coarser.aggregate_of;
  auto both = allocate<Ordinal>(exec, "tessera::pairwise::aggregate_of", first.extent(0));
  Kokkos::parallel_for(
      "tessera::pairwise::compose", Kokkos::RangePolicy<Space>(exec, 0, first.extent(0)),
      KOKKOS_LAMBDA(const Ordinal v) { both(v) = first(v) < 0 ? no_root : second(first(v)); });
  return {coarser.num_aggregates, both};
}

inline void require_options(const PairwiseOptions& options) {
  require(options.passes >= 1,
          [&] { return "passes = " + std::to_string(options.passes) + "; expected >= 1"; });
  require(options.max_rounds >= 1,
          [&] { return "max_rounds = " + std::to_string(options.max_rounds) + "; expected >= 1"; });
  require(options.weak_share >= 0 && options.weak_share <= 1, [&] {
    return "weak_share = " + std::to_string(options.weak_share) + "; expected 0 to 1";
  });
  require(options.unmatched_share >= 0 && options.unmatched_share < 1, [&] {
    return "unmatched_share = " + std::to_string(options.unmatched_share) +
           "; expected at least 0 and less than 1";
  });
}

}  // namespace pairwise_detail

template <class Scalar, class Space, class Offset>
Aggregates<Space> aggregate_pairwise(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                     const PairwiseOptions& options) {
  using namespace pairwise_detail;
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix";
  });
  require_options(options);
  auto couplings = couplings_of(exec, A, options.longest_row);
  Aggregates<Space> result;
  Aggregates<Space> made;  // by one pass, of the aggregates before it
  for (int pass = 0; pass < options.passes; ++pass) {
    if (pass > 0) couplings = couplings_between(exec, couplings, made);
    const auto root_of = match(exec, couplings, options, pass + 1 == options.passes);
    if (pass > 0) keep_isolated<Space>(exec, root_of);
    made = aggregates_of_roots<Space>(exec, root_of);
    result = pass == 0 ? made : compose(exec, result, made);
  }
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, aggregate_pairwise)

}  // namespace tessera::kernels
