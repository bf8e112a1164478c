// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two steps of a Krylov method as the correction of a coarse level: the K-cycle.
#pragma once

#include "tessera/amg/cycle/level_products.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>
#include <span>
#include <utility>

namespace tessera::amg {

/// x = what two steps of flexible conjugate gradients (A symmetric positive definite) or of GCR
/// (any A) make of A x = b, preconditioned by one visit each: Notay & Vassilevski, "Recursive
/// Krylov-based multigrid cycles", Numer. Linear Algebra Appl. 15 (2008), algorithm 3.1 and
/// Notay, "An aggregation-based algebraic multigrid method", Electron. Trans. Numer. Anal. 37
/// (2010), section 3. The second step is always made: to skip it where the first suffices would
/// wait for the device.
template <class Scalar, class Space>
class KrylovCorrection : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// `products`: null where all rows of A are here.
  KrylovCorrection(std::shared_ptr<const SparseOperator<Scalar, Space>> A,
                   std::shared_ptr<Preconditioner<Scalar, Space>> visit, bool symmetric,
                   std::shared_ptr<LevelProducts<Scalar, Space>> products)
      : m_A(std::move(A)),
        m_visit(std::move(visit)),
        m_symmetric(symmetric),
        m_products(std::move(products)) {}

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override;

 private:
  /// result(p k + j) = <x_j, y_j> for each y, of which there are two or three.
  void multiply(const Space& exec, const ConstVectors& x, std::span<const ConstVectors> others,
                const Array<double, Space>& result);

  std::shared_ptr<const SparseOperator<Scalar, Space>> m_A;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_visit;
  bool m_symmetric;
  std::shared_ptr<LevelProducts<Scalar, Space>> m_products;
  int m_columns = 0;
  MultiVector<Scalar, Space> m_c;  ///< the first direction
  MultiVector<Scalar, Space> m_v;  ///< A c
  MultiVector<Scalar, Space> m_r;
  MultiVector<Scalar, Space> m_d;  ///< the second direction
  MultiVector<Scalar, Space> m_w;  ///< A d
  kernels::ReductionWorkspace<Space> m_workspace;
  Array<double, Space> m_first;  ///< by column <l, v>, then <l, b>; l is c or v
  Array<double, Space> m_second;  ///< <l, v>, then <l, w>, then <l, r>; l is d or w
};

}  // namespace tessera::amg
