// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/csr_spmv_impl.hpp"
#include "tessera/kernels/spmv/detail/staged_dot.hpp"

namespace tessera::kernels {
namespace detail {

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

}  // namespace detail

template <class Scalar, class Space, class Offset>
void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
              const NonDeduced<MultiVectorView<Scalar, Space>>& y,
              const NonDeduced<ArrayView<Scalar, Space>>& result) {
  if constexpr (is_host_space<Space>) {
    if (plan.algorithm == CsrSpmvAlgorithm::classical && A.num_rows > 0) {
      detail::classical_spmv_dot(exec, plan, A, x, y, result);
      return;
    }
  }
  if constexpr (detail::has_staged_rows<Space>) {
    if (detail::is_staged(plan) && x.extent(1) == 1 && A.num_rows > 0) {
      detail::require_square(A, A.num_rows);
      detail::require_shape(x, "x", A.num_rows, 1);
      detail::require_shape(y, "y", A.num_rows, 1);
      detail::require_result(result, 1);
      detail::require_plan_of(exec, plan, A);
      if (detail::sweep_staged_dot<Scalar, Space>(exec, plan, A, x, y, result)) return;
    }
  }
  // The matrix is read once, the vectors twice. Load-balanced, rows that lie in several teams are
  // finished late; and on a device a team's reduction at the end of the classical kernel costs more
  // than the second pass (7-point 128^3 on an H200: 0.17 ms, twice the product alone).
  detail::sweep_spmv_dot<Scalar, Space>(exec, plan, A, x, y, result);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                             \
  extern template void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan,                 \
                            NonDeduced<Scalar> alpha, const CsrView<Scalar, Space, Offset>& A, \
                            const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,          \
                            NonDeduced<Scalar> beta,                                           \
                            const NonDeduced<MultiVectorView<Scalar, Space>>& y);              \
  template void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,                    \
                         const CsrView<Scalar, Space, Offset>& A,                              \
                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,             \
                         const NonDeduced<MultiVectorView<Scalar, Space>>& y,                  \
                         const NonDeduced<ArrayView<Scalar, Space>>& result);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
