// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Dense (pseudo-)inverses on the host through LAPACK.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::amg::detail {

enum class DenseInverseKind {
  empty,  ///< of a matrix without rows
  cholesky,
  eigenvalues,  ///< of a regular symmetric matrix without Cholesky factors
  lu,
  singular_values,  ///< of a matrix that LU does not tell from a singular one
  pseudo  ///< without some directions
};

struct DenseInverse {
  DenseInverseKind kind;
  std::string description;  ///< "cholesky", "pseudo-inverse, rank 99 of 100"
};

/// Replaces the column-major `n` by `n` matrix `a` by its (pseudo-)inverse and says which one it
/// is. `epsilon` is the unit round-off of the arithmetic that made `a`.
///
/// The matrix is scaled to a unit diagonal first, so that small eigenvalues which only the scaling
/// of the unknowns makes, as jumping coefficients do, are not taken for round-off. A direction is
/// left out only where it is known (`nullspace`: vectors of length n, one after the other, of which
/// a symmetric `a` makes zero but for round-off, however large that is), or where LAPACK's factors
/// of the scaled matrix say that it is singular to the round-off of what made it. The result is the
/// Moore-Penrose inverse of `a` without the directions left out.
/// Nothing where `a` holds a NaN or an infinity, or its inverse would.
std::optional<DenseInverse> invert_dense(std::vector<double>& a, int n, double epsilon,
                                         const std::vector<double>& nullspace = {});

}  // namespace tessera::amg::detail
