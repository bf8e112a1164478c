// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv` for mBSR.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"
#include "tessera/kernels/spmv/mbsr/detail/pattern_of_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/staging.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tensor_cores.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_shares.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/kernels/spmv/selection_rules.hpp"

#include <algorithm>
#include <limits>

namespace tessera::kernels {
namespace detail {

/// Tiles one after the other, where each map is guessed from the eight before it: what followed
/// them the last time. The branch predictor of a processor does about that.
template <class Space>
struct GuessMaps {
  static constexpr std::int32_t sample_tiles = 4096;
  static constexpr int max_samples = 4;

  ArrayView<const TileMap, Space> maps;

  std::int32_t num_tiles() const { return static_cast<std::int32_t>(maps.extent(0)); }
  std::int32_t length() const { return std::min(sample_tiles, num_tiles()); }
  int num_samples() const { return std::clamp(num_tiles() / sample_tiles, 1, max_samples); }

  /// Adds the wrong guesses in the second half of a sample; in the first half they are learned.
  void operator()(int sample, std::int32_t& wrong) const {
    TileMap followed_by[1u << slot_bits] = {};
    const std::int64_t begin = std::int64_t(num_tiles() - length()) * sample / num_samples();
    std::uint32_t before = 0;  // four bits for each of the last eight maps, mixed
    for (std::int32_t i = 0; i < length(); ++i) {
      const TileMap map = maps(begin + i);
      TileMap& guess = followed_by[mixed(before) >> (32 - slot_bits)];
      if (guess != map && 2 * i >= length()) ++wrong;
      guess = map;
      before = (before << 4) ^ (mixed(map) >> 16);
    }
  }

 private:
  static constexpr int slot_bits = 12;

  /// Every bit of the upper half depends on many below.
  static std::uint32_t mixed(std::uint32_t bits) { return bits * 0x9e3779b1u; }
};

/// True where at most a quarter of the maps come as a surprise: grids and blocks stay below a
/// fifth, unordered matrices are above nine tenths.
template <class Space>
bool maps_repeat(const Space& exec, const ArrayView<const TileMap, Space>& maps) {
  const GuessMaps<Space> guess{maps};
  std::int32_t wrong = 0;
  Kokkos::parallel_reduce("tessera::spmv_guess_maps",
                          Kokkos::RangePolicy<Space>(exec, 0, guess.num_samples()), guess, wrong);
  return 8 * std::int64_t(wrong) <= std::int64_t(guess.length()) * guess.num_samples();
}

/// Lanes per tile row: four for a tile, and as many tiles at a time as leave each at most about
/// eight of a mean tile row.
inline int lanes_for(double mean_tile_row_length) {
  int tiles = 1;
  while (tiles < tiles_per_window && tiles_per_window * tiles < mean_tile_row_length)
    tiles *= 2;
  return tile_size * tiles;
}

/// Tiles plus ends of tile rows per share: on a device a warp's 64 (AmgT paper, section IV.D.1), on
/// a host longer ones; more where the workspace would grow beyond some 65,000 shares. It does not
/// depend on the number of threads, so that the sums do not either.
template <class Space>
std::size_t steps_per_share(std::size_t steps) {
  constexpr std::size_t max_shares = is_host_space<Space> ? 1024 : 65536;
  constexpr std::size_t min_steps = is_host_space<Space> ? 256 : 64;
  return std::max(min_steps, (steps - 1) / max_shares + 1);
}

/// Sums the entries of each share's tiles, as a scan.
template <class Space>
struct FindFirstValues {
  ArrayView<const TileMap, Space> maps;
  ArrayView<const Ordinal, Space> first_row;
  std::size_t steps, share_steps;
  ArrayView<std::int64_t, Space> first_value;

  KOKKOS_FUNCTION void operator()(int share, std::int64_t& sum, bool final) const {
    if (final) first_value(share) = sum;
    const std::size_t step = share * share_steps;
    const std::size_t tile = step - first_row(share);
    const std::size_t end = Kokkos::min(step + share_steps, steps) - first_row(share + 1);
    for (std::size_t t = tile; t < end; ++t)
      sum += count_bits(maps(t));
  }
};

/// first_value(share): the number of entries of all tiles before those of `share`.
template <class Space>
void find_first_values(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                       const ArrayView<const Ordinal, Space>& first_row, std::size_t steps,
                       std::size_t share_steps, const ArrayView<std::int64_t, Space>& first_value) {
  Kokkos::parallel_scan("tessera::spmv_first_values",
                        Kokkos::RangePolicy<Space>(exec, 0, first_value.extent(0)),
                        FindFirstValues<Space>{maps, first_row, steps, share_steps, first_value});
}

/// The most tiles and entries that parts of a matrix have.
struct LargestPart {
  std::int32_t tiles = 0;
  std::int64_t entries = 0;

  KOKKOS_INLINE_FUNCTION LargestPart& operator+=(const LargestPart& other) {
    tiles = Kokkos::max(tiles, other.tiles);
    entries = Kokkos::max(entries, other.entries);
    return *this;
  }
};

/// Finds them, part by part.
template <class Storage, class Space>
struct FindLargestPart {
  MbsrView<Storage, Space> A;
  Ordinal tile_rows_per_part, num_tile_rows;
  bool packed;

  KOKKOS_FUNCTION void operator()(Ordinal part, LargestPart& mine) const {
    const Ordinal from = part * tile_rows_per_part;
    const Ordinal to = Kokkos::min(from + tile_rows_per_part, num_tile_rows);
    mine += LargestPart{A.tile_offsets(to) - A.tile_offsets(from),
                        packed ? A.value_offsets(to) - A.value_offsets(from) : 0};
  }
};

/// Of parts of `tile_rows_per_part` tile rows; entries of packed matrices only.
template <class Storage, class Space>
LargestPart largest_part(const Space& exec, const MbsrView<Storage, Space>& A,
                         Ordinal tile_rows_per_part) {
  const Ordinal num_tile_rows = A.num_tile_rows();
  const Ordinal num_parts = (num_tile_rows - 1) / tile_rows_per_part + 1;
  const bool packed = A.layout == TileLayout::packed;
  LargestPart result;
  Kokkos::parallel_reduce(
      "tessera::spmv_largest_part", Kokkos::RangePolicy<Space>(exec, 0, num_parts),
      FindLargestPart<Storage, Space>{A, tile_rows_per_part, num_tile_rows, packed}, result);
  return result;
}

/// Lanes per tile row of the staged kernel: as few as keep a warp's part short, and two at least
/// for values of 8 bytes. Small matrices get more, but no more than tiles.
template <class Storage, class Space>
int staged_lanes_for(const MbsrView<Storage, Space>& A) {
  const double tile_rows = A.num_tile_rows();
  const double tiles = A.num_tiles / tile_rows;
  const double bytes = tiles * (sizeof(TileMap) + sizeof(Ordinal)) +
                       static_cast<double>(A.num_entries) / tile_rows * sizeof(Storage);
  int lanes = sizeof(Storage) == sizeof(double) ? 2 : 1;
  while (lanes < max_staged_lanes &&
         (32.0 / lanes * bytes > rules::staged_tile_part_bytes ||
          (2 * lanes <= tiles && tile_rows * lanes < 32.0 * rules::min_staged_tile_parts))) {
    lanes *= 2;
  }
  return lanes;
}

/// Makes a plan one for the staged kernel.
template <class Storage, class Space>
void plan_staging(const Space& exec, const MbsrView<Storage, Space>& A, int lanes,
                  MbsrSpmvPlan<Space>& plan) {
  plan.kernel = MbsrSpmvKernel::staged;
  plan.staged_lanes = lanes > 0 ? lanes : staged_lanes_for(A);
  const LargestPart part = largest_part(exec, A, 32 / plan.staged_lanes);
  plan.part_tiles = part.tiles;
  // A part with more entries than 32 bits count does not fit into shared memory either.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 16;
  plan.part_entries = static_cast<std::int32_t>(std::min(part.entries, most));
}

/// A load-balanced plan of given shares, for a matrix with tiles.
template <class Space, class Storage>
MbsrSpmvPlan<Space> balanced_plan(const Space& exec, const MbsrView<Storage, Space>& A,
                                  std::size_t share_steps) {
  const std::size_t steps = static_cast<std::size_t>(A.num_tiles) + A.num_tile_rows();
  const std::size_t shares = (steps - 1) / share_steps + 1;
  MbsrSpmvPlan<Space> plan{.kernel = MbsrSpmvKernel::load_balanced,
                           .num_tile_rows = A.num_tile_rows(),
                           .num_tiles = A.num_tiles,
                           .steps_per_share = share_steps};
  plan.first_row = allocate<Ordinal>(exec, "tessera::spmv_first_row", shares + 1);
  // Sized for double, so that the plan serves the same pattern in any precision.
  plan.workspace =
      allocate<std::byte>(exec, "tessera::spmv_workspace",
                          2 * shares * tile_size * max_balanced_tile_columns * sizeof(double));
  find_first_rows<Space, std::int32_t>(exec, A.tile_offsets, A.num_tile_rows(), steps, share_steps,
                                       plan.first_row);
  if (A.layout == TileLayout::packed) {
    plan.first_value = allocate<std::int64_t>(exec, "tessera::spmv_first_value", shares);
    find_first_values<Space>(exec, A.maps, plan.first_row, steps, share_steps, plan.first_value);
  }
  return plan;
}

/// A plan of checked arguments, for a pattern whose tile rows are known.
template <class Storage, class Space>
MbsrSpmvPlan<Space> make_plan(const Space& exec, const MbsrView<Storage, Space>& A,
                              MbsrSpmvKernel kernel, int lanes, const RowFacts& tile_rows) {
  MbsrSpmvPlan<Space> plan{.num_tile_rows = A.num_tile_rows()};
  if (A.num_tiles > 0) {
    plan.kernel = kernel;
    plan.lanes = lanes_for(static_cast<double>(A.num_tiles) / A.num_tile_rows());
    plan.num_tiles = A.num_tiles;
    if (kernel == MbsrSpmvKernel::staged) {
      plan_staging(exec, A, lanes, plan);
    } else if (kernel == MbsrSpmvKernel::tile_row && lanes > 0) {
      plan.lanes = lanes;
    } else if (kernel == MbsrSpmvKernel::load_balanced) {
      const std::size_t steps = static_cast<std::size_t>(A.num_tiles) + A.num_tile_rows();
      plan = balanced_plan<Space>(exec, A, steps_per_share<Space>(steps));
    }
    if constexpr (is_host_space<Space>) plan.maps_repeat = maps_repeat<Space>(exec, A.maps);
  }
  plan.pattern = PlannedPattern(place_of(A), pattern_fingerprint(exec, A, tile_rows));
  return plan;
}

/// What a pass over the tile rows finds out.
template <class Storage, class Space>
RowFacts tile_row_facts(const Space& exec, const MbsrView<Storage, Space>& A) {
  return row_facts<Space, std::int32_t>(exec, A.tile_offsets, A.num_tile_rows());
}

}  // namespace detail

template <class Space>
bool has_tensor_core_spmv() {
  return detail::has_tensor_cores<Space>;
}

template <class Sum, class Space>
int tensor_core_columns(const MbsrSpmvPlan<Space>& plan) {
  return detail::tensor_columns_from<Sum>(plan);
}

template <class Space>
bool has_staged_spmv() {
  return detail::has_staging<Space>;
}

template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A) {
  const Ordinal tile_rows = A.num_tile_rows();
  const double mean = tile_rows == 0 ? 0.0 : static_cast<double>(A.num_tiles) / tile_rows;
  const auto facts = detail::tile_row_facts(exec, A);
  const auto longest = static_cast<double>(facts.longest);
  // The number of threads has no say, so that it has none in the order of the sums.
  const bool uneven =
      longest > rules::longest_even_tile_row && longest > rules::longest_even_row_over_mean * mean;
  const TensorCoreUse use =
      detail::has_tensor_cores<Space> ? TensorCoreScope::current() : TensorCoreUse::off;
  if (use == TensorCoreUse::on)
    return detail::make_plan(exec, A, MbsrSpmvKernel::tensor_core, 0, facts);
  if (uneven) return detail::make_plan(exec, A, MbsrSpmvKernel::load_balanced, 0, facts);
  const bool stages = detail::has_staging<Space> && A.layout == TileLayout::packed;
  MbsrSpmvPlan<Space> plan = detail::make_plan(
      exec, A, stages ? MbsrSpmvKernel::staged : MbsrSpmvKernel::tile_row, 0, facts);
  plan.several_by_tensor_cores =
      use == TensorCoreUse::automatic && mean >= rules::min_tiles_for_tensor_cores;
  return plan;
}

template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A,
                                 MbsrSpmvKernel kernel, int lanes) {
  const auto facts = detail::tile_row_facts(exec, A);
  if (A.num_tiles == 0) return detail::make_plan(exec, A, MbsrSpmvKernel::tile_row, 0, facts);
  require(kernel != MbsrSpmvKernel::tensor_core || has_tensor_core_spmv<Space>(), [] {
    return "kernel = tensor_core, but " + std::string(Space::name()) +
           " was not compiled for a GPU with FP64 tensor cores; use tile_row or load_balanced";
  });
  require(kernel != MbsrSpmvKernel::staged || has_staged_spmv<Space>(), [] {
    return "kernel = staged, but " + std::string(Space::name()) +
           " was not compiled for a GPU with bulk copies; use tile_row or load_balanced";
  });
  const bool stages = kernel == MbsrSpmvKernel::staged;
  const bool by_lanes = stages || kernel == MbsrSpmvKernel::tile_row;
  require(lanes == 0 || (by_lanes && detail::is_lanes(lanes, stages ? 1 : tile_size,
                                                      stages ? detail::max_staged_lanes : 32)),
          [&] {
            return "lanes = " + std::to_string(lanes) +
                   ", expected 0, or a power of two from 4 to 32 with kernel = tile_row, from 1 to "
                   "16 with staged";
          });
  return detail::make_plan(exec, A, kernel, lanes, facts);
}

}  // namespace tessera::kernels
