// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products of CSR: the sweep, and what a host or a staged kernel does in one
/// pass.
#pragma once

#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/find_patterns.hpp"
#include "tessera/kernels/spmv/detail/staged_dot.hpp"
#include "tessera/kernels/spmv/detail/sweep.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"

namespace tessera::kernels {
namespace detail {

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

template <class Storage, class Space, class Offset>
struct FusedProducts<CsrView<Storage, Space, Offset>> {
  using Matrix = CsrView<Storage, Space, Offset>;

  template <class Working, class>
  static void spmv_residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan, const Matrix& A,
                                 const ConstMultiVectorView<Working, Space>& b,
                                 const ConstMultiVectorView<Working, Space>& x,
                                 const MultiVectorView<Working, Space>& r,
                                 const ArrayView<double, Space>& result) {
    require_result(result, x.extent(1));
    if constexpr (is_host_space<Space>) {
      if (plan.algorithm == CsrSpmvAlgorithm::classical) {
        classical_residual_norm<Storage, Working, Space, Offset>(exec, plan, A, b, x, r, result);
        return;
      }
    }
    // As in `spmv_dot`; the product is the public one, so that its kernels exist once.
    kernels::spmv_residual<Working>(exec, plan, A, b, x, r);
    dot_columns<Working, Space>(exec, r, r, result, "tessera::residual_norm");
  }

  template <class Working, class>
  static void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& y,
                       const ArrayView<Working, Space>& result) {
    if constexpr (std::is_same_v<Storage, Working>) {
      if (spmv_dot_in_one_pass(exec, plan, A, x, y, result)) return;
    }
    // The matrix is read once, the vectors twice. Load-balanced, rows that lie in several teams are
    // finished late; and on a device a team's reduction at the end of the classical kernel costs
    // more than the second pass (7-point 128^3 on an H200: 0.17 ms, twice the product alone).
    ProductsInTwoPasses::spmv_dot<Working, Space>(exec, plan, A, x, y, result);
  }

 private:
  /// False where the plan has no kernel for it.
  static bool spmv_dot_in_one_pass(const Space& exec, const CsrSpmvPlan<Space>& plan,
                                   const Matrix& A, const ConstMultiVectorView<Storage, Space>& x,
                                   const MultiVectorView<Storage, Space>& y,
                                   const ArrayView<Storage, Space>& result) {
    if constexpr (is_host_space<Space>) {
      if (plan.algorithm == CsrSpmvAlgorithm::classical && A.num_rows > 0) {
        classical_spmv_dot(exec, plan, A, x, y, result);
        return true;
      }
    }
    if constexpr (has_staged_rows<Space>) {
      if (is_staged(plan) && x.extent(1) == 1 && A.num_rows > 0) {
        require_square(A, A.num_rows);
        require_shape(x, "x", A.num_rows, 1);
        require_shape(y, "y", A.num_rows, 1);
        require_result(result, 1);
        require_plan_of(exec, plan, A);
        if (sweep_staged_dot<Storage, Space>(exec, plan, A, x, y, result)) return true;
      }
    }
    return false;
  }
};

}  // namespace detail
}  // namespace tessera::kernels

// Calls M(Storage, Working, Space, Offset) where Storage and Working differ.
#define TESSERA_DETAIL_DIFFERENT(M, Storage, Working, Space) \
  M(Storage, Working, Space, std::int32_t) M(Storage, Working, Space, std::int64_t)
#define TESSERA_DETAIL_MIXED_CSR_IN(M, Space)                    \
  TESSERA_DETAIL_DIFFERENT(M, float, double, Space)              \
  TESSERA_DETAIL_DIFFERENT(M, double, float, Space)              \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, double, Space, std::int32_t) \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, double, Space, std::int64_t) \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, float, Space, std::int32_t)  \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, float, Space, std::int64_t)
#if TESSERA_HAVE_DEVICE
#define TESSERA_DETAIL_FOR_EACH_MIXED_CSR(M)           \
  TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::HostSpace) \
  TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::DeviceSpace)
#else
#define TESSERA_DETAIL_FOR_EACH_MIXED_CSR(M) TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::HostSpace)
#endif
