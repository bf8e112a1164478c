// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One pass of a cycle over the rows of a level, as a kernel that runs many of them is told of it.
#pragma once

#include "tessera/kernels/types.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {

/// What a step does with each row i, s being the row's product with x.
enum class StepKind : std::int32_t {
  scale,  ///< y = alpha d b, and p the same where there is one
  add,  ///< y = y + x
  product,  ///< y = s
  add_product,  ///< y = y + s
  residual,  ///< y = b - s
  jacobi,  ///< y = x + d (b - s)
  chebyshev,  ///< p = beta p + alpha d (b - s), y = x + p
  dense  ///< y = the product of x with a dense matrix in double
};

/// In the place of a vector's number.
inline constexpr int no_vector = -1;

/// A step by the addresses of what it reads. Matrices and diagonals stay as they are while it runs;
/// vectors are named by their numbers in a table, because some are the caller's.
template <class Scalar>
struct Step {
  StepKind kind = StepKind::scale;
  Ordinal num_rows = 0;
  int lanes = 1;  ///< that share a row on a device: a power of two up to 32
  bool by_one_block = false;  ///< on a device
  std::size_t num_entries = 0;  ///< of the matrix
  /// The matrix in compressed rows; one of the two offsets.
  const std::int32_t* offsets = nullptr;
  const std::int64_t* wide_offsets = nullptr;
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const double* dense = nullptr;  ///< num_rows by num_rows, row after row
  const Scalar* d = nullptr;
  Scalar alpha = 1;
  Scalar beta = 0;
  int b = no_vector;
  int x = no_vector;
  int y = no_vector;
  int p = no_vector;
  /// After `product` and `residual`: this one is alpha d y, and so is p where there is one. It is
  /// the first sweep of the relaxation from zero with y as its right-hand side.
  int scaled = no_vector;

  bool has_matrix() const {
    return kind != StepKind::scale && kind != StepKind::add && kind != StepKind::dense;
  }
};

namespace detail {

/// What a step does with row `i`, whose product with x is `s`.
template <class Scalar>
KOKKOS_INLINE_FUNCTION void finish_row(const Step<Scalar>& step, Scalar* const* vectors, Ordinal i,
                                       Scalar s) {
  Scalar* const y = vectors[step.y];
  switch (step.kind) {
    case StepKind::scale: {
      const Scalar value = step.alpha * step.d[i] * vectors[step.b][i];
      y[i] = value;
      if (step.p != no_vector) vectors[step.p][i] = value;
      return;
    }
    case StepKind::add:
      y[i] += vectors[step.x][i];
      return;
    case StepKind::dense:
      y[i] = s;
      return;
    case StepKind::add_product:
      y[i] += s;
      return;
    case StepKind::jacobi:
      y[i] = vectors[step.x][i] + step.d[i] * (vectors[step.b][i] - s);
      return;
    case StepKind::chebyshev: {
      Scalar* const p = vectors[step.p];
      const Scalar update = step.alpha * step.d[i] * (vectors[step.b][i] - s);
      // What is not there yet may be a NaN.
      const Scalar direction = step.beta == Scalar(0) ? update : step.beta * p[i] + update;
      p[i] = direction;
      y[i] = vectors[step.x][i] + direction;
      return;
    }
    case StepKind::product:
    case StepKind::residual:
      break;
  }
  const Scalar result = step.kind == StepKind::residual ? vectors[step.b][i] - s : s;
  y[i] = result;
  if (step.scaled == no_vector) return;
  const Scalar value = step.alpha * step.d[i] * result;
  vectors[step.scaled][i] = value;
  if (step.p != no_vector) vectors[step.p][i] = value;
}

}  // namespace detail
}  // namespace tessera::kernels
