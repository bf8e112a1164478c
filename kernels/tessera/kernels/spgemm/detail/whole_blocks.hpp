// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether the rows of a matrix are of whole blocks of columns.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <algorithm>

namespace tessera::kernels::spgemm_detail {

/// Whether all rows of B are of whole blocks: `width` entries of adjacent columns, the first of
/// which is a multiple of it. So are those of a prolongator of several near-nullspace vectors.
template <class Scalar, class Space, class Offset>
bool has_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& B, Ordinal width) {
  const auto is_blocked = [=](const Ordinal row) {
    const Offset end = B.offsets(row + 1);
    if ((end - B.offsets(row)) % width != 0) return false;
    for (Offset k = B.offsets(row); k < end; k += width) {
      const Ordinal first = B.columns(k);
      if (first % width != 0) return false;
      for (Ordinal c = 1; c < width; ++c)
        if (B.columns(k + c) != first + c) return false;
    }
    return true;
  };
  // Most matrices show it in their first rows.
  constexpr Ordinal looked_at = 16;
  for (Ordinal row = 0; row < std::min(looked_at, B.num_rows); ++row)
    if (!is_blocked(row)) return false;
  Ordinal others = 0;
  Kokkos::parallel_reduce(
      "tessera::spgemm::has_blocks", Kokkos::RangePolicy<Space>(exec, 0, B.num_rows),
      [=](const Ordinal row, Ordinal& sum) { sum += is_blocked(row) ? 0 : 1; }, others);
  return others == 0 && B.num_entries > 0;
}

}  // namespace tessera::kernels::spgemm_detail
