// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Dense matrices of a coarsest level, and their scaling before they are inverted.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::amg::detail {

/// Column-major, n by n, or n by any number of vectors.
using Dense = std::vector<double>;

inline double& at(Dense& a, int n, int i, int j) { return a[static_cast<std::size_t>(j) * n + i]; }
inline double at(const Dense& a, int n, int i, int j) {
  return a[static_cast<std::size_t>(j) * n + i];
}

/// a_ij <- r_i a_ij c_j, one after the other: r_i c_j alone may overflow.
void scale(Dense& a, int n, const Dense& r, const Dense& c);

/// Scales both sides of a symmetric matrix by the same numbers, which it returns: to a diagonal of
/// 1 in magnitude. Where that leaves larger entries beside it the matrix is indefinite, and its
/// rows are made to have a largest entry of about 1 (Ruiz 2001).
Dense scale_symmetric(Dense& a, int n);

/// Scales rows, then columns, to a largest entry of 1.
std::pair<Dense, Dense> scale_rows_and_columns(Dense& a, int n);

/// Whether A is symmetric but for `tolerance`, relative to the roots of the diagonal or, where that
/// is zero, of the largest entries.
bool symmetric(const Dense& a, int n, double tolerance);

}  // namespace tessera::amg::detail
