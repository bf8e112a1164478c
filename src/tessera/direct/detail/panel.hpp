// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The dense parts of sparse factors.
#pragma once

#include <cstddef>

namespace tessera::direct::detail {

/// Columns of a matrix, one after the other, `stride` numbers apart.
struct Panel {
  double* values;
  int height;
  int width;

  double* column(int j) const { return values + static_cast<std::size_t>(j) * height; }
};

/// The lower triangle of a square matrix, column after column, each from its diagonal on.
struct Triangle {
  double* values;
  int n;

  static std::size_t size(std::size_t n) { return n * (n + 1) / 2; }
  std::size_t size() const { return size(n); }
  /// Where column j would start if it had all rows: its row i >= j is i numbers on.
  double* column(int j) const {
    const auto k = static_cast<std::ptrdiff_t>(j);
    return values + (k * (2 * static_cast<std::ptrdiff_t>(n) - k - 1)) / 2;
  }
};

}  // namespace tessera::direct::detail
