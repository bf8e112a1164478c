// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by pairwise aggregation: the parallel graph match of the Ginkgo thesis.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/kernels/graph/pairwise.hpp"

namespace tessera::amg {

/// `longest_row`: of a row that is no hub's.
inline kernels::PairwiseOptions pairwise_options(const PairwiseParameters& p,
                                                 std::size_t longest_row) {
  kernels::PairwiseOptions options;
  options.passes = p.passes;
  options.max_rounds = p.max_rounds;
  options.unmatched_share = p.unmatched_share;
  options.weak_share = p.weak_share;
  options.zeros = p.zeros;
  options.rounded = p.rounded;
  options.longest_row = longest_row;
  return options;
}

/// Aggregates of two nodes along the strongest couplings (Ginkgo thesis, section 5.3, Algorithm
/// 17), of four or eight by repetition, and an unsmoothed prolongator: the setup is cheap, its
/// levels are many, and a V-cycle deteriorates with their number, so that W- and K-cycles pay. It
/// takes one unknown per node.
template <class Scalar, class Space, class Offset>
class PairwiseAggregation : public Coarsening<Scalar, Space, Offset> {
 public:
  using typename Coarsening<Scalar, Space, Offset>::Fine;
  using typename Coarsening<Scalar, Space, Offset>::Coarse;
  using typename Coarsening<Scalar, Space, Offset>::Product;
  using typename Coarsening<Scalar, Space, Offset>::ConstVectors;

  explicit PairwiseAggregation(const PairwiseParameters& parameters) : m_parameters(parameters) {}

  /// @throws Error of kind `configuration` for several unknowns per node.
  /// New values of A leave P and R, which depend on the near-nullspace alone, as they are.
  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors& B,
                                   const CoarseningLimits& limits, Product& product,
                                   PhaseTimer<Space>& timer) override;

 private:
  PairwiseParameters m_parameters;
};

}  // namespace tessera::amg
