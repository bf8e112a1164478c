// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the staged product, and the product where there is one.
#pragma once

#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/spmv/cuda/mbsr_staged_spmv.hpp"
#endif

#include <string>

namespace tessera::kernels::detail {

template <class Space>
inline constexpr bool has_staging = false;

/// The most lanes per tile row of the staged kernel.
inline constexpr int max_staged_lanes = 16;

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_staging<Kokkos::Cuda> = cuda::has_bulk_copies;

/// The kernel for as many lanes per tile row as the plan says.
template <class Storage, class Working, class Update>
bool sweep_by_lanes(const Kokkos::Cuda& exec, const std::string& label,
                    const MbsrSpmvPlan<Kokkos::Cuda>& plan,
                    const TileArrays<Storage, Working>& arrays, const Update& update) {
  const cuda::TilePartSizes sizes{plan.part_tiles, plan.part_entries};
  switch (plan.staged_lanes) {
    case 1:
      return cuda::sweep_staged_tile_rows<1>(exec, label, plan.launches, sizes, arrays, update);
    case 2:
      return cuda::sweep_staged_tile_rows<2>(exec, label, plan.launches, sizes, arrays, update);
    case 4:
      return cuda::sweep_staged_tile_rows<4>(exec, label, plan.launches, sizes, arrays, update);
    case 8:
      return cuda::sweep_staged_tile_rows<8>(exec, label, plan.launches, sizes, arrays, update);
    case max_staged_lanes:
      return cuda::sweep_staged_tile_rows<max_staged_lanes>(exec, label, plan.launches, sizes,
                                                            arrays, update);
    default:
      return false;
  }
}
#endif

/// update(row, column, (A x)(row, column)) for every row of a packed matrix and the one active
/// column. Returns false, with nothing done, where the space, the plan or the arrays do not allow
/// it.
template <class Storage, class Working, class Space>
bool sweep_staged([[maybe_unused]] const Space& exec, [[maybe_unused]] const std::string& label,
                  [[maybe_unused]] const MbsrSpmvPlan<Space>& plan,
                  [[maybe_unused]] const TileArrays<Storage, Working>& arrays,
                  [[maybe_unused]] const RowUpdate<Working>& update) {
  if constexpr (has_staging<Space>) {
    if (plan.part_entries == 0) return false;  // the plan was made for dense values
    using Kind = typename RowUpdate<Working>::Kind;
    if (update.kind == Kind::scale_add && update.beta == Working(0)) {
      return sweep_by_lanes(exec, label, plan, arrays, Scaled<Working>{update.alpha, update.out});
    }
    return sweep_by_lanes(exec, label, plan, arrays, update);
  } else {
    return false;
  }
}

}  // namespace tessera::kernels::detail
