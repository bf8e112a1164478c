// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The memory in which a team sums per tile row of a product.
#pragma once

#include "tessera/kernels/format/tile_map.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/mbsr/tile_product.hpp"

namespace tessera::kernels::spgemm_detail {

/// The workspace of a row whose bin has tables of 2^log2_slots slots, in scratch.
template <class Scalar>
struct TileRowWorkspace {
  Scalar* sums;  ///< 16 for each tile
  std::int64_t* starts;  ///< where the values of each tile begin
  Ordinal* columns;

  static KOKKOS_INLINE_FUNCTION constexpr int capacity(int log2_slots) {
    return table_capacity(TableFill::three_quarters, 1 << log2_slots);
  }
  static KOKKOS_INLINE_FUNCTION constexpr int bytes(int log2_slots) {
    constexpr int of_a_tile =
        static_cast<int>(tile_places * sizeof(Scalar) + sizeof(std::int64_t) + sizeof(Ordinal));
    return (capacity(log2_slots) * of_a_tile + 7) / 8 * 8;
  }
  static KOKKOS_INLINE_FUNCTION TileRowWorkspace at(void* memory, int log2_slots) {
    TileRowWorkspace result;
    result.sums = static_cast<Scalar*>(memory);
    result.starts =
        reinterpret_cast<std::int64_t*>(result.sums + capacity(log2_slots) * tile_places);
    result.columns = reinterpret_cast<Ordinal*>(result.starts + capacity(log2_slots));
    return result;
  }
};

/// Rows of bins up to this size are summed by one warp.
inline constexpr int max_log2_one_warp = 6;

/// The largest bin whose rows are summed in scratch, whatever they are summed in.
template <class Space>
int max_log2_sums() {
  const int limit =
      Kokkos::TeamPolicy<Space>::scratch_size_max(0) - ProductScratch<double>::bytes() - 64;
  int log2_slots = smallest_log2_slots;
  while (log2_slots < smallest_log2_slots + num_classes - 2 &&
         TileRowWorkspace<double>::bytes(log2_slots + 1) <= limit)
    ++log2_slots;
  return log2_slots;
}

/// Teams that sum `num_rows` rows of up to `longest` tiles in global memory.
template <class Space>
Ordinal workspace_teams(Ordinal num_rows, Ordinal longest) {
  return teams_for_budget<Space>(num_rows,
                                 longest * (tile_places * sizeof(double) + sizeof(std::int64_t)));
}

}  // namespace tessera::kernels::spgemm_detail
