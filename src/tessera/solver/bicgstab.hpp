// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stabilised biconjugate gradients.
#pragma once

#include "tessera/kernels/vector/bicgstab_steps.hpp"
#include "tessera/solver/krylov_method.hpp"

namespace tessera {

/// BiCGSTAB for nonsymmetric A (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), with right or
/// left preconditioning. With left preconditioning iterations are judged by the preconditioned
/// residual, scaled to the true one's norm at the cycle's start. The first breakdown is answered by
/// a restart from the best iterate with a new shadow residual.
template <class Scalar, class Space>
class Bicgstab : public KrylovMethod<Scalar, Space> {
 public:
  explicit Bicgstab(const SolverParameters& parameters);

 private:
  using Base = KrylovMethod<Scalar, Space>;
  using typename Base::ConstVectors;
  using typename Base::System;
  using typename Base::Vectors;

  void prepare_method(const Space& exec, Ordinal n, int k) override;
  void run_cycle(const Space& exec, const System& system) override;
  int restarts_after_breakdown() const override { return 1; }
  bool is_left(const System& system) const;
  /// product = A M d with d_hat = M d (right), or product = M A d with d_hat = d (left).
  void apply(const Space& exec, const System& system, const ConstVectors& d, const Vectors& d_hat,
             const Vectors& product) const;
  /// Queues one iteration from its direction on, r being the residual that it works on.
  void iterate(const Space& exec, const System& system, const Vectors& r) const;
  /// The step along p_hat and s_hat, the residual after it, and its norm.
  void update(const Space& exec, const System& system, const Vectors& r) const;

  kernels::BicgstabScalars<Space> m_scalars;
  MultiVector<Scalar, Space> m_shadow;
  MultiVector<Scalar, Space> m_p;
  MultiVector<Scalar, Space> m_p_hat;
  MultiVector<Scalar, Space> m_s_hat;
  MultiVector<Scalar, Space> m_v;
  MultiVector<Scalar, Space> m_t;
  MultiVector<Scalar, Space> m_left;  ///< the preconditioned residual; left preconditioning only
};

}  // namespace tessera
