// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregation of a matrix's nodes in pairs along their strongest couplings.
#pragma once

#include "tessera/kernels/graph/aggregate.hpp"

#include <limits>

namespace tessera::kernels {

/// How `aggregate_pairwise` matches.
struct PairwiseOptions {
  int passes = 1;  ///< 1: aggregates of about 2; 2: pairs of pairs, about 4; 3: about 8
  int max_rounds = 16;  ///< of proposals in a pass
  double unmatched_share = 0.01;  ///< a pass ends where no more than this part is in no aggregate
  /// A node whose strongest coupling to a node without an aggregate is less than this part of
  /// that to one with an aggregate joins the latter at once. 0: Algorithm 17 as it is.
  double weak_share = 0.25;
  /// A stored zero couples, more weakly than any other entry; false: it is no coupling.
  bool zeros = false;
  /// Couplings are compared after rounding to 24 bits, those of less than 1e-10 of a node's
  /// strongest are weak, and those of up to 1e-13 are zeros: sums in another order decide nothing,
  /// unless one lies as close to the middle between two such numbers as they differ.
  bool rounded = false;
  /// Rows of more entries are hubs and get -1: they tie everything to everything else.
  std::size_t longest_row = std::numeric_limits<std::size_t>::max();
  std::uint32_t seed = 0;  ///< of the order among equal couplings
};

/// @throws Error for options out of their range.
void require_pairwise_options(const PairwiseOptions& options);

/// Parallel graph match (Ginkgo thesis, section 5.3, Algorithm 17; Naumov et al., "AmgX: A library
/// for GPU accelerated algebraic multigrid and preconditioned iterative methods", 2015). The
/// coupling of i and j is (|A_ij| + |A_ji|) / (2 max(|A_ii|, |A_jj|)), in double; one unknown per
/// node. In each round every node without an aggregate proposes to the neighbour without one
/// that it is coupled to most; two that propose to each other are a pair, and a node whose
/// neighbours all have aggregates joins that of the neighbour it is coupled to most. Where
/// couplings are equal, a hash of the two numbers decides. A node without couplings gets -1, as
/// by `aggregate_mis2`.
///
/// More `passes` repeat this on the graph of the aggregates, which are coupled by the sums of their
/// members' |A_ij| + |A_ji| and of their diagonals. In all passes but the last, a node whose
/// neighbours all have aggregates stays alone, so that the next pass can pair it: aggregates are
/// then smaller and more even than by joining in each pass.
///
/// Two things go beyond the algorithm:
/// - `weak_share` keeps pairs from forming across weak couplings once the strongly coupled
///   neighbours are taken (Notay, "An aggregation-based algebraic multigrid method", 2010, pairs
///   along strong couplings alone, too).
/// - Where couplings grow steadily along a path, one pair per round is all that is found there. The
///   second half of the rounds therefore compares couplings by their powers of 2 alone.
///
/// What is left after the last round joins the aggregate of the neighbour that it is coupled to
/// most, or is an aggregate alone where no neighbour has one.
///
/// Where the diagonal is 0 or NaN, a node is measured by its largest (|A_ij| + |A_ji|) / 2
/// instead. An entry that is 0 or NaN is no coupling, or one of 0 with `zeros`: a node whose
/// couplings were eliminated, as of a Dirichlet value, then gets an aggregate with others. A's
/// pattern need not be symmetric, nor its rows sorted.
///
/// Aggregates are connected, and have two members at least unless alone as above. They are numbered
/// in the order of their roots, a root being the lower number of a pair. The result depends on A
/// and the options alone, not on the execution space or the number of threads; the host waits once
/// a round.
template <class Scalar, class Space, class Offset>
Aggregates<Space> aggregate_pairwise(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                     const PairwiseOptions& options = {});

}  // namespace tessera::kernels
