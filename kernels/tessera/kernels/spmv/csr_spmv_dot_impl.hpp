// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `spmv_dot`.
#pragma once

#include "tessera/kernels/spmv/csr_spmv_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// The most teams of a fused product on a device: enough to fill it, few enough that the teams'
/// partial sums are added quickly.
inline constexpr int most_dot_teams = 4096;

/// y = A x for `N` columns, summing x .* y.
template <class Scalar, class Offset, int N>
struct ProductAndDot {
  using value_type = ColumnSums<Scalar, N>;
  RowProduct<Scalar, Offset, N> product;
  Columns<const Scalar> x;
  Columns<Scalar> y;
  int first_column;
  Ordinal num_rows;

  KOKKOS_INLINE_FUNCTION void finish(Ordinal row, const value_type& sums, value_type& dot) const {
    for (int c = 0; c < N; ++c) {
      y(row, first_column + c) = sums.value[c];
      dot.value[c] += x(row, first_column + c) * sums.value[c];
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, value_type& dot) const {
    finish(row, product(row), dot);
  }

  template <class Member>
  requires requires(const Member& member) { member.league_rank(); }
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member, value_type& dot) const {
    const Ordinal stride = member.league_size() * member.team_size();
    const Ordinal first = member.league_rank() * member.team_size() + member.team_rank();
    for (std::int64_t row = first; row < num_rows; row += stride) {
      const value_type sums = product.by_lanes(member, static_cast<Ordinal>(row));
      Kokkos::single(Kokkos::PerThread(member),
                     [&] { finish(static_cast<Ordinal>(row), sums, dot); });
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

template <int N, class Scalar, class Space, class Offset>
void classical_dot(const Space& exec, int threads_per_row, const CsrView<Scalar, Space, Offset>& A,
                   const ConstMultiVectorView<Scalar, Space>& x,
                   const MultiVectorView<Scalar, Space>& y, const ArrayView<Scalar, Space>& result,
                   int first_column) {
  const ProductAndDot<Scalar, Offset, N> functor{RowProduct<Scalar, Offset, N>(A, x, first_column),
                                                 Columns<const Scalar>(x), Columns<Scalar>(y),
                                                 first_column, A.num_rows};
  const auto target = sums_at<N, Scalar, Space>(result, first_column);
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_reduce("tessera::spmv_dot", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                            functor, target);
  } else {
    const int rows_per_team = classical_team_threads / threads_per_row;
    const int teams = std::min((A.num_rows - 1) / rows_per_team + 1, most_dot_teams);
    Kokkos::parallel_reduce("tessera::spmv_dot",
                            Kokkos::TeamPolicy<Space>(exec, teams, rows_per_team, threads_per_row),
                            functor, target);
  }
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
  if (plan.algorithm == CsrSpmvAlgorithm::classical) {
    detail::for_column_groups(k, [&](auto columns, int first) {
      detail::classical_dot<columns.value, Scalar, Space, Offset>(exec, plan.threads_per_row, A, x,
                                                                  y, result, first);
    });
    return;
  }
  // Rows that lie in several teams are finished late, so the dot products are a pass of their own.
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
