// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The arguments of a solve with tiles.
#pragma once

#include "tessera/kernels/persistent/detail/dynamic_precision.hpp"
#include "tessera/kernels/persistent/detail/solve_work.hpp"

namespace tessera::kernels::detail {

/// A matrix in tiles, by plain pointers.
template <class Offset>
struct PlainTiles {
  const Offset* tile_offsets;
  const std::uint32_t* keys;
  const Offset* begins;
  const std::uint64_t* words;
  Ordinal num_tile_rows;
  std::int64_t num_tiles;
};

/// The arguments of a solve with tiles.
template <class Scalar, class Offset>
struct TiledArguments : SolveArguments<Scalar, Offset> {
  PlainTiles<Offset> tiles;
  double* segments;  ///< norms of segments of vectors, `segment_stride` apart
  std::size_t segment_stride;
  std::uint8_t* levels;  ///< of tiles
  TileOptions options;
  double* work;  ///< `num_tile_notes` that the host is told

  KOKKOS_FUNCTION double* norms(int k) const { return segments + k * segment_stride; }
};

}  // namespace tessera::kernels::detail
