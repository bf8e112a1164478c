// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation in passes, each from the points of the pass before.
#pragma once

#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/amg/coarsening/point_passes.hpp"

#include <vector>

namespace tessera::amg {

/// Multipass interpolation for aggressive coarsening (K. Stueben, in U. Trottenberg, C. Oosterlee &
/// A. Schueller, "Multigrid", 2001, appendix A.7.1.3), by products of matrices. Pass 0 has the
/// coarse points, pass p those of the others that depend on one of pass p - 1: with M_p the weights
/// of direct interpolation from these, P_p = M_p P_{p-1} and P_0 = I. P's rows are theirs,
/// truncated; those of points that no pass reaches are empty.
template <class Scalar, class Space, class Offset>
class MultipassInterpolation : public PointInterpolation<Scalar, Space, Offset> {
 public:
  using typename PointInterpolation<Scalar, Space, Offset>::Csr;
  using typename PointInterpolation<Scalar, Space, Offset>::CsrView;
  using typename PointInterpolation<Scalar, Space, Offset>::Graph;

  MultipassInterpolation(const ClassicalParameters& parameters, const Splitting<Space>& splitting)
      : m_parameters(parameters), m_splitting(splitting) {}

  Csr make(const Space& exec, const CsrView& A, Graph& strong, PhaseTimer<Space>& timer) override;
  void remake(const Space& exec, const CsrView& A, const Csr& P, PhaseTimer<Space>& timer) override;
  void release() override;

 private:
  struct Pass {
    Array<const Ordinal, Space> rows;  ///< of A
    Csr M;  ///< from the points of the pass before; none in pass 0
    Csr P;
    kernels::SpgemmPlan<Space> plan;
  };

  /// Makes `m_untruncated`; its pattern, and those of products, where there is none yet.
  void fill(const Space& exec, const CsrView& A);

  ClassicalParameters m_parameters;
  Splitting<Space> m_splitting;
  PointPasses<Space> m_numbers;
  std::vector<Pass> m_passes;
  Csr m_untruncated;
};

}  // namespace tessera::amg
