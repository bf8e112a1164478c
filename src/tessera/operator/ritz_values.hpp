// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Eigenvalues of the small matrices that Lanczos (tridiagonal) and Arnoldi (Hessenberg) leave, on
/// the host.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

/// An eigenvalue and how far it may be from one of the operator that the method was run on.
struct RitzValue {
  double value = 0;
  double residual = 0;
};

/// What Lanczos leaves: `diagonal` has k entries; `squares` has k too, the squares of the entries
/// beside the diagonal and, last, of the one that the next step would add.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> squares;
};

/// The eigenvalue of largest modulus, by bisection, and its residual. At least one row, all entries
/// finite.
RitzValue largest_ritz_value(const Tridiagonal& matrix);

/// What `size` steps of Arnoldi leave.
struct Hessenberg {
  int size = 0;
  std::vector<double> entries;  ///< size by size, column after column
  double next = 0;  ///< the entry below the last column's, which the next step would add

  double& operator()(int i, int j) { return entries[static_cast<std::size_t>(j) * size + i]; }
  double operator()(int i, int j) const { return entries[static_cast<std::size_t>(j) * size + i]; }
};

/// The modulus of the eigenvalue of largest modulus, real or one of a complex pair, and its
/// residual `next` |y_size|, y the eigenvector of norm 1 (Saad, Numerical Methods for Large
/// Eigenvalue Problems, proposition 6.8). Any square matrix, with finite entries and a row at
/// least. NaN where the QR algorithm does not converge.
RitzValue largest_ritz_modulus(const Hessenberg& matrix);

}  // namespace tessera
