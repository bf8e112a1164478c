// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pairwise.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"
#include "tessera/kernels/graph/couplings.hpp"
#include "tessera/kernels/graph/matching.hpp"

namespace tessera::kernels {

namespace pairwise_detail {

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

}  // namespace pairwise_detail

void require_pairwise_options(const PairwiseOptions& options) {
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

template <class Scalar, class Space, class Offset>
Aggregates<Space> aggregate_pairwise(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                     const PairwiseOptions& options) {
  using namespace pairwise_detail;
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix";
  });
  require_pairwise_options(options);
  auto couplings = couplings_of(exec, A, options.longest_row);
  Aggregates<Space> result;
  Aggregates<Space> made;  // by one pass, of the aggregates before it
  for (int pass = 0; pass < options.passes; ++pass) {
    if (pass > 0) couplings = couplings_between(exec, couplings, made);
    const auto root_of =
        match(exec, couplings, options, pass + 1 == options.passes, NoOtherNodes<Space>{});
    if (pass > 0) keep_isolated<Space>(exec, root_of);
    made = aggregates_of_roots<Space>(exec, root_of);
    result = pass == 0 ? made : compose(exec, result, made);
  }
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, aggregate_pairwise)

}  // namespace tessera::kernels
