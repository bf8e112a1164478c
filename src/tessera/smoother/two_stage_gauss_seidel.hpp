// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Gauss-Seidel without the order: sweeps of Jacobi in the place of its triangular solves.
#pragma once

#include "tessera/kernels/sptrsv/ranked_rows.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera {

/// x = x + g, g an approximation of (D / omega + L)^-1 (b - A x) by `inner_sweeps` steps
/// g = omega D^-1 (r - L g) from omega D^-1 r on: two-stage Gauss-Seidel (Berger-Vergiat, Kelley,
/// Rajamanickam, Hu, Swirydowicz, Mullowney, Thomas, Yamazaki, "Two-stage Gauss-Seidel
/// preconditioners and smoothers for Krylov solvers on a GPU cluster", arXiv:2104.01196, 2021). L,
/// below the diagonal, is of the matrix's own order of rows, and each step one launch.
///
/// After the coarse correction, or after each forward sweep, U above the diagonal takes L's place.
/// For a symmetric A the truncated series of the two are each other's transpose, so that cycles are
/// symmetric as with `GaussSeidelSmoother`. A sweep need not reduce the error where the series is
/// far from its limit: where strong couplings lie between many rows in a row.
template <class Scalar, class Space, class Offset>
class TwoStageGaussSeidelSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// A and `inverse_diagonal` are shared; `entries`, which are A's, are copied.
  TwoStageGaussSeidelSmoother(const Space& exec, std::shared_ptr<const Operator> A,
                              const kernels::CsrView<Scalar, Space, Offset>& entries,
                              const Array<const Scalar, Space>& inverse_diagonal,
                              const GaussSeidelParameters& parameters, int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  bool relaxes_one_way() const override { return !m_symmetric; }
  void smooth_after(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) override;

 private:
  using RowPart = kernels::RowPart;
  /// x = g of the residual r, or with `adds` x + g.
  void correct(const Space& exec, RowPart triangle, const ConstVectors& r, const Vectors& x,
               bool adds) const;
  /// One sweep from the iterate x.
  void sweep(const Space& exec, RowPart triangle, const ConstVectors& b, const Vectors& x) const;
  void go_on(const Space& exec, const ConstVectors& b, const Vectors& x,
             bool is_forward_done) const;

  std::shared_ptr<const Operator> m_A;
  kernels::RankedRows<Scalar, Space, Offset> m_rows;
  Array<const Scalar, Space> m_inverse_diagonal;
  Scalar m_omega;
  int m_inner_sweeps;
  bool m_symmetric;
  int m_sweeps;
  MultiVector<Scalar, Space> m_residual, m_correction, m_other;
};

}  // namespace tessera
