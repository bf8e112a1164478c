// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One pass of a cycle over the rows of a level, as a kernel that runs many of them is told of it.
#pragma once

#include "tessera/kernels/execution/types.hpp"

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
  int matrix = 0;  ///< the first step of the program with the same matrix; set by StepProgram

  KOKKOS_FUNCTION bool has_matrix() const {
    return kind != StepKind::scale && kind != StepKind::add && kind != StepKind::dense;
  }
};

namespace detail {

/// What a step reads at a row beside the row's product, so that it is asked for before that is
/// there.
template <class Scalar>
struct RowOperands {
  Scalar b = 0;
  Scalar d = 0;
  Scalar old = 0;  ///< of y where a step adds to it, of x where it is an iterate
  Scalar p = 0;
};

template <class Scalar>
KOKKOS_INLINE_FUNCTION RowOperands<Scalar> operands_of(const Step<Scalar>& step,
                                                       Scalar* const* vectors, Ordinal i) {
  RowOperands<Scalar> at;
  if (step.b != no_vector) at.b = vectors[step.b][i];
  if (step.d != nullptr) at.d = step.d[i];
  if (step.kind == StepKind::add || step.kind == StepKind::add_product) at.old = vectors[step.y][i];
  if (step.kind == StepKind::jacobi || step.kind == StepKind::chebyshev)
    at.old = vectors[step.x][i];
  // With beta = 0 there may be a NaN.
  if (step.kind == StepKind::chebyshev && step.beta != Scalar(0)) at.p = vectors[step.p][i];
  return at;
}

/// Writes a step's results at row `i`, whose product with x is `s`; returns what y becomes.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar finish_row(const Step<Scalar>& step, Scalar* const* vectors,
                                         Ordinal i, const RowOperands<Scalar>& at, Scalar s) {
  Scalar y = s;
  int copy = no_vector;  // of another number than y, and that number
  Scalar copied = 0;
  switch (step.kind) {
    case StepKind::scale:
      y = copied = step.alpha * at.d * at.b;
      break;
    case StepKind::add:
      y = at.old + vectors[step.x][i];
      break;
    case StepKind::add_product:
      y = at.old + s;
      break;
    case StepKind::jacobi:
      y = at.old + at.d * (at.b - s);
      break;
    case StepKind::chebyshev:
      copied = step.beta * at.p + step.alpha * at.d * (at.b - s);
      y = at.old + copied;
      break;
    case StepKind::residual:
    case StepKind::product:
      if (step.kind == StepKind::residual) y = at.b - s;
      copied = step.alpha * at.d * y;
      copy = step.scaled;
      break;
    case StepKind::dense:
      break;
  }
  vectors[step.y][i] = y;
  if (copy != no_vector) vectors[copy][i] = copied;
  if (step.p != no_vector) vectors[step.p][i] = copied;
  return y;
}

}  // namespace detail
}  // namespace tessera::kernels
