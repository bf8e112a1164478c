// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What columns of a panel take off another column: the inner loops of sparse factors.
#pragma once

#include "tessera/direct/detail/panel.hpp"

#include <algorithm>
#include <cstddef>

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

/// Columns that are taken off at once, so that the target is loaded and stored once for them.
inline constexpr int block = 8;

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

/// y <- y - sum over first <= p < end of factors[p * stride] times `n` numbers of column p from row
/// `row` on.
TESSERA_DIRECT_INLINE void subtract_products(const Panel& panel, int first, int end, int row, int n,
                                             const double* factors, std::size_t stride, double* y) {
  double c[block];
  for (int p = first; p < end; p += block) {
    const int stop = std::min(p + block, end);
    for (int q = p; q < stop; ++q)
      c[q - p] = factors[q * stride];
    subtract_columns(panel, p, stop, row, n, c, y);
  }
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

#if TESSERA_DIRECT_WIDE
inline const bool has_wide_vectors = __builtin_cpu_supports("avx2");
#endif

}  // namespace tessera::direct::detail
