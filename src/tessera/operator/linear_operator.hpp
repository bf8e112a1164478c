// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a Krylov solver needs of a matrix and of a preconditioner.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <string>

namespace tessera {

/// `A` of `A x = b`, as a Krylov solver sees it. All Views live in the memory of `Space`; all work
/// is queued on `exec` and nothing waits for it.
template <class Scalar, class Space>
class LinearOperator {
 public:
  using scalar_type = Scalar;
  using execution_space = Space;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  virtual ~LinearOperator() = default;

  virtual Ordinal num_rows() const = 0;
  virtual Ordinal num_cols() const = 0;

  /// y = alpha A x + beta y, column by column. `beta == 0` overwrites `y`, NaN included; `alpha ==
  /// 0` does not read `x`. x: num_cols by k, y: num_rows by k, not overlapping.
  virtual void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
                     const Vectors& y) const = 0;

  /// r = b - A x, reading the matrix once. `r` may be `b`.
  virtual void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                        const Vectors& r) const = 0;

  /// y = A x and `result(j)` = <x_j, y_j>, on the device, for a square operator.
  virtual void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                         const ArrayView<Scalar, Space>& result) const = 0;
};

/// `M`, an approximation of the inverse of `A`.
template <class Scalar, class Space>
class Preconditioner {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  virtual ~Preconditioner() = default;

  /// Makes room for `k` right-hand sides at once, so that `apply` allocates nothing.
  virtual void prepare(const Space& exec, int k) = 0;

  /// z = M r; overwrites `z`, NaN included. r and z: num_rows by k, not overlapping.
  virtual void apply(const Space& exec, const ConstVectors& r, const Vectors& z) = 0;
};

template <class Scalar, class Space>
class StepWriter;
struct SweepVectors;

/// A relaxation for `A x = b`, made for one matrix. As a preconditioner it is its sweeps from the
/// guess zero.
template <class Scalar, class Space>
class Smoother : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// Whether a sweep overwrites the iterate that it reads, as Gauss-Seidel does, or needs a second
  /// vector, so that a Jacobi sweep is one pass over the matrix.
  virtual bool works_in_place() const = 0;

  /// x_out = the iterate after this smoother's sweeps from `x_in`. The two are the same vectors
  /// where it works in place, and do not overlap where it does not.
  virtual void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& x_out) = 0;

  /// Whether the sweeps run one way, so that for a symmetric A they are symmetric only together
  /// with those of `smooth_after`.
  virtual bool relaxes_one_way() const { return false; }

  /// The sweeps after the coarse correction: those of `smooth`, or the other way where these are of
  /// one, as backward sweeps of Gauss-Seidel after forward ones, the adjoint for a symmetric A.
  virtual void smooth_after(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                            const Vectors& x_out) {
    smooth(exec, b, x_in, x_out);
  }

  /// What of its matrix it could not relax as it is made to, for the setup's notes; empty: nothing.
  virtual std::string note() const { return {}; }

  /// Writes the same sweeps as steps of a cycle in one kernel (operator/step_writer.hpp). False
  /// where they cannot be written so; what is written then is of no use.
  [[nodiscard]] virtual bool write_steps(StepWriter<Scalar, Space>& /*writer*/,
                                         const SweepVectors& /*at*/) const {
    return false;
  }
};

}  // namespace tessera
