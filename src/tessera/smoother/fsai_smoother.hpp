// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by a factorised sparse approximate inverse.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/smoother/correction_smoother.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera {

/// M = G^T G (kernels/ilu/fsai.hpp): two sparse products. Symmetric, and positive definite where no
/// row of G is zero.
template <class Scalar, class Space, class Offset>
class FsaiPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;
  using Factor = StoredCsr<Scalar, Space, Offset>;

  /// G, square, and its transpose.
  FsaiPreconditioner(Factor G, Factor Gt) : m_G(std::move(G)), m_Gt(std::move(Gt)) {}

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

  const Factor& G() const { return m_G; }
  const Factor& Gt() const { return m_Gt; }

 private:
  Factor m_G, m_Gt;
  MultiVector<Scalar, Space> m_product;
};

/// x = x + omega G^T G (b - A x). `entries` are those of A. omega = `p.omega` over the spectral
/// radius of G A G^T by steps of Lanczos. Waits.
template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_fsai_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const FsaiParameters& p, int sweeps);

}  // namespace tessera
