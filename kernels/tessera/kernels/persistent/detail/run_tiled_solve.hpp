// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shapes cooperative groups for solves with tiles, runs them, and reads how they ended.
#pragma once

#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/detail/run_solve.hpp"
#include "tessera/kernels/persistent/detail/tiled_cycles.hpp"
#include "tessera/kernels/persistent/selection_rules.hpp"

namespace tessera::kernels::detail {

/// The work of a cooperative group that solves by `Method`.
template <class Method>
struct TiledSolveWork {
  /// Of 384 each has 168 registers, of 512 it has 128. What an iteration has no registers for goes
  /// to the L2 cache and back, as shared memory leaves little of the L1 cache.
  static constexpr int max_lanes = Method::max_tiled_lanes;
  Method method;

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Group& group) const {
    TiledCycles<Method, Group> cycles(method, group);
    cycles.run(Kokkos::Experimental::epsilon_v<typename Method::scalar_type>);
  }
};

/// How many lanes share a row on a device: so many that each has four tiles of it or more; and one
/// or more, where there are `lanes` for all rows. For a lane waits for what x has of a tile before
/// it asks for the next one's: lanes side by side wait at once.
inline int tiled_lanes_per_row(std::size_t rows, double tiles_per_row, std::size_t lanes) {
  constexpr int most = 32;
  int result = 1;
  while (result < most) {
    const int next = 2 * result;
    const int min_tiles = rows * static_cast<std::size_t>(next) <= lanes ? 1 : 4;
    if (next * min_tiles > tiles_per_row) break;
    result = next;
  }
  return result;
}

/// As `choose_shape` of solve_shape.hpp, by the bytes of tiles.
template <class Method, class Space, class Offset, int size>
PersistentShape choose_tiled_shape(
    const Space& exec, const MixedTilesView<typename Method::scalar_type, Space, Offset, size>& A,
    const PersistentTuning& tuning) {
  using Scalar = typename Method::scalar_type;
  using Work = TiledSolveWork<Method>;
  const auto n = static_cast<std::size_t>(A.num_rows);
  if constexpr (is_host_space<Space>) {
    constexpr std::size_t rows_per_share = 512;
    const std::size_t shares = std::clamp<std::size_t>(n / rows_per_share, 1, 256);
    return {{.shares = tuning.shares > 0 ? tuning.shares : static_cast<int>(shares)}, 1};
  } else {
    const std::size_t tile_rows = A.num_tile_rows();
    const std::size_t tiles = A.num_tiles();
    const auto bytes = [](std::size_t rows, std::size_t tiles, std::size_t words, int vectors) {
      constexpr std::size_t gaps = 20 * Scratch::alignment + 2 * sizeof(LongRows);
      constexpr std::size_t head = sizeof(std::uint32_t) + sizeof(Offset) + 1;
      return rows * vectors * sizeof(Scalar) + (rows / size + 2) * sizeof(Offset) + tiles * head +
             words * sizeof(std::uint64_t) + gaps;
    };
    const double tiles_per_row = static_cast<double>(tiles) / static_cast<double>(tile_rows);
    const auto lanes_per_row = [&](std::size_t lanes) {
      return tuning.lanes_per_row > 0 ? tuning.lanes_per_row
                                      : tiled_lanes_per_row(n, tiles_per_row, lanes);
    };
    const std::size_t most = max_group_scratch(exec);
    const std::size_t alone =
        bytes(n, tiles, A.words.extent(0), Method::own_vectors + Method::gathered_vectors);
    // As many workers as rows need with few lanes: each barrier takes longer among more.
    const std::size_t items = n * lanes_per_row(0);
    const bool is_one = tuning.shares == 1 ||
                        (tuning.shares == 0 && alone <= most && items <= rules::items_of_one_block);
    const std::size_t wanted = tuning.shares > 0 ? tuning.shares : items / rules::items_per_block;
    const auto shares =
        is_one ? 1 : workers_at_once(wanted, max_resident_shares<Work>(exec, 32, most));
    PersistentShape shape;
    shape.lanes_per_row = lanes_per_row(shares * Work::max_lanes);
    const std::size_t lanes = (n * shape.lanes_per_row / shares + 31) / 32 * 32;
    shape.group.lanes = tuning.lanes > 0
                            ? tuning.lanes
                            : static_cast<int>(std::clamp<std::size_t>(lanes, 64, Work::max_lanes));
    if (is_one) {
      shape.group.shares = 1;
      shape.group.scratch_bytes = std::min(alone, most);
    } else {
      // Shares are whole rows of tiles and differ a little.
      const std::size_t each = bytes(n / shares + 3 * size, tiles / shares + 64,
                                     A.words.extent(0) / shares + 512, Method::own_vectors);
      shape.group.scratch_bytes = std::min(each + each / 8, most);
      const int at_once =
          max_resident_shares<Work>(exec, shape.group.lanes, shape.group.scratch_bytes);
      shape.group.shares = static_cast<int>(workers_at_once(shares, at_once));
    }
    if (!tuning.stage) shape.group.scratch_bytes = 0;
    return shape;
  }
}

template <class Scalar, class Space>
void prepare_tiles(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                   std::size_t num_norms, std::size_t segments, std::size_t tiles) {
  if (workspace.segments.extent(0) < num_norms * segments)
    workspace.segments =
        allocate<double>(exec, "tessera::persistent::segments", num_norms * segments);
  if (workspace.levels.extent(0) < tiles)
    workspace.levels = allocate<std::uint8_t>(exec, "tessera::persistent::levels", tiles);
  if (workspace.outcome == nullptr)
    workspace.outcome = std::make_unique<PinnedBuffer>(num_tile_notes * sizeof(double));
}

template <class Method, class Scalar, class Space, class Offset, int size>
TiledReport run_tiled_solve(const Space& exec, const std::string& label,
                            TiledWorkspace<Scalar, Space>& workspace,
                            const CsrView<Scalar, Space, Offset>& A,
                            const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                            const ArrayView<const Scalar, Space>& inverse_diagonal,
                            const ArrayView<const Scalar, Space>& b,
                            const ArrayView<Scalar, Space>& x, const PersistentLimits& limits,
                            const TileOptions& options, double time_limit_s,
                            const PersistentTuning& tuning) {
  require_system(A, b, x, tuning);
  require(tiles.num_rows == A.num_rows && tiles.num_cols == A.num_cols, [&] {
    return "the tiles are of a matrix of " + std::to_string(tiles.num_rows) + " by " +
           std::to_string(tiles.num_cols) + ", expected the " + std::to_string(A.num_rows) +
           " by " + std::to_string(A.num_cols) + " of A";
  });
  if (inverse_diagonal.extent(0) > 0)
    require_rows("inverse_diagonal", inverse_diagonal.extent(0), A.num_rows);
  TiledReport report;
  if (A.num_rows == 0) {
    report.end = PersistentEnd::converged;
    report.history = {0};
    return report;
  }
  using Workspace = PersistentWorkspace<Scalar, Space>;
  auto& vectors = workspace.vectors;
  const PersistentShape shape = vectors.shape(
      &kernel_of_method<Method>, A.num_rows, tiles.num_tiles() + tiles.words.extent(0), tuning,
      [&] { return choose_tiled_shape<Method>(exec, tiles, tuning); });
  report.shape = shape.group;
  report.lanes_per_row = shape.lanes_per_row;
  vectors.prepare(exec, A.num_rows, Method::num_vectors,
                  std::min(std::max(0, limits.max_iterations), Workspace::max_history));
  prepare_tiles(exec, workspace, Method::num_norms, tiles.num_tile_columns(), tiles.num_tiles());
  const Kokkos::Timer timer;
  TileOptions own = options;
  if (Method::is_dynamic && !(own.matrix_norm >= 0)) own.matrix_norm = inf_norm(exec, A);
  if (own.dynamic_iterations < 0) own.dynamic_iterations = limits.max_iterations / 2;
  const int dynamic_iterations = own.dynamic_iterations;
  auto* const work = reinterpret_cast<double*>(workspace.outcome->data());
  const auto launch = [&](const PersistentLimits& now, double watchdog) {
    const DiagonalOrNone<Scalar> M{inverse_diagonal.extent(0) > 0 ? inverse_diagonal.data()
                                                                  : nullptr};
    const Method method{
        {solve_arguments(vectors, A, M.granule(), b.data(), x.data(), now, shape, false),
         {tiles.tile_offsets.data(), tiles.keys.data(), tiles.begins.data(), tiles.words.data(),
          tiles.num_tile_rows(), static_cast<std::int64_t>(tiles.num_tiles())},
         workspace.segments.data(),
         static_cast<std::size_t>(tiles.num_tile_columns()),
         workspace.levels.data(),
         own,
         work},
        M};
    std::fill_n(work, num_tile_notes, 0.0);
    run_cooperative(exec, label, vectors.board(), shape.group, TiledSolveWork<Method>{method},
                    watchdog);
  };
  // Each launch has what the ones before it have left.
  const auto note = [&] {
    for (int k = 0; k < num_tile_levels; ++k)
      report.work.tiles[k] += static_cast<std::int64_t>(work[k]);
    report.returned = report.returned || work[place_of_returned] != 0;
    report.raised += static_cast<std::int64_t>(work[place_of_raised]);
    report.repeated += static_cast<std::int64_t>(work[place_of_repeated]);
    own.is_dynamic = own.is_dynamic && !report.returned;
    own.dynamic_iterations = std::max(0, dynamic_iterations - report.iterations);
  };
  launch_to_the_end(exec, label, vectors, limits, time_limit_s, timer, report, launch, note);
  if constexpr (!Method::is_dynamic) {
    for (int kind = 0; kind < num_tile_kinds; ++kind)
      report.work.tiles[kind + 1] =
          tiles.tiles_of_kind[kind] * report.iterations * Method::products_per_iteration;
  }
  return report;
}

}  // namespace tessera::kernels::detail
