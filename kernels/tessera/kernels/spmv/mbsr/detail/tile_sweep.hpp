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

/// Calls update(row, column, (A x)(row, column)) for every row and every column of `x`, by the
/// kernel of the plan. `teams` picks those of a device; they run on a host too, slowly.
template <class Storage, class Working, class Space, bool teams = sweeps_by_teams<Space>>
void sweep(const Space& exec, const std::string& label, const MbsrSpmvPlan<Space>& plan,
           const MbsrView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
           const NonDeduced<RowUpdate<Working>>& update, std::bool_constant<teams> = {}) {
  require_plan_of(exec, plan, A);
  const int k = static_cast<int>(x.extent(1));
  if (A.num_rows == 0 || k == 0) return;
  const int tensor_from = tensor_columns_from<Arithmetic<Storage, Working>>(plan);
  if (plan.kernel == MbsrSpmvKernel::load_balanced) {
    sweep_tile_shares<teams>(exec, label, plan, A, x, update);
  } else if (tensor_from > 0 && k >= tensor_from) {
    sweep_by_tensor_cores(exec, label, A, x, update);
  } else if constexpr (teams) {
    if constexpr (has_staging<Space>) {
      if (plan.kernel == MbsrSpmvKernel::staged && k == 1) {
        if (const auto kernel = choose_staged_tile_rows(exec, plan, A, x, update)) {
          launch_staged_parts(exec, label, plan.launches, *kernel);
          return;
        }
      }
    }
    sweep_tile_rows(exec, label, plan, A, x, update);
  } else {
    sweep_tile_rows_by_threads(exec, label, plan, A, x, update);
  }
}

/// The same with result(j) = <u_j, v_j> of columns that are final in a row once it is updated.
template <bool teams, class Storage, class Working, class Space, class Result>
void sweep_and_dot(const Space& exec, const std::string& label, const MbsrSpmvPlan<Space>& plan,
                   const MbsrView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
                   const RowUpdate<Working>& update, const ConstMultiVectorView<Working, Space>& u,
                   const ConstMultiVectorView<Working, Space>& v,
                   const ArrayView<Result, Space>& result) {
  if constexpr (!teams) {
    if (plan.kernel == MbsrSpmvKernel::tile_row) {
      require_plan_of(exec, plan, A);
      for_tile_groups<16>(
          A.layout, static_cast<int>(x.extent(1)),
          [&](auto layout, auto columns, int first, int active) {
            const TileRowsAndDots<Storage, Working, layout.value, columns.value> chunk{
                {{tile_arrays<Storage, Working>(plan, A, x, first, active)}, update},
                Columns<const Working>(u),
                Columns<const Working>(v)};
            sum_row_chunks<columns.value>(exec, label, A.num_rows, chunk, result.data() + first,
                                          active);
          });
      return;
    }
  }
  sweep(exec, label, plan, A, x, update, std::bool_constant<teams>());
  dot_columns<Working, Space>(exec, u, v, result);
}

}  // namespace tessera::kernels::detail
