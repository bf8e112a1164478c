// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation by way of the coarse points of a first splitting.
#pragma once

#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <string>

namespace tessera::amg {

/// The second stage of an interpolation of range one would find no coarse points next to those that
/// it interpolates.
/// @throws Error of kind `configuration` for two stages of direct or classical modified
/// interpolation.
inline void require_reach(const ClassicalParameters& p) {
  const bool is_direct = p.interpolation == Interpolation::direct;
  if (p.aggressive_interpolation != AggressiveInterpolation::two_stage ||
      !(is_direct || p.interpolation == Interpolation::classical_modified))
    return;
  throw Error(ErrorKind::configuration,
              std::string("amg.classical.interpolation = ") +
                  (is_direct ? "direct" : "classical_modified") +
                  " does not reach as far as aggressive coarsening in two stages needs; use "
                  "extended_i or extended_e, or aggressive_interpolation = multipass");
}

/// P = P_1 P_2 for aggressive coarsening (U. M. Yang, "On long-range interpolation operators for
/// aggressive coarsening", Numer. Linear Algebra Appl. 17, 2010): P_1 interpolates all points from
/// the coarse ones C_1 of the first splitting, P_2 those of C_1 from the coarse ones of the second,
/// by the couplings of A, in which it passes all others as fine ones. P_1, P_2 and P are truncated
/// alike.
template <class Scalar, class Space, class Offset>
class TwoStageInterpolation : public PointInterpolation<Scalar, Space, Offset> {
 public:
  using typename PointInterpolation<Scalar, Space, Offset>::Csr;
  using typename PointInterpolation<Scalar, Space, Offset>::CsrView;
  using typename PointInterpolation<Scalar, Space, Offset>::Graph;

  /// `second`: by row of A, its coarse points among those of `first`; `is_remade`: whether `remake`
  /// is to follow.
  TwoStageInterpolation(const ClassicalParameters& parameters, const Splitting<Space>& first,
                        const Splitting<Space>& second, bool is_remade = true)
      : m_parameters(parameters), m_splittings{first, second}, m_is_remade(is_remade) {}

  Csr make(const Space& exec, const CsrView& A, Graph& strong, PhaseTimer<Space>& timer) override;
  void remake(const Space& exec, const CsrView& A, const Csr& P, PhaseTimer<Space>& timer) override;
  void release() override;

 private:
  /// One splitting's factors, their product, and its pattern when truncated.
  struct Stage {
    InterpolationFactors<Scalar, Space, Offset> factors;
    Csr M;  ///< the rows of `factors.M` that are multiplied
    TruncatedProduct<Scalar, Space, Offset> product;
    Csr P;
  };

  void fill(const Space& exec, const CsrView& A);

  ClassicalParameters m_parameters;
  Splitting<Space> m_splittings[2];
  bool m_is_remade;
  Array<const Ordinal, Space> m_first_points;  ///< the coarse ones of the first
  Stage m_stages[2];
  TruncatedProduct<Scalar, Space, Offset> m_product;
};

}  // namespace tessera::amg
