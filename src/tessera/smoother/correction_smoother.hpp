// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by an approximate inverse.
#pragma once

#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tessera {

/// x = x + omega M (b - A x), `sweeps` times; from the guess zero the first does not touch A. With
/// a symmetric M it serves a symmetric A before and after the coarse correction alike.
template <class Scalar, class Space>
class CorrectionSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// A is shared, not copied.
  CorrectionSmoother(std::shared_ptr<const Operator> A,
                     std::unique_ptr<Preconditioner<Scalar, Space>> M, double omega, int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return false; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  std::string note() const override { return m_note; }
  /// What was found while M was made.
  void set_note(std::string note) { m_note = std::move(note); }

 private:
  /// x_out = x_in + omega M (b - A x_in); x_in may be x_out.
  void sweep(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
             const Vectors& x_out);

  std::shared_ptr<const Operator> m_A;
  std::unique_ptr<Preconditioner<Scalar, Space>> m_M;
  Scalar m_omega;
  int m_sweeps;
  MultiVector<Scalar, Space> m_residual, m_correction;
  std::string m_note;
};

}  // namespace tessera
