// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::csr_fused_test {

TESSERA_TEST_SUITE(CsrFused, Matrices, TypeNames);

/// Calls `test(case, plan)` for every square matrix, one to nine columns, and both kernels.
template <class Param, class Test>
void for_each_square_case(const Test& test) {
  for (const auto& matrix : share_of(spmv_matrices<typename Param::Scalar>())) {
    if (matrix.num_rows != matrix.num_cols) continue;
    for (const int k : {1, 2, 3, 9}) {
      const SpmvCase<Param> t(matrix, k);
      for (const auto& plan : spmv_plans(t.exec, t.A))
        test(t, plan);
    }
  }
}

TESSERA_TYPED_TEST(CsrFused, Residual) {
  for (const auto& matrix : share_of(spmv_matrices<Scalar>())) {
    for (const int k : {1, 2, 3, 5, 9}) {
      const SpmvCase<TypeParam> t(matrix, k);
      for (const auto& plan : spmv_plans(t.exec, t.A)) {
        const auto r = t.rows_by_k(all_nan<Scalar>(t.size()));
        kernels::spmv_residual(t.exec, plan, t.A.view(), t.y, t.x, r);
        EXPECT_TRUE(is_within(to_host(r), t.residual_bound()));
        const auto b = t.rows_by_k(t.y_host);
        kernels::spmv_residual(t.exec, plan, t.A.view(), b, t.x, b);
        EXPECT_TRUE(is_within(to_host(b), t.residual_bound())) << "in place";
      }
    }
  }
}

TESSERA_TYPED_TEST(CsrFused, ResidualNorm) {
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto r = t.rows_by_k(all_nan<Scalar>(t.size()));
    const auto result = to_device(t.exec, all_nan<double>(t.k));
    kernels::spmv_residual_norm(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    // The norm is that of the residual as it was rounded.
    EXPECT_TRUE(is_within(to_host(r), t.residual_bound()));
    const auto first = to_host(result);
    EXPECT_TRUE(is_within(first, t.norm_bound_of(to_host(r))));
    // Over b itself, and with the same bits.
    const auto b = t.rows_by_k(t.y_host);
    kernels::spmv_residual_norm(t.exec, plan, t.A.view(), b, t.x, b, result);
    EXPECT_EQ(to_host(b), to_host(r)) << "over b";
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TESSERA_TYPED_TEST(CsrFused, SpmvDot) {
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto y = t.rows_by_k(all_nan<Scalar>(t.size()));
    const auto result = to_device(t.exec, all_nan<Scalar>(t.k));
    kernels::spmv_dot(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0)));
    EXPECT_TRUE(is_within(to_host(result), t.dot_bound_with(to_host(y))));
    const auto first = to_host(result);
    kernels::spmv_dot(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TESSERA_TYPED_TEST(CsrFused, JacobiSweep) {
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto x_out = t.rows_by_k(all_nan<Scalar>(t.size()));
    kernels::jacobi_sweep(t.exec, plan, t.A.view(), t.d, t.y, t.x, x_out);
    EXPECT_TRUE(is_within(to_host(x_out), t.jacobi_bound()));
  });
}

TESSERA_TYPED_TEST(CsrFused, ChebyshevStep) {
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    for (const double beta : {0.0, 0.25}) {
      const auto p = t.rows_by_k(beta == 0 ? all_nan<Scalar>(t.size()) : t.p_host);
      const auto x_out = t.rows_by_k(all_nan<Scalar>(t.size()));
      kernels::chebyshev_step(t.exec, plan, t.A.view(), t.d, Scalar(0.5), Scalar(beta), t.y, t.x, p,
                              x_out);
      EXPECT_TRUE(is_within(to_host(p), t.direction_bound(0.5, beta)));
      EXPECT_TRUE(is_within(to_host(x_out), t.chebyshev_bound(0.5, beta)));
    }
  });
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
