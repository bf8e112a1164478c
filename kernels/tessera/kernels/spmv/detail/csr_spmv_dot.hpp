// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of a CSR matrix and <x, A x> in one pass, on a host.
#pragma once

#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/plan_of.hpp"

namespace tessera::kernels::detail {

/// A chunk of rows of y = A x for `N` columns, and what it adds to the inner products with x.
template <class Scalar, class Offset, int N>
struct ProductAndDot {
  RowProduct<Scalar, Offset, N> product;
  Columns<const Scalar> x;
  Columns<Scalar> y;
  int first_column;

  void operator()(Ordinal begin, Ordinal end, ColumnSums<double, N>& dot) const {
    for (Ordinal row = begin; row < end; ++row) {
      const ColumnSums<Scalar, N> sums = product(row);
      for (int c = 0; c < N; ++c) {
        y(row, first_column + c) = sums.value[c];
        dot.value[c] += static_cast<double>(x(row, first_column + c)) * sums.value[c];
      }
    }
  }
};

/// `spmv_dot` on a host, in one pass over the matrix.
template <class Scalar, class Space, class Offset>
void classical_spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
                        const CsrView<Scalar, Space, Offset>& A,
                        const ConstMultiVectorView<Scalar, Space>& x,
                        const MultiVectorView<Scalar, Space>& y,
                        const ArrayView<Scalar, Space>& result) {
  const int k = static_cast<int>(x.extent(1));
  require_square(A, A.num_rows);
  require_shape(x, "x", A.num_rows, k);
  require_shape(y, "y", A.num_rows, k);
  require_result(result, k);
  require_plan_of(exec, plan, A);
  for_column_groups(k, [&](auto columns, int first) {
    constexpr int n = columns.value;
    sum_row_chunks<n>(
        exec, "tessera::spmv_dot", A.num_rows,
        ProductAndDot<Scalar, Offset, n>{RowProduct<Scalar, Offset, n>(A, x, first),
                                         Columns<const Scalar>(x), Columns<Scalar>(y), first},
        result.data() + first);
  });
}

}  // namespace tessera::kernels::detail
