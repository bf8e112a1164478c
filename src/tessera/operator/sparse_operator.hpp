// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse matrix as smoothers, cycles and solvers see it: whatever its format, the scalar that it
/// is stored in and the width of its offsets.
#pragma once

#include "tessera/kernels/persistent/step.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/storage_info.hpp"

#include <cstddef>

namespace tessera {

/// The one seam at which format, storage and offsets end: vectors are of `Scalar`, what the matrix
/// is stored in is a matter of run time. A call costs some nanoseconds, a launch microseconds.
///
/// Sums are carried in the wider of the two scalars, at least float. The fused steps of a cycle are
/// those of tessera/kernels/spmv/; all work is queued on `exec` and nothing waits for it.
template <class Scalar, class Space>
class SparseOperator : public LinearOperator<Scalar, Space> {
 public:
  using typename LinearOperator<Scalar, Space>::ConstVectors;
  using typename LinearOperator<Scalar, Space>::Vectors;

  virtual std::size_t num_entries() const = 0;
  virtual StorageInfo info() const = 0;

  /// One damped Jacobi sweep in one pass: x_out = x_in + d .* (b - A x_in), `d` of length num_rows.
  /// x_in and x_out do not overlap.
  virtual void jacobi_sweep(const Space& exec, const ArrayView<const Scalar, Space>& d,
                            const ConstVectors& b, const ConstVectors& x_in,
                            const Vectors& x_out) const = 0;

  /// One step of the Chebyshev recurrence in one pass: p = beta p + alpha d .* (b - A x_in),
  /// x_out = x_in + p. `p` is updated in place (beta == 0 overwrites it); x_in and x_out do not
  /// overlap.
  virtual void chebyshev_step(const Space& exec, const ArrayView<const Scalar, Space>& d,
                              Scalar alpha, Scalar beta, const ConstVectors& b,
                              const ConstVectors& x_in, const Vectors& p,
                              const Vectors& x_out) const = 0;

  /// Fills in the matrix of a step of a cycle in one kernel. False where it is not in compressed
  /// rows of `Scalar`, or some of these are so long that its product is shared out by entries:
  /// there a row has one warp at most.
  [[nodiscard]] virtual bool write_rows(kernels::Step<Scalar>& /*step*/) const { return false; }
};

}  // namespace tessera
