// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the staged product, and the choice of its kernel where there is one.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/tile_groups.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/spmv/cuda/mbsr_staged_spmv.hpp"
#endif

#include <optional>

namespace tessera::kernels::detail {

template <class Space>
inline constexpr bool has_staging = false;

/// The most lanes per tile row of the staged kernel.
inline constexpr int max_staged_lanes = 16;

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_staging<Kokkos::Cuda> = cuda::has_bulk_copies;

/// The kernel for as many lanes per tile row as the plan says, for update(row, column, (A x)(row,
/// column)) of every row of a packed matrix and one vector. None where the plan or the arrays do
/// not allow it.
template <class Storage, class Working>
std::optional<cuda::StagedLaunch> choose_staged_tile_rows(
    const Kokkos::Cuda& exec, const MbsrSpmvPlan<Kokkos::Cuda>& plan,
    const MbsrView<Storage, Kokkos::Cuda>& A, const ConstMultiVectorView<Working, Kokkos::Cuda>& x,
    const RowUpdate<Working>& update) {
  const auto arrays = tile_arrays<Storage, Working>(plan, A, x, 0, 1);
  const cuda::TilePartSizes sizes{plan.part_tiles, plan.part_entries};
  const auto prepare = [&](const auto& least) -> std::optional<cuda::StagedLaunch> {
    switch (plan.staged_lanes) {
      case 1:
        return cuda::prepare_staged_tile_rows<1>(exec, sizes, arrays, least);
      case 2:
        return cuda::prepare_staged_tile_rows<2>(exec, sizes, arrays, least);
      case 4:
        return cuda::prepare_staged_tile_rows<4>(exec, sizes, arrays, least);
      case 8:
        return cuda::prepare_staged_tile_rows<8>(exec, sizes, arrays, least);
      case max_staged_lanes:
        return cuda::prepare_staged_tile_rows<max_staged_lanes>(exec, sizes, arrays, least);
      default:
        return std::nullopt;
    }
  };
  // The plan may have been made for dense values.
  if (A.layout != TileLayout::packed || plan.part_entries == 0) return std::nullopt;
  using Kind = typename RowUpdate<Working>::Kind;
  if (update.kind == Kind::scale_add && update.beta == Working(0))
    return prepare(Scaled<Working>{update.alpha, update.out});
  return prepare(update);
}
#endif

}  // namespace tessera::kernels::detail
