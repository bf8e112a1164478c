// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The HYB sweep: the COO part first, whose row sums go to a list of the rows that it has; then the
/// ELL part, which adds them to its own and finishes every row. No row is written twice, and no
/// epilogue sees half a sum.
#pragma once

#include "tessera/kernels/format/tile_map.hpp"
#include "tessera/kernels/spmv/detail/coo_sweep.hpp"
#include "tessera/kernels/spmv/detail/ell_sweep.hpp"
#include "tessera/kernels/spmv/hyb/hyb_format.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels::detail {

/// The sums of the rows that are in the COO part, in the order of the rows, column after column.
template <class Sum>
struct LongRowSums {
  const std::uint32_t* marks;
  const Ordinal* before;
  Sum* sums;
  std::size_t num_long_rows;
  int first_column;

  KOKKOS_INLINE_FUNCTION Sum& at(Ordinal row, int column) const {
    const std::uint32_t lower = marks[row / 32] & ((std::uint32_t(1) << (row % 32)) - 1);
    return sums[before[row / 32] + count_bits(lower) + (column - first_column) * num_long_rows];
  }
  /// The whole sum of `row`, whose part in ELL is `sum`.
  KOKKOS_INLINE_FUNCTION Sum operator()(Ordinal row, int column, Sum sum) const {
    const bool is_long = (marks[row / 32] >> (row % 32) & 1u) != 0;
    return is_long ? sum + at(row, column) : sum;
  }
};

/// The epilogue of the COO part.
template <class Sum>
struct KeepSum {
  LongRowSums<Sum> rows;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    rows.at(row, column) = sum;
  }
};

/// The sums of what `count` columns from `first` on have in the COO part, in the plan's workspace.
/// The scale is applied to the whole sum, by the ELL part.
template <class Storage, class Working, class Space>
LongRowSums<Arithmetic<Storage, Working>> sum_long_rows(
    const Space& exec, const std::string& label, const HybSpmvPlan<Space>& plan,
    const HybView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x, int first,
    int count) {
  using Sum = Arithmetic<Storage, Working>;
  const LongRowSums<Sum> sums{plan.long_rows.data(), plan.long_rows_before.data(),
                              reinterpret_cast<Sum*>(plan.workspace.data()),
                              static_cast<std::size_t>(plan.num_long_rows), first};
  sweep_shares(exec, label + "_long_rows",
               coo_sweep(plan.coo, A.coo, x, first, count, KeepSum<Sum>{sums}, 1.0));
  return sums;
}

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`, reading
/// the COO part once for up to `max_columns_at_once` columns.
template <class Storage, class Working, class Space, class Epilogue>
void sweep(const Space& exec, const std::string& label, const HybSpmvPlan<Space>& plan,
           const HybView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
           const Epilogue& epilogue) {
  const int k = static_cast<int>(x.extent(1));
  if (A.num_rows == 0) return;
  require_plan_of(exec, plan.coo, A.coo);
  for (int first = 0; first < k; first += max_columns_at_once) {
    const int count = std::min(k - first, max_columns_at_once);
    const auto sums = sum_long_rows(exec, label, plan, A, x, first, count);
    sweep_ell(exec, label, plan.ell, A.ell, x, first, count, sums, epilogue);
  }
}

/// r = b - A x by the epilogue `residual`, and result(j) = <r_j, r_j>.
template <class Working, class Space, class Storage>
void sweep_and_norm(const Space& exec, const std::string& label, const HybSpmvPlan<Space>& plan,
                    const HybView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
                    const SubtractFrom<Working>& residual,
                    const ConstMultiVectorView<Working, Space>& r,
                    const ArrayView<double, Space>& result) {
  if constexpr (is_host_space<Space>) {
    const int k = static_cast<int>(x.extent(1));
    require_plan_of(exec, plan.coo, A.coo);
    for (int first = 0; first < k; first += max_columns_at_once) {
      const int count = std::min(k - first, max_columns_at_once);
      const auto sums = sum_long_rows(exec, label, plan, A, x, first, count);
      ell_residual_norm(exec, label, A.ell, x, first, count, sums, residual, result);
    }
  } else {
    sweep(exec, label, plan, A, x, residual);
    dot_columns<Working, Space>(exec, r, r, result, label);
  }
}

}  // namespace tessera::kernels::detail
