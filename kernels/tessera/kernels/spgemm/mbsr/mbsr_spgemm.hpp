// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times sparse matrix on mBSR tiles (AmgT paper, section IV.C).
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

namespace tessera::kernels {

/// What the numeric phase needs again for other values of the same patterns. Its workspace is
/// written by each numeric phase: one at a time on a plan.
template <class Space>
struct MbsrSpgemmPlan {
  /// Which form runs: a team of lanes for a tile row, its tiles hashed and summed in scratch (for
  /// devices; any space can), or a dense accumulator a thread (host spaces only). To be set, if at
  /// all, before the symbolic phase.
  bool by_teams = !is_host_space<Space>;

  std::int32_t num_tiles_A = 0, num_tiles_B = 0, num_tiles_C = 0;
  /// The most tiles of a tile row of C; teams: for which there is workspace.
  Ordinal longest = 0;
  spgemm_detail::RowBins<Space> bins;  ///< teams: tile rows of C by their number of tiles
  Array<const std::int64_t, Space> b_starts;  ///< teams, B packed: where each tile's values begin
  Ordinal longest_B = 0;  ///< threads: the most tiles of a tile row of B
  Array<unsigned char, Space> sums;  ///< teams: 16 sums for each of `longest` tiles, for each team
  Array<std::int64_t, Space> starts;  ///< teams: `longest` for each team
};

/// The scalar that products are summed in: the widest of the three, at least float.
template <class StorageA, class StorageB, class StorageC>
using ProductArithmetic = Arithmetic<StorageA, Arithmetic<StorageB, StorageC>>;

/// The pattern of C = A B, exactly that of the entries: a tile's map joins the products of the maps
/// that reach it, and a tile that no entry reaches does not exist. Tile rows are sorted by column.
/// Makes all of C, its values not initialised and its scale 1, and `plan` for `spgemm_numeric`.
///
/// Three steps: a bound on the tiles of each tile row of C, by which rows are put into bins; a pass
/// that counts tiles; a pass that lists, sorts and maps them. Waits for the device.
///
/// Throws `Error` (precondition) when A.num_cols != B.num_rows, and when C has more than 2^31 - 1
/// tiles.
template <class StorageC, class StorageA, class StorageB, class Space>
Mbsr<StorageC, Space> spgemm_symbolic(const Space& exec, const MbsrView<StorageA, Space>& A,
                                      const MbsrView<StorageB, Space>& B, TileLayout layout,
                                      MbsrSpgemmPlan<Space>& plan);

/// The values of C = A B, for A and B of the patterns (and B of the layout) that made `plan` and C.
/// The scales of A and B go into the values. No allocation, no wait for the host.
///
/// Products are summed in ProductArithmetic, in the order of the tiles of A's row and of the
/// columns within a tile: the same input gives the same bits. Where a factor holds an infinity or a
/// NaN, entries of C beside those that it reaches, in the same tile, may become NaN.
///
/// Instantiated for the storages (A, B) -> C: (S, S) -> double and float for S double, float, half
/// and bfloat16; (S, double) and (double, S) -> double for S float, half and bfloat16; (S, float)
/// -> float for S half and bfloat16. These make the Galerkin products R (A P) whose R and P are
/// stored in S, and A in S or double.
///
/// By threads each has workspace for as long as this takes, at most a little more than 1 MiB and 16
/// sums for each tile of the longest tile row of C; by teams nothing is allocated.
///
/// Throws `Error` (precondition) when the shapes or the numbers of tiles do not fit the plan.
template <class StorageA, class StorageB, class StorageC, class Space>
void spgemm_numeric(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                    const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                    const Mbsr<StorageC, Space>& C);

/// `StorageC`, or where it is void the wider of the storages of A and B, at least float.
template <class StorageC, class StorageA, class StorageB>
using ProductStorage =
    std::conditional_t<std::is_void_v<StorageC>, Arithmetic<StorageA, StorageB>, StorageC>;

/// C = A B: both phases. `spgemm<float>(exec, A, B)` names the storage of C.
template <class StorageC = void, class StorageA, class StorageB, class Space>
Mbsr<ProductStorage<StorageC, StorageA, StorageB>, Space> spgemm(
    const Space& exec, const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
    TileLayout layout = TileLayout::packed) {
  MbsrSpgemmPlan<Space> plan;
  const auto C =
      spgemm_symbolic<ProductStorage<StorageC, StorageA, StorageB>>(exec, A, B, layout, plan);
  spgemm_numeric(exec, plan, A, B, C);
  return C;
}

}  // namespace tessera::kernels
