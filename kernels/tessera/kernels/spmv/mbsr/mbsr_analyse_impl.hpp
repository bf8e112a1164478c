// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv` for mBSR.
#pragma once

#include "tessera/kernels/spmv/csr_analyse_impl.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tensor_cores.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_shares.hpp"

#include <algorithm>

namespace tessera::kernels {
namespace detail {

/// Lanes a tile row: four for a tile, and as many tiles at a time as leave each at most about eight
/// of a mean tile row.
inline int lanes_for(double mean_tile_row_length) {
  int tiles = 1;
  while (tiles < tiles_a_window && tiles_a_window * tiles < mean_tile_row_length)
    tiles *= 2;
  return tile_size * tiles;
}

/// Tiles plus ends of tile rows a share: on a device a warp's 64 (AmgT paper, section IV.D.1), on a
/// host longer ones; more where the workspace would grow beyond some 65,000 shares. It does not
/// depend on the number of threads, so that the sums do not either.
template <class Space>
std::size_t steps_per_share(std::size_t steps) {
  constexpr std::size_t most_shares = is_host_space<Space> ? 1024 : 65536;
  constexpr std::size_t least_steps = is_host_space<Space> ? 256 : 64;
  return std::max(least_steps, (steps - 1) / most_shares + 1);
}

/// first_value(share): the number of entries of all tiles before those of `share`.
template <class Space>
void find_first_values(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                       const ArrayView<const Ordinal, Space>& first_row, std::size_t steps,
                       std::size_t share_steps, const ArrayView<std::int64_t, Space>& first_value) {
  Kokkos::parallel_scan(
      "tessera::spmv_first_values", Kokkos::RangePolicy<Space>(exec, 0, first_value.extent(0)),
      KOKKOS_LAMBDA(const int share, std::int64_t& sum, const bool final) {
        if (final) first_value(share) = sum;
        const std::size_t step = share * share_steps;
        const std::size_t tile = step - first_row(share);
        const std::size_t end = Kokkos::min(step + share_steps, steps) - first_row(share + 1);
        for (std::size_t t = tile; t < end; ++t)
          sum += count_bits(maps(t));
      });
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

}  // namespace detail

template <class Space>
bool has_tensor_core_spmv() {
  return detail::has_tensor_cores<Space>;
}

template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A) {
  const Ordinal tile_rows = A.num_tile_rows();
  const double mean = tile_rows == 0 ? 0.0 : static_cast<double>(A.num_tiles) / tile_rows;
  const auto longest = static_cast<double>(
      detail::longest_row<Space, std::int32_t>(exec, A.tile_offsets, tile_rows));
  // As for CSR: a tile row that is both long and much longer than the mean holds up its team. The
  // number of threads has no say, so that it has none in the order of the sums.
  const bool uneven = longest > 64 && longest > 16 * mean;
  return analyse_spmv(exec, A, uneven ? MbsrSpmvKernel::load_balanced : MbsrSpmvKernel::tile_row);
}

template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A,
                                 MbsrSpmvKernel kernel) {
  if (A.num_tiles == 0) {
    return {.num_tile_rows = A.num_tile_rows()};
  }
  if (kernel == MbsrSpmvKernel::load_balanced) {
    const std::size_t steps = static_cast<std::size_t>(A.num_tiles) + A.num_tile_rows();
    return detail::balanced_plan<Space>(exec, A, detail::steps_per_share<Space>(steps));
  }
  require(kernel != MbsrSpmvKernel::tensor_core || has_tensor_core_spmv<Space>(), [] {
    return "kernel = tensor_core, but " + std::string(Space::name()) +
           " was not compiled for a GPU with FP64 tensor cores; use tile_row or load_balanced";
  });
  return {.kernel = kernel,
          .lanes = detail::lanes_for(static_cast<double>(A.num_tiles) / A.num_tile_rows()),
          .num_tile_rows = A.num_tile_rows(),
          .num_tiles = A.num_tiles};
}

}  // namespace tessera::kernels
