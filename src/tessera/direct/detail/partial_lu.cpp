// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/partial_lu.hpp"

#include "tessera/direct/detail/panel_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::direct::detail {
namespace {

/// Takes off `column`, from row `first` on, what the factored columns first <= p < end do.
TESSERA_DIRECT_INLINE void eliminate_columns(const Panel& lower, int first, int end,
                                             double* column) {
  for (int p = first; p < end; ++p) {
    for (int i = p + 1; i < end; ++i)
      column[i] -= column[p] * lower.column(p)[i];
  }
  subtract_columns(lower, first, end, end, lower.height - end, column + first, column + end);
}

TESSERA_DIRECT_INLINE void swap_rows(const LuPanels& f, int j, int pivot) {
  f.swaps[j] = pivot;
  if (pivot == j) return;
  for (int p = 0; p < f.lower.width; ++p)
    std::swap(f.lower.column(p)[j], f.lower.column(p)[pivot]);
  std::swap_ranges(f.upper.column(j), f.upper.column(j) + f.upper.height, f.upper.column(pivot));
}

TESSERA_DIRECT_INLINE int factor(const LuPanels& f, double least) {
  const Panel& lower = f.lower;
  int raised = 0;
  for (int start = 0; start < lower.width; start += block) {
    const int end = std::min(start + block, lower.width);
    for (int j = start; j < end; ++j) {
      double* column = lower.column(j);
      eliminate_columns(lower, start, j, column);
      const double* const largest =
          std::max_element(column + j, column + lower.width,
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
      swap_rows(f, j, static_cast<int>(largest - column));
      if (!std::isfinite(column[j])) return -1;
      if (std::abs(column[j]) < least) {
        column[j] = std::copysign(least, column[j]);
        ++raised;
      }
      const double inverse = 1 / column[j];
      for (int i = j + 1; i < lower.height; ++i)
        column[i] *= inverse;
    }
    for (int j = end; j < lower.width; ++j)
      eliminate_columns(lower, start, end, lower.column(j));
  }
  for (int j = 1; j < lower.width; ++j)
    subtract_products(f.upper, 0, j, 0, f.upper.height, lower.values + j, lower.height,
                      f.upper.column(j));
  return raised;
}

TESSERA_DIRECT_INLINE void product(const LuPanels& f, double* update) {
  const int n = f.upper.height;
  for (int j = 0; j < n; ++j, update += n)
    subtract_products(f.lower, 0, f.lower.width, f.lower.width, n, f.upper.values + j, n, update);
}

TESSERA_DIRECT_INLINE void forward(const LuPanels& f, double* own, double* below) {
  const int width = f.lower.width;
  for (int j = 0; j < width; ++j)
    std::swap(own[j], own[f.swaps[j]]);
  for (int start = 0; start < width; start += block) {
    const int end = std::min(start + block, width);
    for (int j = start; j < end; ++j) {
      for (int i = j + 1; i < end; ++i)
        own[i] -= own[j] * f.lower.column(j)[i];
    }
    subtract_columns(f.lower, start, end, end, width - end, own + start, own + end);
    subtract_columns(f.lower, start, end, width, f.upper.height, own + start, below);
  }
}

TESSERA_DIRECT_INLINE void backward(const LuPanels& f, double* own, const double* below) {
  for (int j = f.lower.width - 1; j >= 0; --j)
    own[j] -= dot(f.upper.height, f.upper.column(j), below);
  for (int j = f.lower.width - 1; j >= 0; --j) {
    const double* column = f.lower.column(j);
    own[j] /= column[j];
    subtract_one(j, column, own[j], own);
  }
}

#if TESSERA_DIRECT_WIDE
__attribute__((target("avx2"))) int factor_wide(const LuPanels& panels, double least) {
  return factor(panels, least);
}
__attribute__((target("avx2"))) void product_wide(const LuPanels& panels, double* update) {
  product(panels, update);
}
__attribute__((target("avx2"))) void forward_wide(const LuPanels& panels, double* own,
                                                  double* below) {
  forward(panels, own, below);
}
__attribute__((target("avx2"))) void backward_wide(const LuPanels& panels, double* own,
                                                   const double* below) {
  backward(panels, own, below);
}
#endif

}  // namespace

int factor_panels(const LuPanels& panels, double least) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return factor_wide(panels, least);
#endif
  return factor(panels, least);
}

void subtract_product(const LuPanels& panels, double* update) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return product_wide(panels, update);
#endif
  product(panels, update);
}

void solve_forward(const LuPanels& panels, double* own, double* below) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return forward_wide(panels, own, below);
#endif
  forward(panels, own, below);
}

void solve_backward(const LuPanels& panels, double* own, const double* below) {
#if TESSERA_DIRECT_WIDE
  if (has_wide_vectors) return backward_wide(panels, own, below);
#endif
  backward(panels, own, below);
}

}  // namespace tessera::direct::detail
