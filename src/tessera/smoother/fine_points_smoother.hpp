// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of fine points alone, by an approximate inverse of what couples them.
#pragma once

#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>

namespace tessera {

/// x_f = x_f + M (b - A x)_f, `sweeps` times: F-relaxation. Rows and columns of M are empty but for
/// fine points. With weights, which are 0 for fine points, a sweep x_c = x_c + d .* (b - A x)_c on
/// coarse points and one more on fine ones follow (FCF).
template <class Scalar, class Space>
class FinePointsSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// A and M are shared, not copied. `coarse_weights`: as long as A has rows, or empty.
  FinePointsSmoother(std::shared_ptr<const Operator> A, std::shared_ptr<const Operator> M,
                     int sweeps, const Array<const Scalar, Space>& coarse_weights);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;

 private:
  void relax_fine(const Space& exec, const ConstVectors& b, const Vectors& x) const;
  /// What of a relaxation follows its first sweep on fine points.
  void go_on(const Space& exec, const ConstVectors& b, const Vectors& x) const;
  Vectors residual_of(const Vectors& x) const;

  std::shared_ptr<const Operator> m_A;
  std::shared_ptr<const Operator> m_M;
  int m_sweeps;
  Array<const Scalar, Space> m_coarse_weights;
  MultiVector<Scalar, Space> m_residual;
};

}  // namespace tessera
