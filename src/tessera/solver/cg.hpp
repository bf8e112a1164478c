// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioned conjugate gradients.
#pragma once

#include "tessera/kernels/vector/cg_steps.hpp"
#include "tessera/solver/krylov_solver.hpp"

namespace tessera {

/// Conjugate gradients for symmetric positive definite A and M (Saad, Iterative Methods for Sparse
/// Linear Systems, algorithm 9.1). Beside A and M, an iteration is three launches, two without a
/// preconditioner. A direction with <p, A p> <= 0, or a residual with <r, M r> <= 0, is a
/// breakdown.
template <class Scalar, class Space>
class Cg : public KrylovSolver<Scalar, Space> {
 public:
  using KrylovSolver<Scalar, Space>::KrylovSolver;

 private:
  using Base = KrylovSolver<Scalar, Space>;
  using typename Base::ConstVectors;
  using typename Base::System;
  using typename Base::Vectors;

  void prepare_method(const Space& exec, Ordinal n, int k) override;
  void run_cycle(const Space& exec, const System& system) override;
  /// The step along p, the residual after it, and its norm.
  void update(const Space& exec, const System& system, bool preconditioned);

  kernels::CgScalars<Space> m_scalars;
  Array<Scalar, Space> m_pq;
  MultiVector<Scalar, Space> m_p;
  MultiVector<Scalar, Space> m_q;
  MultiVector<Scalar, Space> m_z;
};

}  // namespace tessera
