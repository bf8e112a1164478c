// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by pairwise aggregation: the parallel graph match of the Ginkgo thesis.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"

namespace tessera::amg {

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
