// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse operator that a matrix of any format is.
#pragma once

#include "tessera/kernels/spmv/products.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>
#include <utility>

namespace tessera {

/// A matrix, the plan of its products, and what keeps its arrays alive. `Matrix` is
/// one of the formats of kernels/spmv/storage_formats.hpp in any storage, the vectors are of
/// `Working`. Copies share
/// the arrays and the plan; as a plan may hold workspace, a matrix and its copies serve one product
/// at a time.
template <class Working, class Matrix>
class StoredMatrix : public SparseOperator<Working, typename Matrix::execution_space> {
 public:
  using Space = typename Matrix::execution_space;
  using matrix_type = Matrix;
  using view_type = decltype(std::declval<const Matrix&>().view());
  using plan_type = decltype(kernels::analyse_spmv(std::declval<const Space&>(),
                                                   std::declval<const view_type&>()));
  using typename LinearOperator<Working, Space>::ConstVectors;
  using typename LinearOperator<Working, Space>::Vectors;

  /// 0 by 0.
  StoredMatrix() = default;
  /// Plans the product: one pass over the pattern. `owner`, if given, keeps alive what the arrays
  /// point into.
  StoredMatrix(const Space& exec, Matrix matrix, std::shared_ptr<const void> owner = nullptr);
  /// The same with a plan that was made for this pattern.
  StoredMatrix(Matrix matrix, plan_type plan, std::shared_ptr<const void> owner = nullptr)
      : m_owner(std::move(owner)), m_matrix(std::move(matrix)), m_plan(std::move(plan)) {}

  Ordinal num_rows() const override { return view().num_rows; }
  Ordinal num_cols() const override { return view().num_cols; }
  std::size_t num_entries() const override { return view().num_entries; }
  StorageInfo info() const override;

  const Matrix& matrix() const { return m_matrix; }
  /// What a kernel sees.
  view_type view() const { return m_matrix.view(); }
  /// How the product runs.
  const plan_type& plan() const { return m_plan; }

  void apply(const Space& exec, Working alpha, const ConstVectors& x, Working beta,
             const Vectors& y) const override;
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override;
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Working, Space>& result) const override;
  void jacobi_sweep(const Space& exec, const ArrayView<const Working, Space>& d,
                    const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) const override;
  void chebyshev_step(const Space& exec, const ArrayView<const Working, Space>& d, Working alpha,
                      Working beta, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& p, const Vectors& x_out) const override;
  [[nodiscard]] bool write_rows(kernels::Step<Working>& step) const override;

 private:
  std::shared_ptr<const void> m_owner;
  Matrix m_matrix;
  plan_type m_plan;
};

/// A matrix in compressed rows whose plan is there already.
template <class Scalar, class Space, class Offset>
using StoredCsr = StoredMatrix<Scalar, kernels::Csr<Scalar, Space, Offset>>;

}  // namespace tessera
