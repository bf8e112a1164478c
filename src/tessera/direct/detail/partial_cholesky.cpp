// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/partial_cholesky.hpp"

#include <algorithm>
#include <cmath>

// Vectors of four numbers where the machine has them: each loop below is compiled twice. Without
// fused operations both give the same bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define TESSERA_DIRECT_WIDE 1
#define TESSERA_DIRECT_INLINE inline __attribute__((always_inline))
#else
#define TESSERA_DIRECT_WIDE 0
#define TESSERA_DIRECT_INLINE inline
#endif

namespace tessera::direct::detail {
namespace {

/// Columns that are taken off at once, so that the target is loaded and stored once for them.
constexpr int block = 8;

/// y <- y - sum over p < block of c[p] a_p for columns a_p.
TESSERA_DIRECT_INLINE void subtract_eight(int n, const double* __restrict a, std::size_t stride,
                                          const double* c, double* __restrict y) {
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

/// The same of four columns, ...
TESSERA_DIRECT_INLINE void subtract_four(int n, const double* __restrict a, std::size_t stride,
                                         const double* c, double* __restrict y) {
  const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  const double* __restrict a1 = a + stride;
  const double* __restrict a2 = a + 2 * stride;
  const double* __restrict a3 = a + 3 * stride;
  for (int i = 0; i < n; ++i)
    y[i] -= (c0 * a[i] + c1 * a1[i]) + (c2 * a2[i] + c3 * a3[i]);
}

/// ... and of one.
TESSERA_DIRECT_INLINE void subtract_one(int n, const double* __restrict a, double c,
                                        double* __restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] -= c * a[i];
}

/// y <- y - sum over first <= p < end of c[p - first] times `n` numbers of column p from row `row`
/// on.
TESSERA_DIRECT_INLINE void subtract_columns(const Panel& panel, int first, int end, int row, int n,
                                            const double* c, double* y) {
  int p = first;
  for (; p + block <= end; p += block)
    subtract_eight(n, panel.column(p) + row, panel.height, c + (p - first), y);
  if (p + 4 <= end) {
    subtract_four(n, panel.column(p) + row, panel.height, c + (p - first), y);
    p += 4;
  }
  for (; p < end; ++p)
    subtract_one(n, panel.column(p) + row, c[p - first], y);
}

/// The same down to the panel's end, with the entries of row `row` as the factors: what the columns
/// take off the one that has its diagonal there.
TESSERA_DIRECT_INLINE void subtract_products(const Panel& panel, int first, int end, int row,
                                             double* y) {
  double c[block];
  for (int p = first; p < end; p += block) {
    const int stop = std::min(p + block, end);
    for (int q = p; q < stop; ++q)
      c[q - p] = panel.column(q)[row];
    subtract_columns(panel, p, stop, row, panel.height - row, c, y);
  }
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

/// Sums in lanes, which are added in the end: one after the other they would wait for each other.
TESSERA_DIRECT_INLINE double dot(int n, const double* a, const double* b) {
  double lane[block] = {};
  int i = 0;
  for (; i + block <= n; i += block) {
    for (int q = 0; q < block; ++q)
      lane[q] += a[i + q] * b[i + q];
  }
  for (int q = 0; i < n; ++i, ++q)
    lane[q] += a[i] * b[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
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
const bool has_wide_vectors = __builtin_cpu_supports("avx2");

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
