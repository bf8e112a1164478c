// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The skeleton that all mBSR products share: row sums by the plan's kernel, then an update.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/pattern_of_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/staging.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tensor_cores.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_rows.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_shares.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels::detail {

/// Which kernels the products of a space use.
template <class Space>
inline constexpr bool sweeps_by_teams = !is_host_space<Space>;

/// Calls `pass(std::integral_constant<int, N>{}, first_column, active)` for groups of up to
/// `largest` columns until all `k` are done. A device has kernels for 1, 4 and 16 columns; fewer
/// than a kernel has are masked, so that the matrix is read as few times as can be.
template <int largest, class Pass>
void for_tile_column_groups(int k, const Pass& pass) {
  for (int first = 0; first < k; first += largest) {
    const int active = std::min(largest, k - first);
    if (active == 1) {
      pass(std::integral_constant<int, 1>{}, first, active);
    } else if (active <= 4) {
      pass(std::integral_constant<int, 4>{}, first, active);
    } else {
      pass(std::integral_constant<int, largest>{}, first, active);
    }
  }
}

/// Calls `pass(std::integral_constant<TileLayout, layout>{})`.
template <class Pass>
void for_layout(TileLayout layout, const Pass& pass) {
  if (layout == TileLayout::packed) {
    pass(std::integral_constant<TileLayout, TileLayout::packed>{});
  } else {
    pass(std::integral_constant<TileLayout, TileLayout::dense>{});
  }
}

/// Throws unless `plan` was made for a matrix like `A`.
template <class Storage, class Space>
void require_plan_of(const Space& exec, const MbsrSpmvPlan<Space>& plan,
                     const MbsrView<Storage, Space>& A) {
  const bool offsets_known = plan.kernel != MbsrSpmvKernel::load_balanced ||
                             A.layout == TileLayout::dense || plan.first_value.extent(0) > 0;
  require(plan.num_tile_rows == A.num_tile_rows() && plan.num_tiles == A.num_tiles && offsets_known,
          [&] {
            return "plan was made for " + std::to_string(plan.num_tile_rows) + " tile rows and " +
                   std::to_string(plan.num_tiles) + " tiles" +
                   (offsets_known ? "" : " of dense values") + ", not for the given matrix of " +
                   std::to_string(A.num_tile_rows()) + " and " + std::to_string(A.num_tiles);
          });
  plan.pattern.require_same(place_of(A), [&] { return pattern_fingerprint(exec, A); });
}

/// What a kernel needs of `A`, `plan` and `active` columns of `x` from `first` on.
template <class Storage, class Working, class Space>
TileArrays<Storage, Working> tile_arrays(const MbsrSpmvPlan<Space>& plan,
                                         const MbsrView<Storage, Space>& A,
                                         const ConstMultiVectorView<Working, Space>& x, int first,
                                         int active) {
  TileArrays<Storage, Working> arrays(A, x, first, active);
  arrays.maps_repeat = plan.maps_repeat;
  return arrays;
}

/// Calls update(row, column, (A x)(row, column)) for every row and every column of `x`. `teams`
/// picks the kernels of a device; they run on a host too, slowly.
template <bool teams, class Storage, class Working, class Space>
void sweep_tiles(const Space& exec, const std::string& label, const MbsrSpmvPlan<Space>& plan,
                 const MbsrView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
                 const RowUpdate<Working>& update) {
  require_plan_of(exec, plan, A);
  if (A.num_rows == 0) return;
  const int k = static_cast<int>(x.extent(1));
  const int tensor_from = tensor_columns_from<Arithmetic<Storage, Working>>(plan);
  for_layout(A.layout, [&](auto layout) {
    if (plan.kernel == MbsrSpmvKernel::load_balanced) {
      for_tile_column_groups<max_balanced_tile_columns>(k, [&](auto columns, int first,
                                                               int active) {
        sweep_tile_shares<teams, layout.value, columns.value>(
            exec, label, plan, tile_arrays<Storage, Working>(plan, A, x, first, active), update);
      });
    } else if (tensor_from > 0 && k >= tensor_from) {
      sweep_by_tensor_cores<layout.value>(exec, label, A, x, update);
    } else if constexpr (teams) {
      if constexpr (layout.value == TileLayout::packed) {
        if (plan.kernel == MbsrSpmvKernel::staged && k == 1 &&
            sweep_staged(exec, label, plan, tile_arrays<Storage, Working>(plan, A, x, 0, 1),
                         update)) {
          return;
        }
      }
      for_tile_column_groups<16>(k, [&](auto columns, int first, int active) {
        sweep_tile_rows<layout.value, columns.value>(
            exec, label, plan.lanes, tile_arrays<Storage, Working>(plan, A, x, first, active),
            update);
      });
    } else if (k > 0) {
      const ThreadPerTileRows<Storage, Working, layout.value> tile_rows{
          {tile_arrays<Storage, Working>(plan, A, x, 0, k)}, update};
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, tile_rows.num_parts()),
                           tile_rows);
    }
  });
}

/// The same with result(j) = <u_j, v_j> of columns that are final in a row once it is updated.
template <bool teams, class Storage, class Working, class Space, class Result>
void sweep_tiles_and_dot(const Space& exec, const std::string& label,
                         const MbsrSpmvPlan<Space>& plan, const MbsrView<Storage, Space>& A,
                         const ConstMultiVectorView<Working, Space>& x,
                         const RowUpdate<Working>& update,
                         const ConstMultiVectorView<Working, Space>& u,
                         const ConstMultiVectorView<Working, Space>& v,
                         const ArrayView<Result, Space>& result) {
  const int k = static_cast<int>(x.extent(1));
  if constexpr (!teams) {
    if (plan.kernel == MbsrSpmvKernel::tile_row) {
      require_plan_of(exec, plan, A);
      for_layout(A.layout, [&](auto layout) {
        for_tile_column_groups<16>(k, [&](auto columns, int first, int active) {
          const TileRowsAndDots<Storage, Working, layout.value, columns.value> chunk{
              {{tile_arrays<Storage, Working>(plan, A, x, first, active)}, update},
              Columns<const Working>(u),
              Columns<const Working>(v)};
          sum_row_chunks<columns.value>(exec, label, A.num_rows, chunk, result.data() + first,
                                        active);
        });
      });
      return;
    }
  }
  sweep_tiles<teams>(exec, label, plan, A, x, update);
  dot_columns<Working, Space>(exec, u, v, result);
}

}  // namespace tessera::kernels::detail
