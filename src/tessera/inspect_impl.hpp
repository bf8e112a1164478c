// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions for inspect.hpp.
#pragma once

#include "tessera/inspect.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera {
namespace detail {

/// Sums and extremes of one pass over the rows.
struct FactSums {
  double v_Au = 0;
  double u_Av = 0;
  double magnitude = 0;  ///< sum of |v_i (A u)_i|: the scale of the two sums' round-off
  double rows_not_zero = 0;  ///< rows whose sum is above round-off
  double positive = 0;
  double negative = 0;
  double least = Kokkos::Experimental::finite_max_v<double>;
  double greatest = 0;

  KOKKOS_FUNCTION FactSums& operator+=(const FactSums& o) {
    v_Au += o.v_Au;
    u_Av += o.u_Av;
    magnitude += o.magnitude;
    rows_not_zero += o.rows_not_zero;
    positive += o.positive;
    negative += o.negative;
    least = Kokkos::fmin(least, o.least);
    greatest = Kokkos::fmax(greatest, o.greatest);
    return *this;
  }
};

/// The three test vectors: two hashed ones in [1, 2) and a column of ones.
template <class Scalar, class Space>
void fill_test_vectors(const Space& exec, const MultiVectorView<Scalar, Space>& x) {
  Kokkos::parallel_for(
      "tessera::inspect::test_vectors", Kokkos::RangePolicy<Space>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const auto key = static_cast<std::uint32_t>(2 * i);
        x(i, 0) = static_cast<Scalar>(1.0 + 0x1p-32 * kernels::hash32(key));
        x(i, 1) = static_cast<Scalar>(1.0 + 0x1p-32 * kernels::hash32(key + 1));
        x(i, 2) = Scalar(1);
      });
}

template <class Scalar, class Space>
FactSums sum_facts(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
                   const ConstMultiVectorView<Scalar, Space>& y,
                   const ArrayView<const Scalar, Space>& diagonal) {
  FactSums total;
  const double round_off = 64 * Kokkos::Experimental::epsilon_v<Scalar>;
  Kokkos::parallel_reduce(
      "tessera::inspect::sums", Kokkos::RangePolicy<Space>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i, FactSums& sum) {
        const double v_Au = static_cast<double>(x(i, 1)) * y(i, 0);
        const double d = diagonal(i);
        sum.v_Au += v_Au;
        sum.u_Av += static_cast<double>(x(i, 0)) * y(i, 1);
        sum.magnitude += Kokkos::fabs(v_Au) + Kokkos::fabs(d);
        sum.rows_not_zero +=
            Kokkos::fabs(static_cast<double>(y(i, 2))) > round_off * Kokkos::fabs(d);
        sum.positive += d > 0;
        sum.negative += d < 0;
        sum.least = Kokkos::fmin(sum.least, Kokkos::fabs(d));
        sum.greatest = Kokkos::fmax(sum.greatest, Kokkos::fabs(d));
      },
      total);
  exec.fence("tessera::inspect");
  return total;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
MatrixFacts inspect(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const kernels::CsrSpmvPlan<Space>& plan) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  const auto x = allocate_multivector<Scalar>(exec, "tessera::inspect::x", A.num_rows, 3);
  const auto y = allocate_multivector<Scalar>(exec, "tessera::inspect::y", A.num_rows, 3);
  const auto diagonal = allocate<Scalar>(exec, "tessera::inspect::diagonal", A.num_rows);
  detail::fill_test_vectors<Scalar, Space>(exec, x);
  kernels::spmv(exec, plan, Scalar(1), A, x, Scalar(0), y);
  kernels::extract_diagonal(exec, A, diagonal);
  const auto sums = detail::sum_facts<Scalar, Space>(exec, x, y, diagonal);

  MatrixFacts facts;
  const double n = A.num_rows;
  // The rounding errors of n terms are independent: they grow like the root of n at the most.
  const double tolerance = 100 * std::numeric_limits<Scalar>::epsilon() * sums.magnitude;
  facts.symmetric = std::abs(sums.v_Au - sums.u_Av) <= tolerance;
  facts.positive_diagonal = sums.positive == n;
  facts.negative_diagonal = sums.negative == n && n > 0;
  facts.zero_row_sums = sums.rows_not_zero == 0 && n > 0;
  facts.smallest_diagonal = n > 0 ? sums.least : 0;
  facts.largest_diagonal = sums.greatest;
  return facts;
}

}  // namespace tessera
