// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse matrix whose products read and write vectors that are stored in half.
#pragma once

#include "tessera/core/sparse_operator.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

#include <memory>

namespace tessera {

/// As SparseOperator, with vectors in half and everything else in float: see
/// tessera/kernels/spmv/half/half_products.hpp.
template <class Space>
class HalfOperator {
 public:
  using ConstVectors = ConstMultiVectorView<Half, Space>;
  using Vectors = MultiVectorView<Half, Space>;

  virtual ~HalfOperator() = default;

  virtual Ordinal num_rows() const = 0;
  virtual Ordinal num_cols() const = 0;

  /// y = alpha A x + beta y; `beta == 0` overwrites `y`. x: num_cols by k, y: num_rows by k.
  virtual void apply(const Space& exec, float alpha, const ConstVectors& x, float beta,
                     const Vectors& y) const = 0;
  /// r = b - A x. `r` may be `b`.
  virtual void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                        const Vectors& r) const = 0;
  /// x_out = x_in + d .* (b - A x_in); x_in and x_out do not overlap.
  virtual void jacobi_sweep(const Space& exec, const ArrayView<const float, Space>& d,
                            const ConstVectors& b, const ConstVectors& x_in,
                            const Vectors& x_out) const = 0;
  /// p = beta p + alpha d .* (b - A x_in), x_out = x_in + p; x_in and x_out do not overlap.
  virtual void chebyshev_step(const Space& exec, const ArrayView<const float, Space>& d,
                              float alpha, float beta, const ConstVectors& b,
                              const ConstVectors& x_in, const Vectors& p,
                              const Vectors& x_out) const = 0;
};

/// The same matrix, its arrays shared, for vectors in half: where it lies in compressed rows of
/// float, half or bfloat16. Null for others.
template <class Space>
std::shared_ptr<const HalfOperator<Space>> half_operator(
    const std::shared_ptr<const SparseOperator<float, Space>>& A);

}  // namespace tessera
