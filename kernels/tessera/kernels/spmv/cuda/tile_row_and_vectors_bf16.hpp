// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the lanes of a warp multiply one tile row by eight or sixteen vectors, for m16n8k16 in BF16.
///
/// As in tile_row_and_vectors.hpp the vectors are A (16 by 16), and along k lie the parts of x of
/// four tiles. An instruction for each group of eight vectors takes their high pieces in rows 0 to
/// 7 and their middle ones in rows 8 to 15; one more takes the low pieces, of the second group in
/// rows 8 to
/// 15. B (16 by 8) is the four tiles, transposed, one above the other: column 2 r is row r, odd
/// columns are zeros.
///
/// Four tiles in two instructions for eight vectors, in three for sixteen; TF32 takes two and four.
#pragma once

#include "tessera/kernels/execution/cuda/mma_bf16.hpp"
#include "tessera/kernels/precision/cuda/bfloat16_pieces.hpp"
#include "tessera/kernels/spmv/cuda/tile_row_lane.hpp"

namespace tessera::kernels::cuda {

/// Whether a bfloat16 holds every value of `Storage`.
template <class Storage>
inline constexpr bool is_exact_in_bf16 =
    std::is_same_v<Storage, BFloat16> || std::is_same_v<Storage, Fp8E4M3> ||
    std::is_same_v<Storage, Fp8E5M2>;

/// One lane of a warp, as `TileRowsInFloat` asks for it; `groups` of eight vectors, one or two.
template <class Storage, TileLayout layout, int groups>
class TileRowAndVectorsBf16 : public TileRowLane<Storage, layout> {
 public:
  static constexpr int max_columns = groups * vectors_per_group;
  static constexpr int instructions = groups + 1;
  static constexpr int results = groups;

  struct Operands {
    MmaBf16::A a[instructions];
    MmaBf16::B b;
  };

  using TileRowLane<Storage, layout>::TileRowLane;

  /// Calls of `next` for the whole tile row.
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return (m_tiles.pairs() + 1) / 2; }

  /// The operands of four tiles.
  KOKKOS_FORCEINLINE_FUNCTION Operands next() {
    Operands result;
    for (int half = 0; half < 2; ++half) {
      result.b.part[half] = values_of_row();
      if (groups == 1) result.a[low_pieces].part[2 * half + 1] = 0;
      for (int group = 0; group < groups; ++group) {
        const Two<float> x = m_tiles.x(this->column(group));
        const BFloat16Pieces split = BFloat16Pieces::of(x.of[0], x.of[1]);
        result.a[group].part[2 * half] = split.high.bits;
        result.a[group].part[2 * half + 1] = split.middle.bits;
        result.a[low_pieces].part[2 * half + group] = split.low.bits;
      }
      m_tiles.next();
    }
    return result;
  }

  /// Takes what an instruction gave.
  KOKKOS_FORCEINLINE_FUNCTION void add(int i, const MmaBf16::C& c) { m_sums[i] += c; }

  KOKKOS_FORCEINLINE_FUNCTION float sum(int group) const {
    const float (&c)[4] = m_sums[group].part;
    return BFloat16Pieces::joined(c[0], c[2], m_sums[low_pieces].part[2 * group]);
  }

 private:
  /// The instruction for these.
  static constexpr int low_pieces = groups;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t values_of_row() const {
    if (MmaBf16::b_col(m_lane) % 2 == 1) return 0;
    const Two<float> values = m_tiles.values(MmaBf16::b_col(m_lane) / 2);
    return BFloat16Pair::rounded(values.of[0], values.of[1]).bits;
  }

  using TileRowLane<Storage, layout>::m_lane;
  using TileRowLane<Storage, layout>::m_tiles;
  MmaBf16::C m_sums[instructions] = {};
};

}  // namespace tessera::kernels::cuda
