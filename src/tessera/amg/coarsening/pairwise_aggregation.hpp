// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by pairwise aggregation: the parallel graph match of the Ginkgo thesis.
#pragma once

#include "tessera/amg/coarsening/coarse_product.hpp"
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

  /// `keeps_pattern`: `compute` will be called.
  PairwiseAggregation(const PairwiseParameters& parameters, bool keeps_pattern)
      : m_parameters(parameters), m_keeps_pattern(keeps_pattern), m_product(keeps_pattern) {}

  /// @throws Error of kind `configuration` for several unknowns per node.
  std::optional<Coarse> initialize(const Space& exec, Fine& fine, NearNullspace<Scalar, Space>& B,
                                   const CoarseningLimits& limits, CoarseningState& state,
                                   PhaseTimer<Space>& timer) override;
  /// P depends on the candidates alone: it is kept, and so is R.
  void compute(const Space& exec, Fine& fine, bool keeps_interpolation, Coarse& coarse,
               PhaseTimer<Space>& timer) override;
  bool makes_new_interpolation() const override { return false; }

 private:
  PairwiseParameters m_parameters;
  bool m_keeps_pattern;
  CoarseProduct<Scalar, Space, Offset> m_product;
};

}  // namespace tessera::amg
