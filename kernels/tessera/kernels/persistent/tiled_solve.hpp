// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch whose products are those of tiles, each in a precision of its
/// own (format/mixed_tiles.hpp), which may fall as the solution converges (Yang et al.,
/// Mille-feuille, SC'24, section III.D).
///
/// Dynamic precision: a product A p needs little of the tiles whose segment of p, the `size`
/// entries that they multiply, is small. What they add to the residual is at most
/// |alpha| ||A|| ||p_segment||, alpha being the step length before, or half of an earlier one that
/// was longer; where the step that comes out is more than 16 times as long, the product is done
/// again with tiles that suit it. An error e in A p goes into alpha as well: relative to it that is
/// |alpha| ||p|| ||e|| / <r, z> in CG and |alpha| ||shadow|| ||e|| / |<shadow, r>| in BiCGSTAB,
/// times alpha A p, which is about as long as r. So an error of the size w takes the residual away
/// from what it would be by w ||r|| ||p|| / <r, z> and w ||r|| ||shadow|| / |<shadow, r>|, and that
/// is what weighs, in BiCGSTAB 8 times: the closer to a breakdown, the less is lowered. So far as
/// steps are as long as residuals, this is the bound on E_k in A + E_k, the tolerance over the
/// residual, of inexact Krylov methods (Simoncini, Szyld, SIAM J. Sci. Comput. 25, 2003; van den
/// Eshof, Sleijpen, SIAM J. Matrix Anal. Appl. 26, 2004), which is about the residual at the end
/// and not about how fast it falls. With epsilon the residual at which the solve ends over the root
/// of the number of segments, the range that the weight is in says what tiles are read in:
/// `DynamicRanges`. Segments' norms are found where the vectors are made, so that no barrier of the
/// workers is added; where p = z + beta q is gathered on the fly, the sum of the norms stands for
/// that of p. On a device tiles in shared memory are stored again in the lower precision, once, and
/// brought back from the matrix when their segment reactivates; tiles that did not fit there are
/// bypassed or read as they are. On a host values are rounded as they are read.
///
/// However far precision is lowered, a solve starts and ends with the residual of `A` itself, in
/// its CSR form. Where that misses the tolerance after lowered tiles have been in use, it goes on
/// from the best iterate with no tile lowered any more. Where the residual has not improved for a
/// while, or falls at less than half of its rate before, and beyond half of the iterations, tiles
/// are raised at once, to stay as they were made.
#pragma once

#include "tessera/kernels/format/mixed_tiles.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <array>

namespace tessera::kernels {

/// What a product reads of a tile.
enum class TileLevel : std::uint8_t { bypassed, fp8, half, bfloat16, fp32, fp64 };
inline constexpr int num_tile_levels = 6;

/// "bypassed", "fp8", …
constexpr const char* word(TileLevel level) {
  return level == TileLevel::bypassed ? "bypassed"
                                      : word(static_cast<TileKind>(static_cast<int>(level) - 1));
}

/// Up to which weight over epsilon tiles are read in fp32, half and fp8 and are left out; beyond
/// the first, as they are. By default each range ends where the error, the weight times the unit
/// roundoff, is 1e-3 epsilon.
struct DynamicRanges {
  double fp32 = 1e-3 * 0x1p24;
  double half = 1e-3 * 0x1p11;
  double fp8 = 1e-3 * 0x1p4;
  double bypassed = 1e-3;

  /// The five ranges of section III.D.
  static constexpr DynamicRanges of_the_paper() { return {1, 1e-1, 1e-2, 1e-3}; }
  /// Segments that are exactly zero are left out, and that is all.
  static constexpr DynamicRanges none() { return {0, 0, 0, 0}; }
};

/// How a solve uses its tiles.
struct TileOptions {
  bool is_dynamic = false;
  DynamicRanges ranges{};
  double matrix_norm = -1;  ///< of A, the largest row sum of magnitudes; negative: one more pass
  /// After how many iterations without a smaller residual no tile is lowered any more; every half
  /// as many, the residual must have fallen by half of what its rate before was.
  int patience = 100;
  /// Of this solve's iterations, in how many tiles may be lowered; negative: in half of those that
  /// its limit allows.
  int dynamic_iterations = -1;
};

/// Tiles that products read, by what they were read in; start and end of a solve, which read the
/// CSR matrix, do not count, and products that are repeated do each time.
struct TileWork {
  std::array<std::int64_t, num_tile_levels> tiles{};  ///< by `TileLevel`

  std::int64_t operator[](TileLevel level) const { return tiles[static_cast<int>(level)]; }
  std::int64_t total() const {
    std::int64_t sum = 0;
    for (const std::int64_t count : tiles)
      sum += count;
    return sum;
  }
};

/// How such a solve ended.
struct TiledReport : PersistentReport {
  TileWork work;
  std::int64_t raised = 0;  ///< how often a tile was read in more bits than by the product before
  bool returned = false;  ///< whether it had to go on without lowered tiles
  /// Products that were done again with less lowered, for the step they led to was far longer than
  /// those before.
  std::int64_t repeated = 0;
};

/// What solves keep from one to the next. One workspace serves one instance at a time.
template <class Scalar, class Space>
struct TiledWorkspace {
  PersistentWorkspace<Scalar, Space> vectors;
  Array<double, Space> segments;  ///< norms
  Array<std::uint8_t, Space> levels;  ///< of tiles
  /// Offsets of 64 bits in 32: where rows of tiles begin, and their words.
  Array<std::int32_t, Space> tile_offsets, begins;
  std::unique_ptr<PinnedBuffer> outcome;
};

/// As `persistent_cg` of solve.hpp, with products by `tiles`, which are of `A`; `size` is 16.
/// @throws Error where sizes do not fit, or where the device's workers were lost.
template <class Scalar, class Space, class Offset, int size>
TiledReport persistent_cg(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                          const CsrView<Scalar, Space, Offset>& A,
                          const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                          const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                          const NonDeduced<ArrayView<const Scalar, Space>>& b,
                          const NonDeduced<ArrayView<Scalar, Space>>& x,
                          const PersistentLimits& limits, const TileOptions& options = {},
                          double time_limit_s = 0, const PersistentTuning& tuning = {});

/// As `persistent_bicgstab` of solve.hpp, with products by `tiles`, which are of `A`; `size` is 16.
template <class Scalar, class Space, class Offset, int size>
TiledReport persistent_bicgstab(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                                const CsrView<Scalar, Space, Offset>& A,
                                const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                const NonDeduced<ArrayView<const Scalar, Space>>& b,
                                const NonDeduced<ArrayView<Scalar, Space>>& x,
                                const PersistentLimits& limits, const TileOptions& options = {},
                                double time_limit_s = 0, const PersistentTuning& tuning = {});

}  // namespace tessera::kernels
