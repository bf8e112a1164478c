// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by reduction: what approximates a Schur complement.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/fine_inverse.hpp"
#include "tessera/amg/coarsening/ideal_restriction.hpp"
#include "tessera/amg/coarsening/reduction_parameters.hpp"

namespace tessera::amg {

/// AIRG: approximate ideal restriction by GMRES polynomials (Dargaville, Buchan, Smedley-Stevenson,
/// Smith & Pain, J. Comput. Phys. 518, 2024), for matrices of convection. Points are split by PMIS
/// and `convert_undominated`, so that A_ff is easily inverted; M is a sparse polynomial in it
/// (`FineInverse`), R is [-A_cf M, I], P has one entry in a row, and the coarse operator is R A P,
/// less what is small. Levels are relaxed after the correction alone, on fine points, by M. The
/// near-nullspace is not read. It takes one unknown per node.
template <class Scalar, class Space, class Offset>
class ReductionCoarsening : public Coarsening<Scalar, Space, Offset> {
 public:
  using typename Coarsening<Scalar, Space, Offset>::Fine;
  using typename Coarsening<Scalar, Space, Offset>::Coarse;
  using typename Coarsening<Scalar, Space, Offset>::Product;
  using typename Coarsening<Scalar, Space, Offset>::ConstVectors;

  /// `keeps_pattern`: `compute` will be called.
  ReductionCoarsening(const ReductionParameters& parameters, bool keeps_pattern)
      : m_parameters(parameters), m_keeps_pattern(keeps_pattern) {}

  /// @throws Error of kind `configuration` for several unknowns per node.
  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors& B,
                                   const CoarseningLimits& limits, Product& product,
                                   PhaseTimer<Space>& timer) override;
  /// Points stay coarse or fine, and entries kept or dropped. Coefficients of the polynomial are
  /// those of the new values.
  void compute(const Space& exec, const Fine& fine, bool keeps_interpolation, Product& product,
               Coarse& coarse, PhaseTimer<Space>& timer) override;
  bool makes_new_interpolation() const override { return true; }

 private:
  /// The patterns of N and M; false where products with them would be too much work.
  bool find_inverse_pattern(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                            const CoarseningLimits& limits);
  /// What relaxes the level.
  FinePoints<Scalar, Space, Offset> fine_points(const Space& exec, const Fine& fine) const;
  /// What `initialize` returns where it ends early, and frees what was found.
  std::nullopt_t no_coarser_level();
  /// Frees the values of restriction's factors and, where nothing asks for them again, the
  /// patterns.
  void release();

  ReductionParameters m_parameters;
  bool m_keeps_pattern;
  Array<const Ordinal, Space> m_coarse_number;
  FineInverse<Scalar, Space, Offset> m_inverse;
  IdealRestriction<Scalar, Space, Offset> m_restriction;
};

}  // namespace tessera::amg
