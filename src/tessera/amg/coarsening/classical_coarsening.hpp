// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening: into coarse and fine points.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/amg/coarsening/point_interpolation.hpp"

#include <memory>

namespace tessera::amg {

/// Strong dependences, a splitting, a second one of its coarse points on the first levels where
/// coarsening is aggressive, interpolation by products of matrices, its truncation, and the
/// Galerkin product with R = P^T: what hypre's BoomerAMG and the AmgT paper run on GPUs. Constants
/// are interpolated exactly in rows of sum zero; the near-nullspace is not read. Systems of several
/// unknowns per node are coarsened by unknowns: all of this is of the couplings within each
/// function, the product alone is of all. Or they are split by nodes, by the norms of the blocks
/// that couple these, and interpolated by unknowns.
template <class Scalar, class Space, class Offset>
class ClassicalCoarsening : public Coarsening<Scalar, Space, Offset> {
 public:
  using typename Coarsening<Scalar, Space, Offset>::Fine;
  using typename Coarsening<Scalar, Space, Offset>::Coarse;
  using typename Coarsening<Scalar, Space, Offset>::Product;
  using typename Coarsening<Scalar, Space, Offset>::ConstVectors;

  /// `keeps_pattern`: `compute` will be called.
  ClassicalCoarsening(const ClassicalParameters& parameters, bool keeps_pattern)
      : m_parameters(parameters), m_keeps_pattern(keeps_pattern) {}

  /// @throws Error of kind `configuration` where coarsening is aggressive in two stages of direct
  /// or classical modified interpolation.
  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors& B,
                                   const CoarseningLimits& limits, Product& product,
                                   PhaseTimer<Space>& timer) override;
  /// Points stay coarse or fine, couplings strong or weak, and weights kept or not.
  void compute(const Space& exec, const Fine& fine, bool keeps_interpolation, Product& product,
               Coarse& coarse, PhaseTimer<Space>& timer) override;
  bool makes_new_interpolation() const override { return true; }

 private:
  using PointwiseInterpolation = PointInterpolation<Scalar, Space, Offset>;

  /// Splits the points, or nodes with all their unknowns, and chooses how to interpolate.
  Splitting<Space> split(const Space& exec, const Fine& fine,
                         const kernels::Dependences<Space, Offset>& found);
  /// What points, or nodes, depend on. `A`: `couplings`.
  kernels::Dependences<Space, Offset> dependences(
      const Space& exec, const Fine& fine, const kernels::CsrView<Scalar, Space, Offset>& A) const;
  bool splits_nodes(const Fine& fine) const {
    return fine.block_size > 1 && m_parameters.systems == SystemSplitting::nodes;
  }
  /// The couplings that are looked at: A's, or those within its functions.
  kernels::CsrView<Scalar, Space, Offset> couplings(
      const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);
  bool is_aggressive(int level) const { return level < m_parameters.aggressive_levels; }
  /// Frees the values of interpolation's factors and, where nothing asks for them again, the
  /// patterns.
  void release();

  ClassicalParameters m_parameters;
  bool m_keeps_pattern;
  std::unique_ptr<PointwiseInterpolation> m_interpolation;
  Array<const Ordinal, Space> m_functions;  ///< of a system; empty: there is one
  kernels::Csr<Scalar, Space, Offset> m_function_part;
};

}  // namespace tessera::amg
