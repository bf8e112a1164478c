// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Chebyshev polynomial relaxation.
#pragma once

#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>
#include <vector>

namespace tessera {

/// A Chebyshev polynomial in D^-1 A: of the first kind it damps the eigenvalues in [rho / ratio,
/// 1.1 rho] (Adams, Brezina, Hu, Tuminaro, J. Comput. Phys. 188, 2003), of the fourth what a coarse
/// level leaves (smoother/chebyshev_recurrence.hpp). Each degree is one pass over the matrix; from
/// the guess zero the first does not touch it. The error propagation is a polynomial in D^-1 A, so
/// that it serves before and after the coarse correction.
template <class Scalar, class Space>
class ChebyshevSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// `inverse_diagonal`: 1 / A_ii, 0 where the diagonal is zero. `spectral_radius` is that of
  /// D^-1 A. A and the diagonal are shared, not copied.
  ChebyshevSmoother(std::shared_ptr<const Operator> A,
                    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
                    const ChebyshevParameters& parameters, int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return false; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  [[nodiscard]] bool write_steps(StepWriter<Scalar, Space>& writer,
                                 const SweepVectors& at) const override;

 private:
  /// One step of the recurrence: p = beta p + alpha D^-1 (b - A x), x = x + p.
  struct Step {
    Scalar alpha;
    Scalar beta;
  };
  /// All steps from the one numbered `first`, counted over all sweeps.
  void run(const Space& exec, int first, const ConstVectors& b, ConstVectors x_in,
           const Vectors& x_out) const;
  Vectors target(int remaining, const Vectors& x_out) const;
  int num_steps() const { return static_cast<int>(m_steps.size()) * m_sweeps; }

  std::shared_ptr<const Operator> m_A;
  Array<const Scalar, Space> m_inverse_diagonal;
  std::vector<Step> m_steps;  ///< of one sweep
  int m_sweeps;
  MultiVector<Scalar, Space> m_p;
  MultiVector<Scalar, Space> m_other;
};

}  // namespace tessera
