// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by incomplete factors.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/ilu_parameters.hpp"

#include <memory>

namespace tessera {

/// x = x + (L U)^-1 (b - A x), `sweeps` times; from the guess zero the first does not touch A. For
/// a symmetric A it serves before and after the coarse correction alike, as L U is symmetric then.
template <class Scalar, class Space>
class IluSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// `factors`: those of A, which is shared.
  IluSmoother(std::shared_ptr<const Operator> A,
              std::unique_ptr<Preconditioner<Scalar, Space>> factors, int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return false; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;

 private:
  /// x_out = x_in + (L U)^-1 (b - A x_in); x_in may be x_out.
  void sweep(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
             const Vectors& x_out);

  std::shared_ptr<const Operator> m_A;
  std::unique_ptr<Preconditioner<Scalar, Space>> m_factors;
  int m_sweeps;
  MultiVector<Scalar, Space> m_residual, m_correction;
};

/// Factors a copy of `entries`, which are those of A.
/// @throws Error of kind `bad_input` where no finite factors are found.
template <class Scalar, class Space, class Offset>
std::unique_ptr<IluSmoother<Scalar, Space>> make_ilu_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, int sweeps);

}  // namespace tessera
