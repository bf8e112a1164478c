// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The columns of a product with tiles, in groups that a kernel serves at once.
#pragma once

#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <algorithm>
#include <type_traits>

namespace tessera::kernels::detail {

/// Calls `pass(std::integral_constant<TileLayout, layout>{}, std::integral_constant<int, N>{},
/// first_column, active)` for groups of up to `largest` columns until all `k` are done. A device
/// has kernels for 1, 4 and 16 columns; fewer than a kernel has are masked, so that the matrix is
/// read as few times as can be.
template <int largest, class Pass>
void for_tile_groups(TileLayout layout, int k, const Pass& pass) {
  const auto in_layout = [&](auto constant) {
    for (int first = 0; first < k; first += largest) {
      const int active = std::min(largest, k - first);
      if (active == 1) {
        pass(constant, std::integral_constant<int, 1>{}, first, active);
      } else if (active <= 4) {
        pass(constant, std::integral_constant<int, 4>{}, first, active);
      } else {
        pass(constant, std::integral_constant<int, largest>{}, first, active);
      }
    }
  };
  if (layout == TileLayout::packed) {
    in_layout(std::integral_constant<TileLayout, TileLayout::packed>{});
  } else {
    in_layout(std::integral_constant<TileLayout, TileLayout::dense>{});
  }
}

/// What a kernel needs of `A`, `plan` and `active` columns of `x` from `first` on.
template <class Storage, class Working, class Space>
TileArrays<Storage, Working> tile_arrays(const MbsrSpmvPlan<Space>& plan,
                                         const MbsrView<Storage, Space>& A,
                                         const ConstMultiVectorView<Working, Space>& x, int first,
                                         int active) {
  TileArrays<Storage, Working> arrays(A, x, first, active);
  arrays.maps_repeat = plan.maps_repeat;
  return arrays;
}

}  // namespace tessera::kernels::detail
