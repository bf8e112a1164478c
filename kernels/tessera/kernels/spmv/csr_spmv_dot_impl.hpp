// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `spmv_dot`.
#pragma once

#include "tessera/kernels/spmv/csr_spmv_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// y = A x for `N` columns, summing x .* y.
template <class Scalar, class Offset, int N>
struct ProductAndDot {
  using value_type = ColumnSums<Scalar, N>;
  RowProduct<Scalar, Offset, N> product;
  Columns<const Scalar> x;
  Columns<Scalar> y;
  int first_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, value_type& dot) const {
    const value_type sums = product(row);
    for (int c = 0; c < N; ++c) {
      y(row, first_column + c) = sums.value[c];
      dot.value[c] += x(row, first_column + c) * sums.value[c];
    }
  }
};

/// The dot products of `N` columns.
template <class Scalar, int N>
struct ColumnDots {
  using value_type = ColumnSums<Scalar, N>;
  Columns<const Scalar> x;
  Columns<Scalar> y;
  int first_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, value_type& dot) const {
    for (int c = 0; c < N; ++c)
      dot.value[c] += x(row, first_column + c) * y(row, first_column + c);
  }
};

/// Where a reduction of `N` columns leaves its sums, without waiting for them.
template <int N, class Scalar, class Space>
auto sums_at(const ArrayView<Scalar, Space>& result, int first_column) {
  using Sums = ColumnSums<Scalar, N>;
  static_assert(sizeof(Sums) == N * sizeof(Scalar));
  using Target =
      Kokkos::View<Sums, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return Target(reinterpret_cast<Sums*>(result.data() + first_column));
}

/// Product and dot products in one pass of row after row, on a host.
template <int N, class Scalar, class Space, class Offset>
void product_and_dot(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const ConstMultiVectorView<Scalar, Space>& x,
                     const MultiVectorView<Scalar, Space>& y,
                     const ArrayView<Scalar, Space>& result, int first_column) {
  Kokkos::parallel_reduce(
      "tessera::spmv_dot", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      ProductAndDot<Scalar, Offset, N>{RowProduct<Scalar, Offset, N>(A, x, first_column),
                                       Columns<const Scalar>(x), Columns<Scalar>(y), first_column},
      sums_at<N, Scalar, Space>(result, first_column));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
              const NonDeduced<MultiVectorView<Scalar, Space>>& y,
              const NonDeduced<ArrayView<Scalar, Space>>& result) {
  const int k = static_cast<int>(x.extent(1));
  detail::require_square(A, A.num_rows);
  detail::require_shape(x, "x", A.num_rows, k);
  detail::require_shape(y, "y", A.num_rows, k);
  require(result.extent(0) >= x.extent(1), [&] {
    return "result has length " + std::to_string(result.extent(0)) + ", expected at least " +
           std::to_string(k);
  });
  if (k == 0) return;
  if (A.num_rows == 0) {
    Kokkos::deep_copy(exec, result, Scalar(0));
    return;
  }
  if constexpr (is_host_space<Space>) {
    if (plan.algorithm == CsrSpmvAlgorithm::classical) {
      detail::for_column_groups(k, [&](auto columns, int first) {
        detail::product_and_dot<columns.value, Scalar, Space, Offset>(exec, A, x, y, result, first);
      });
      return;
    }
  }
  // The matrix is read once, the vectors twice. Load-balanced, rows that lie in several teams are
  // finished late; and on a device a reduction inside the product costs more than the second pass
  // (7-point 128^3 on an H200: 0.17 ms, twice the product alone).
  spmv(exec, plan, Scalar(1), A, x, Scalar(0), y);
  detail::for_column_groups(k, [&](auto columns, int first) {
    constexpr int n = columns.value;
    Kokkos::parallel_reduce("tessera::spmv_dot", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                            detail::ColumnDots<Scalar, n>{detail::Columns<const Scalar>(x),
                                                          detail::Columns<Scalar>(y), first},
                            detail::sums_at<n, Scalar, Space>(result, first));
  });
}

}  // namespace tessera::kernels
