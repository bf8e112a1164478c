// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix with vectors, on the host and on the device, for the tests of the CSR products.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/spmv/csr_spmv.hpp"

#include <limits>

namespace tessera::test {

/// A plan for every kernel of the space, whatever `analyse_spmv` would choose.
template <class Space, class Matrix>
std::vector<kernels::CsrSpmvPlan<Space>> spmv_plans(const Space& exec, const Matrix& A) {
  using kernels::CsrSpmvAlgorithm;
  std::vector<kernels::CsrSpmvPlan<Space>> plans{
      kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::classical),
      kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::load_balanced)};
  if (kernels::has_staged_csr_spmv<Space>()) {
    for (const int lanes : {0, 1, 2, 4, 8})
      plans.push_back(kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::staged, lanes));
  }
  return plans;
}

/// Long enough for many teams, with rows that lie in several.
template <class Scalar>
std::vector<HostMatrix<Scalar>> spmv_matrices() {
  auto list = edge_case_matrices<Scalar>();
  list.push_back(poisson<Scalar>(19, 17, 11));
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 20, .num_cols = 4000, .density = 0.9, .empty_row_fraction = 0.3, .seed = 8}));
  list.push_back(random_matrix<Scalar>({.num_rows = 5000,
                                        .num_cols = 5000,
                                        .density = 0.0003,
                                        .empty_row_fraction = 0.9,
                                        .dense_row = 4999,
                                        .seed = 9}));
  return list;
}

template <class Param>
struct SpmvCase {
  TESSERA_TEST_TYPES(Param);

  Space exec;
  HostMatrix<Scalar> host;
  kernels::Csr<Scalar, Space, Offset> A;
  int k;
  std::vector<Scalar> x_host;
  std::vector<Scalar> y_host;
  std::vector<long double> product;  ///< A x
  MultiVector<Scalar, Space> x;
  MultiVector<Scalar, Space> y;

  SpmvCase(const HostMatrix<Scalar>& matrix, int columns)
      : host(matrix),
        A(make_csr<Offset>(exec, host)),
        k(columns),
        x_host(random_vector<Scalar>(static_cast<std::size_t>(host.num_cols) * k, 11)),
        y_host(random_vector<Scalar>(static_cast<std::size_t>(host.num_rows) * k, 12)),
        product(multiply(host, x_host, k)),
        x(to_multivector(exec, x_host, host.num_cols, k)),
        y(to_multivector(exec, y_host, host.num_rows, k)) {}

  MultiVector<Scalar, Space> rows_by_k(const std::vector<Scalar>& v) const {
    return to_multivector(exec, v, host.num_rows, k);
  }
  std::vector<Scalar> diagonal_scaling() const { return random_vector<Scalar>(host.num_rows, 13); }
  /// What a sum of the longest row may lose, for values up to one.
  double tolerance() const { return roundings<Scalar>(4 + 2 * static_cast<double>(host.num_cols)); }
  std::size_t size() const { return static_cast<std::size_t>(host.num_rows) * k; }
};

/// Each entry of `actual` equals expected(i) within `tolerance`.
template <class Scalar, class Expected>
void expect_near(const std::vector<Scalar>& actual, double tolerance, const Expected& expected,
                 const char* what) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected(i)), tolerance)
        << what << ", place " << i;
  }
}

template <class Scalar>
std::vector<Scalar> all_nan(std::size_t n) {
  return std::vector<Scalar>(n, std::numeric_limits<Scalar>::quiet_NaN());
}

}  // namespace tessera::test
