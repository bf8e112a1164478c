// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of a tile in fewer bits than it was made with.
#pragma once

#include "tessera/kernels/format/mixed_tiles/row_of_tiles.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels::detail {

/// `value` of a tile that was made for `own` as one of level `level` has it.
template <class Scalar>
KOKKOS_INLINE_FUNCTION double lowered_value(double value, int level, int exponent) {
  return with_tile_kind(static_cast<TileKind>(level - 1), [&]<TileKind kind>() {
    if constexpr (kind < own_tile_kind<Scalar>) {
      return as_tile_has_it<Scalar, kind>(value, exponent);
    } else {
      return value;
    }
  });
}

/// Stores a tile of kind `own` as one of kind `kind`, of fewer bits, in its place: no value is
/// written over one that is still to be read.
template <int size, class Scalar>
KOKKOS_FUNCTION void lower_in_place(std::uint64_t* tile, TileKind own, TileKind kind) {
  const auto head = TileHead<size>::of(tile[0]);
  const int num_rows = head.num_rows();
  auto* const bytes = reinterpret_cast<std::byte*>(tile);
  with_tile_kind(own, [&]<TileKind from>() {
    with_tile_kind(kind, [&]<TileKind to>() {
      if constexpr (to < from && to < own_tile_kind<Scalar>) {
        const auto* const old = reinterpret_cast<const TileValue<from>*>(
            bytes + head.values_at(num_rows, sizeof(TileValue<from>)));
        auto* const now = reinterpret_cast<TileValue<to>*>(
            bytes + head.values_at(num_rows, sizeof(TileValue<to>)));
        const double factor = tile_scale<Scalar, from>(head.exponent) *
                              power_of_two(TileValueOf<to>::top - head.exponent);
        for (int e = 0; e < head.entries; ++e)
          now[e] = static_cast<TileValue<to>>(static_cast<double>(old[e]) * factor);
      }
    });
  });
}

}  // namespace tessera::kernels::detail
