// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The mBSR product by the FP64 matrix cores of CDNA: one wavefront per tile row, four tiles per
/// instruction. Compiled for gfx90a, never run on an AMD GPU.
#pragma once

#include "tessera/kernels/spmv/hip/tile_quad.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <string>

namespace tessera::kernels::hip {

/// One wavefront per tile row. `arrays` has up to `TileQuad::max_columns` active columns.
template <class Storage, class Working, TileLayout layout>
struct MfmaTileRows {
  detail::TileArrays<Storage, Working> arrays;
  detail::RowUpdate<Working> update;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i >= arrays.num_tile_rows()) return;  // the same for all lanes of a wavefront
    KOKKOS_IF_ON_DEVICE((multiply(i, threadIdx.x);))
  }

#if defined(__HIPCC__)
 private:
  __device__ __forceinline__ void multiply(Ordinal i, int lane) const {
    const std::int32_t to = arrays.tile_offsets[i + 1];
    std::int64_t value = layout == TileLayout::packed ? arrays.value_offsets[i] : 0;
    double d = 0;
    for (std::int32_t first = arrays.tile_offsets[i]; first < to; first += TileQuad::tiles) {
      const std::int32_t t = first + TileQuad::tile(lane);
      const std::uint32_t map = t < to ? arrays.maps[t] : 0u;
      const int entries = count_bits(map);
      int before = 0;
      int all = 0;
      for (int q = 0; q < TileQuad::tiles; ++q) {
        const int of_tile = __shfl(entries, TileQuad::lane_of(q));
        if (q < TileQuad::tile(lane)) before += of_tile;
        all += of_tile;
      }
      const double a = element(t, map, value + before, lane);
      d = multiply_add(a, x_element(t, map, lane), d);
      value += all;
    }
    finish(i, lane, d);
  }

  __device__ __forceinline__ static double multiply_add([[maybe_unused]] double a,
                                                        [[maybe_unused]] double b, double d) {
#if defined(__gfx90a__) || defined(__gfx942__)
    return __builtin_amdgcn_mfma_f64_4x4x4f64(a, b, d, 0, 0, 0);
#else
    return d;  // no plan for this kernel is made where the instruction is missing
#endif
  }

  /// The value that this lane holds of tile `t`, whose packed values begin at `value`.
  __device__ __forceinline__ double element(std::int32_t t, std::uint32_t map, std::int64_t value,
                                            int lane) const {
    const int place = TileQuad::place(lane);
    if ((map >> place & 1u) == 0) return 0;
    const std::int64_t at = layout == TileLayout::packed
                                ? value + entries_before(map, place)
                                : static_cast<std::int64_t>(tile_places) * t + place;
    return static_cast<double>(arrays.values[at]);
  }

  /// The element of x that this lane holds; 0 in a column of the tile without entries, which may
  /// lie beyond the last column of the matrix.
  __device__ __forceinline__ double x_element(std::int32_t t, std::uint32_t map, int lane) const {
    const int row = TileQuad::b_row(lane);
    const int column = TileQuad::b_col(lane);
    constexpr std::uint32_t tile_column = 0x1111u;
    if ((map >> row & tile_column) == 0 || column >= arrays.active) return 0;
    return static_cast<double>(
        arrays.x[static_cast<std::size_t>(arrays.tile_columns[t]) * tile_size + row +
                 column * arrays.ldx]);
  }

  __device__ __forceinline__ void finish(Ordinal i, int lane, double d) const {
    d += __shfl_xor(d, TileQuad::first_neighbour);
    d += __shfl_xor(d, TileQuad::second_neighbour);
    const Ordinal row = tile_size * i + TileQuad::d_row(lane);
    const int column = TileQuad::d_col(lane);
    if (TileQuad::tile(lane) != 0 || row >= arrays.num_rows || column >= arrays.active) return;
    update(row, arrays.first_column + column, static_cast<double>(arrays.scale) * d);
  }
#endif
};

}  // namespace tessera::kernels::hip

namespace tessera::kernels::detail {

/// update(row, column, (A x)(row, column)) for every row and every active column, four at most.
template <class Storage, class Working>
void launch_tensor_tile_rows(const Kokkos::HIP& exec, const std::string& label, TileLayout layout,
                             const TileArrays<Storage, Working>& arrays,
                             const RowUpdate<Working>& update) {
  constexpr int wavefronts_per_team = 4;
  const int teams = (arrays.num_tile_rows() - 1) / wavefronts_per_team + 1;
  const Kokkos::TeamPolicy<Kokkos::HIP> policy(exec, teams, wavefronts_per_team,
                                               hip::TileQuad::lanes);
  if (layout == TileLayout::packed) {
    Kokkos::parallel_for(label, policy,
                         hip::MfmaTileRows<Storage, Working, TileLayout::packed>{arrays, update});
  } else {
    Kokkos::parallel_for(label, policy,
                         hip::MfmaTileRows<Storage, Working, TileLayout::dense>{arrays, update});
  }
}

}  // namespace tessera::kernels::detail
