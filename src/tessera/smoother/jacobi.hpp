// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by a diagonal matrix: damped Jacobi, l1-Jacobi, SPAI-0.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>

namespace tessera {

/// d_i = sign(a_ii) / sum_j |a_ij|, 0 where a_ii = 0: l1-Jacobi, which converges for every
/// symmetric positive definite A (Baker, Falgout, Kolev, Yang, SIAM J. Sci. Comput. 33, 2011). Rows
/// may be unsorted.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> l1_jacobi_weights(const Space& exec,
                                       const kernels::CsrView<Scalar, Space, Offset>& A);

/// d_i = a_ii / sum_j a_ij^2, 0 for an empty row: the diagonal M that minimises ||I - M A|| in the
/// Frobenius norm (Broeker, Grote, Appl. Numer. Math. 41, 2002, SPAI-0). Where |d_i| sum_j |a_ij|
/// would be above 2, which no row is that its diagonal dominates weakly, it is 2 instead: then no
/// eigenvalue of D A is above 2, so that the sweep amplifies nothing of a symmetric positive
/// definite A. Rows may be unsorted.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> spai0_weights(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A);

/// x = x + d .* (b - A x), `sweeps` times, each one pass over the matrix; from the guess zero the
/// first sweep does not touch the matrix. Which method this is, d says. Its error propagation is
/// self-adjoint in the inner product of a symmetric A, so that it serves before and after the
/// coarse correction.
template <class Scalar, class Space>
class JacobiSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// `weights` is d, of length num_rows of A. A is shared, not copied; after its values change,
  /// make the smoother again.
  JacobiSmoother(std::shared_ptr<const Operator> A, const Array<const Scalar, Space>& weights,
                 int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return false; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  [[nodiscard]] bool write_steps(StepWriter<Scalar, Space>& writer,
                                 const SweepVectors& at) const override;

 private:
  /// `sweeps` sweeps from `x_in`, the last of them into `x_out`. `x_in` may be the vector that
  /// `target(sweeps)` names: it is read before it is written.
  void sweep(const Space& exec, int sweeps, const ConstVectors& b, ConstVectors x_in,
             const Vectors& x_out) const;
  /// Where an iterate goes that `remaining` sweeps follow.
  Vectors target(int remaining, const Vectors& x_out) const;

  std::shared_ptr<const Operator> m_A;
  Array<const Scalar, Space> m_weights;
  int m_sweeps;
  MultiVector<Scalar, Space> m_other;  ///< two sweeps or more only
};

/// Damped Jacobi: d = omega / spectral_radius times `inverse_diagonal`, which is 0 where the
/// diagonal is zero. `spectral_radius` is that of D^-1 A.
template <class Scalar, class Space>
JacobiSmoother<Scalar, Space> make_jacobi(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const Array<const Scalar, Space>& inverse_diagonal, double omega, double spectral_radius,
    int sweeps);

}  // namespace tessera
