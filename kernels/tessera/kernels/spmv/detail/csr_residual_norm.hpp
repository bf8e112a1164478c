// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The residual of a CSR matrix and its norm in one pass, on a host.
#pragma once

#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/plan_of.hpp"

namespace tessera::kernels::detail {

/// A chunk of rows of r = b - A x for `N` columns, and what it adds to <r, r>.
template <class Storage, class Working, class Offset, int N>
struct ResidualAndNorm {
  RowProduct<Storage, Offset, N, Working> product;
  SubtractFrom<Working> residual;
  int first_column;

  void operator()(Ordinal begin, Ordinal end, ColumnSums<double, N>& norm) const {
    const SubtractAndSquare<Working> epilogue{residual, norm.value, first_column};
    for (Ordinal row = begin; row < end; ++row) {
      const auto sums = product(row);
      for (int c = 0; c < N; ++c)
        epilogue(row, first_column + c, sums.value[c]);
    }
  }
};

/// r = b - A x and result(j) = <r_j, r_j>, reading the matrix once for the columns of a group.
template <class Storage, class Working, class Space, class Offset>
void classical_residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,
                             const CsrView<Storage, Space, Offset>& A,
                             const ConstMultiVectorView<Working, Space>& b,
                             const ConstMultiVectorView<Working, Space>& x,
                             const MultiVectorView<Working, Space>& r,
                             const ArrayView<double, Space>& result) {
  require_shape(x, "x", A.num_cols, x.extent(1));
  require_shape(b, "b", A.num_rows, x.extent(1));
  require_shape(r, "r", A.num_rows, x.extent(1));
  require_plan_of(exec, plan, A);
  const SubtractFrom<Working> subtract{Columns<const Working>(b), Columns<Working>(r)};
  for_few_column_groups(static_cast<int>(x.extent(1)), [&](auto columns, int first) {
    constexpr int n = columns.value;
    sum_row_chunks<n>(exec, "tessera::residual_norm", A.num_rows,
                      ResidualAndNorm<Storage, Working, Offset, n>{
                          RowProduct<Storage, Offset, n, Working>(A, x, first), subtract, first},
                      result.data() + first);
  });
}

}  // namespace tessera::kernels::detail
