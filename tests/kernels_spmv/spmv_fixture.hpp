// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix with vectors, on the host and on the device, for the tests of the CSR products.
#pragma once

#include "support/expected_products.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test {

/// A plan for every kernel of the space, whatever `analyse_spmv` would choose.
template <class Space, class Matrix>
std::vector<kernels::CsrSpmvPlan<Space>> spmv_plans(const Space& exec, const Matrix& A) {
  using kernels::CsrSpmvAlgorithm;
  std::vector<kernels::CsrSpmvPlan<Space>> plans{
      kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::classical),
      kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::load_balanced),
      kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::column_patterns)};
  if (kernels::has_staged_csr_spmv<Space>()) {
    for (const int lanes : {0, 1, 2, 4, 8})
      plans.push_back(kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::staged, lanes));
    // Two rows per lane, which a plan takes for a million short rows and more.
    plans.push_back(kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::staged, 1, 2));
    for (const int lanes : {1, 2, 4, 8})
      plans.push_back(
          kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::column_patterns, lanes));
    for (const int rows : {2, 4})
      plans.push_back(
          kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::column_patterns, 1, rows));
  }
  return plans;
}

template <class Scalar>
std::vector<HostMatrix<Scalar>> spmv_matrices() {
  return many_team_matrices<Scalar>(11);
}

template <class Param>
struct SpmvCase
    : ProductCase<typename Param::Scalar, typename Param::Scalar, typename Param::Space> {
  TESSERA_TEST_TYPES(Param);

  kernels::Csr<Scalar, Space, Offset> A;

  SpmvCase(const HostMatrix<Scalar>& matrix, int columns)
      : ProductCase<Scalar, Scalar, Space>(converted<double>(matrix), columns),
        A(make_csr<Offset>(this->exec, matrix)) {}
};

}  // namespace tessera::test
