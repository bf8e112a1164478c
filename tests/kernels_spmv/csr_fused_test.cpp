// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::csr_fused_test {

TESSERA_TEST_SUITE(CsrFused, Matrices, TypeNames);

TESSERA_TYPED_TEST(CsrFused, EveryProductIsWithinItsBound) {
  for (const auto& matrix : share_of(spmv_matrices<Scalar>())) {
    for (const int k : {1, 2, 3, 5, 9}) {
      const SpmvCase<TypeParam> t(matrix, k);
      for (const auto& plan : spmv_plans(t.exec, t.A))
        expect_fused_products(t, t.A.view(), plan);
    }
  }
}

TESSERA_TYPED_TEST(CsrFused, MistakesAreRejected) {
  expect_mistakes_rejected(
      [](const HostMatrix<double>& matrix) {
        return SpmvCase<TypeParam>(converted<Scalar>(matrix), 2);
      },
      [](const auto& t, const auto& test) {
        for (const auto& plan : spmv_plans(t.exec, t.A))
          test("CSR", t.A.view(), plan);
      });
}

}  // namespace tessera::test::csr_fused_test
