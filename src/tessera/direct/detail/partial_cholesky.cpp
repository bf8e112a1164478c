// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/partial_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::direct::detail {
namespace {

/// Columns that are taken off at once, so that the target is loaded and stored once for them.
constexpr int block = 8;

/// y <- y - sum over p < block of c[p] a_p for columns a_p.
void subtract_block(int n, const double* __restrict a, std::size_t stride, const double* c,
                    double* __restrict y) {
  const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  const double c4 = c[4], c5 = c[5], c6 = c[6], c7 = c[7];
  const double* __restrict a1 = a + stride;
  const double* __restrict a2 = a + 2 * stride;
  const double* __restrict a3 = a + 3 * stride;
  const double* __restrict a4 = a + 4 * stride;
  const double* __restrict a5 = a + 5 * stride;
  const double* __restrict a6 = a + 6 * stride;
  const double* __restrict a7 = a + 7 * stride;
  for (int i = 0; i < n; ++i) {
    y[i] -= ((c0 * a[i] + c1 * a1[i]) + (c2 * a2[i] + c3 * a3[i])) +
            ((c4 * a4[i] + c5 * a5[i]) + (c6 * a6[i] + c7 * a7[i]));
  }
}

void subtract_one(int n, const double* __restrict a, double c, double* __restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] -= c * a[i];
}

/// Takes the columns from `first` up to `end` off row `row` and below of `y`, the column whose
/// diagonal is in that row.
void subtract_columns(const Panel& panel, int first, int end, int row, double* y) {
  const int n = panel.height - row;
  int p = first;
  for (; p + block <= end; p += block) {
    double c[block];
    for (int q = 0; q < block; ++q)
      c[q] = panel.column(p + q)[row];
    subtract_block(n, panel.column(p) + row, panel.height, c, y);
  }
  for (; p < end; ++p)
    subtract_one(n, panel.column(p) + row, panel.column(p)[row], y);
}

}  // namespace

bool factor_panel(const Panel& panel, const double* diagonal, PivotRule& rule) {
  for (int start = 0; start < panel.width; start += block) {
    const int end = std::min(start + block, panel.width);
    for (int j = start; j < end; ++j) {
      double* column = panel.column(j);
      subtract_columns(panel, start, j, j, column + j);
      double pivot = column[j];
      if (!(pivot > rule.least * diagonal[j])) {
        const double raised = std::sqrt(rule.least) * diagonal[j];
        if (!(diagonal[j] > 0) || !(pivot > -raised)) return false;
        pivot = raised;
        ++rule.raised;
      }
      const double root = std::sqrt(pivot);
      if (!std::isfinite(root)) return false;
      column[j] = root;
      for (int i = j + 1; i < panel.height; ++i)
        column[i] /= root;
    }
    for (int j = end; j < panel.width; ++j)
      subtract_columns(panel, start, end, j, panel.column(j) + j);
  }
  return true;
}

void subtract_outer_product(const Panel& panel, double* update) {
  const int below = panel.height - panel.width;
  for (int j = 0; j < below; ++j) {
    subtract_columns(panel, 0, panel.width, panel.width + j,
                     update + static_cast<std::size_t>(j) * below + j);
  }
}

}  // namespace tessera::direct::detail
