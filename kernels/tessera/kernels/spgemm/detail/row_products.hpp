// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How many products a row of A B adds up.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::spgemm_detail {

/// The lengths of the rows of B that a row of A names, added up.
template <class Space, class Offset>
struct RowProducts {
  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;

  /// Of row `row` of A, -1 for none, by all lanes of a group.
  KOKKOS_INLINE_FUNCTION std::int64_t operator()(const LaneGroup& group, Ordinal row) const {
    const Offset last = row < 0 ? 0 : a_offsets(row + 1);
    std::int64_t products = 0;
    for (Offset k = (row < 0 ? 0 : a_offsets(row)) + group.lane(); k < last; k += group.size()) {
      const Ordinal middle = a_columns(k);
      products += b_offsets(middle + 1) - b_offsets(middle);
    }
    return group.sum(products);
  }
};

}  // namespace tessera::kernels::spgemm_detail
