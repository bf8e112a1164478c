// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/partial_cholesky.hpp"

#include "tessera/direct/detail/panel_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::direct::detail {
namespace {

/// What columns first <= p < end take off the one that has its diagonal in row `row`.
TESSERA_DIRECT_INLINE void subtract_products(const Panel& panel, int first, int end, int row,
                                             double* y) {
  subtract_products(panel, first, end, row, panel.height - row, panel.values + row, panel.height,
                    y);
}

TESSERA_DIRECT_INLINE bool factor(const Panel& panel, const double* diagonal, PivotRule& rule) {
  for (int start = 0; start < panel.width; start += block) {
    const int end = std::min(start + block, panel.width);
    for (int j = start; j < end; ++j) {
      double* column = panel.column(j);
      subtract_products(panel, start, j, j, column + j);
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
      const double inverse = 1 / root;
      for (int i = j + 1; i < panel.height; ++i)
        column[i] *= inverse;
    }
    for (int j = end; j < panel.width; ++j)
      subtract_products(panel, start, end, j, panel.column(j) + j);
  }
  return true;
}

TESSERA_DIRECT_INLINE void outer_product(const Panel& panel, const Triangle& update) {
  for (int j = 0; j < update.n; ++j)
    subtract_products(panel, 0, panel.width, panel.width + j, update.column(j) + j);
}

TESSERA_DIRECT_INLINE void forward(const Panel& panel, double* own, double* below) {
  const int width = panel.width;
  for (int start = 0; start < width; start += block) {
    const int end = std::min(start + block, width);
    for (int j = start; j < end; ++j) {
      const double* column = panel.column(j);
      own[j] /= column[j];
      for (int i = j + 1; i < end; ++i)
        own[i] -= own[j] * column[i];
    }
    subtract_columns(panel, start, end, end, width - end, own + start, own + end);
    subtract_columns(panel, start, end, width, panel.height - width, own + start, below);
  }
}

TESSERA_DIRECT_INLINE void backward(const Panel& panel, double* own, const double* below) {
  const int width = panel.width;
  for (int j = width - 1; j >= 0; --j) {
    const double* column = panel.column(j);
    const double sum = own[j] - dot(panel.height - width, column + width, below) -
                       dot(width - j - 1, column + j + 1, own + j + 1);
    own[j] = sum / column[j];
  }
}

#if TESSERA_DIRECT_WIDE
__attribute__((target("avx2"))) bool factor_wide(const Panel& panel, const double* diagonal,
                                                 PivotRule& rule) {
  return factor(panel, diagonal, rule);
}
__attribute__((target("avx2"))) void outer_product_wide(const Panel& panel,
                                                        const Triangle& update) {
  outer_product(panel, update);
}
__attribute__((target("avx2"))) void forward_wide(const Panel& panel, double* own, double* below) {
  forward(panel, own, below);
}
__attribute__((target("avx2"))) void backward_wide(const Panel& panel, double* own,
                                                   const double* below) {
  backward(panel, own, below);
}
#endif

}  // namespace

bool factor_panel(const Panel& panel, const double* diagonal, PivotRule& rule) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return factor_wide(panel, diagonal, rule);
#endif
  return factor(panel, diagonal, rule);
}

void subtract_outer_product(const Panel& panel, const Triangle& update) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return outer_product_wide(panel, update);
#endif
  outer_product(panel, update);
}

void solve_forward(const Panel& panel, double* own, double* below) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return forward_wide(panel, own, below);
#endif
  forward(panel, own, below);
}

void solve_backward(const Panel& panel, double* own, const double* below) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return backward_wide(panel, own, below);
#endif
  backward(panel, own, below);
}

}  // namespace tessera::direct::detail
