// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where conversions to mBSR write to.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels::detail {

/// Where a conversion writes to, and how it stores a value.
template <class Storage, class Space>
struct TileTarget {
  TileLayout layout;
  double inverse_scale;
  Array<std::int32_t, Space> tile_offsets;
  Array<Ordinal, Space> tile_columns;
  Array<TileMap, Space> maps;
  Array<Storage, Space> values;

  template <class Scalar>
  KOKKOS_INLINE_FUNCTION Storage stored(Scalar value) const {
    return static_cast<Storage>(static_cast<double>(value) * inverse_scale);
  }
  KOKKOS_INLINE_FUNCTION std::size_t dense_start(std::int32_t tile) const {
    return static_cast<std::size_t>(tile) * tile_places;
  }
};

}  // namespace tessera::kernels::detail
