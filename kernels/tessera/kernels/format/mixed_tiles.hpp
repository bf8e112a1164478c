// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse tiles, each of which holds its entries in a precision of its own (Yang et al.,
/// Mille-feuille, SC'24, sections II.A and III.B).
///
/// A matrix is cut into tiles of `size` by `size` places, of which 16 is the one compiled. Two
/// levels: tiles in compressed rows of tiles, and within a tile its entries in compressed rows. The
/// lower level is one run of bytes for each tile, in whole words of 64 bits, so that a row of tiles
/// is read, or brought to shared memory, as one contiguous piece:
///
/// | bytes | what |
/// | --- | --- |
/// | 2 | `exponent`: the largest magnitude lies in [2^exponent, 2^(exponent + 1)) |
/// | size / 8 | the rows that have entries, row i in bit i |
/// | 1 | number of entries - 1 |
/// | 1 each | where the rows that have entries begin, but for the first |
/// | 1 each | columns within the tile |
/// | 1, 2, 4 or 8 each | values, aligned to their own size |
///
/// A value of fewer bits than the matrix's scalar stands for itself times a power of two that
/// follows from `exponent` (`TileKind`): a matrix in small units takes as few bits as one in large
/// ones. Products multiply the power back, which is exact, before anything else.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <array>
#include <cstdint>

namespace tessera::kernels {

/// What a tile's values are stored in, fewest bits first.
enum class TileKind : std::uint8_t {
  fp8,  ///< e4m3; the largest magnitude is brought to [2^7, 2^8)
  half,  ///< to [2^14, 2^15)
  bfloat16,  ///< to [2^100, 2^101), as of float
  fp32,
  fp64
};
inline constexpr int num_tile_kinds = 5;

/// "fp8", "half", …
constexpr const char* word(TileKind kind) {
  constexpr const char* words[] = {"fp8", "half", "bfloat16", "fp32", "fp64"};
  return words[static_cast<int>(kind)];
}

/// What a number may lose where it is stored in fewer bits.
enum class TileLoss : std::uint8_t {
  none,  ///< each number comes back as it was: products are those of the matrix
  relative,  ///< |a - stored| <= tolerance |a| for each entry
  absolute  ///< |a - stored| < tolerance, as section II.A has it, whatever the matrix's unit
};

/// When a tile may be stored in fewer bits. The paper's is {TileLoss::absolute, 1e-15}. The default
/// is the same bound, of each entry's own size: then A x changes by less than its rounding in
/// double does, in every component and whatever the rows' and columns' scales, so that a solver
/// reaches the tolerances that it reaches with the matrix itself. With `absolute`, entries below
/// the tolerance may vanish. Infinities and NaN stay in the matrix's own scalar.
struct TileCriterion {
  TileLoss loss = TileLoss::relative;
  double tolerance = 1e-15;
};

/// Tiles of `size` rows or columns that cover `n` of these.
KOKKOS_INLINE_FUNCTION constexpr Ordinal tiles_along(Ordinal n, int size) {
  return n / size + (n % size != 0 ? 1 : 0);
}

/// A `num_rows` by `num_cols` matrix in tiles, not owned.
template <class Scalar, class Space, class Offset = std::int32_t, int size = 16>
struct MixedTilesView {
  static_assert(size == 16, "a byte counts the entries of a tile");
  using scalar_type = Scalar;
  using execution_space = Space;
  using offset_type = Offset;
  static constexpr int tile_size = size;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  /// Row of tiles i is tiles `tile_offsets(i)` up to `tile_offsets(i + 1)`, columns ascending.
  ArrayView<const Offset, Space> tile_offsets;
  /// Column of tiles, times 8, plus `TileKind`.
  ArrayView<const std::uint32_t, Space> keys;
  ArrayView<const Offset, Space> begins;  ///< where a tile's words begin; one more than tiles
  ArrayView<const std::uint64_t, Space> words;
  std::array<std::int64_t, num_tile_kinds> tiles_of_kind{};  ///< for the host

  KOKKOS_FUNCTION Ordinal num_tile_rows() const { return tiles_along(num_rows, size); }
  KOKKOS_FUNCTION Ordinal num_tile_columns() const { return tiles_along(num_cols, size); }
  std::size_t num_tiles() const { return keys.extent(0); }
};

/// The same with ownership shared through Kokkos Views.
template <class Scalar, class Space, class Offset = std::int32_t, int size = 16>
struct MixedTiles {
  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;  ///< duplicates of the CSR matrix are one
  Array<const std::uint64_t, Space> storage;  ///< what the arrays below are parts of
  ArrayView<const Offset, Space> tile_offsets;
  ArrayView<const std::uint32_t, Space> keys;
  ArrayView<const Offset, Space> begins;
  ArrayView<const std::uint64_t, Space> words;
  std::array<std::int64_t, num_tile_kinds> tiles_of_kind{};
  std::array<std::int64_t, num_tile_kinds> entries_of_kind{};

  std::size_t num_tiles() const { return keys.extent(0); }
  /// Bytes of its arrays.
  std::size_t bytes() const {
    return tile_offsets.extent(0) * sizeof(Offset) + keys.extent(0) * sizeof(std::uint32_t) +
           begins.extent(0) * sizeof(Offset) + words.extent(0) * sizeof(std::uint64_t);
  }
  MixedTilesView<Scalar, Space, Offset, size> view() const {
    return {num_rows, num_cols, num_entries, tile_offsets, keys, begins, words, tiles_of_kind};
  }
};

/// See csr_to_mixed_tiles.
inline constexpr std::size_t max_entries_by_bounds = std::size_t(1) << 18;

/// Cuts `A` into tiles, each in the fewest bits that hold its entries within `criterion`. Entries
/// that are zero stay entries; duplicates are added up, in their order and in `Scalar`. Rows need
/// not be sorted; where they are not, a sorted copy is made on the way. Two passes over the matrix
/// and one wait, for the numbers of tiles and words. On a device matrices of at most
/// `max_entries_by_bounds` entries take one allocation, of which bounds of these numbers decide,
/// up to four times the bytes of CSR; others two, of which the one that stays has no gaps. The
/// result does not depend on the number of threads.
/// @throws OffsetOverflow where an `Offset` does not count the tiles or their words.
template <int size = 16, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> csr_to_mixed_tiles(const Space& exec,
                                                           const CsrView<Scalar, Space, Offset>& A,
                                                           const TileCriterion& criterion = {});

}  // namespace tessera::kernels
