// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::mbsr_fused_test {

TESSERA_TEST_SUITE(MbsrFused, MixedTypes, StoredNames);

TYPED_TEST(MbsrFused, Residual) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 2}, false, [](const auto& t, const auto& plan) {
    const auto r = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::spmv_residual<Working>(t.exec, plan, t.A.view(), t.y, t.x, r);
    EXPECT_TRUE(is_within(to_host(r), t.residual_bound()));
    const auto b = t.rows_by_k(t.y_host);
    kernels::spmv_residual<Working>(t.exec, plan, t.A.view(), b, t.x, b);
    EXPECT_TRUE(is_within(to_host(b), t.residual_bound())) << "in place";
  });
}

TYPED_TEST(MbsrFused, ResidualNorm) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 6}, false, [](const auto& t, const auto& plan) {
    const auto r = t.rows_by_k(all_nan<Working>(t.size()));
    const auto result = to_device(t.exec, all_nan<double>(t.k));
    kernels::spmv_residual_norm<Working>(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    // The norm is that of the residual as it was rounded.
    EXPECT_TRUE(is_within(to_host(r), t.residual_bound()));
    EXPECT_TRUE(is_within(to_host(result), t.norm_bound_of(to_host(r))));
    const auto first = to_host(result);
    kernels::spmv_residual_norm<Working>(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(MbsrFused, SpmvDot) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 5}, true, [](const auto& t, const auto& plan) {
    const auto y = t.rows_by_k(all_nan<Working>(t.size()));
    const auto result = to_device(t.exec, all_nan<Working>(t.k));
    kernels::spmv_dot<Working>(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0)));
    EXPECT_TRUE(is_within(to_host(result), t.dot_bound_with(to_host(y))));
    const auto first = to_host(result);
    kernels::spmv_dot<Working>(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(MbsrFused, JacobiSweep) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 5}, true, [](const auto& t, const auto& plan) {
    const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::jacobi_sweep<Working>(t.exec, plan, t.A.view(), t.d, t.y, t.x, x_out);
    EXPECT_TRUE(is_within(to_host(x_out), t.jacobi_bound()));
  });
}

TYPED_TEST(MbsrFused, ChebyshevStep) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 2}, true, [](const auto& t, const auto& plan) {
    for (const double beta : {0.0, 0.25}) {
      const auto p = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : t.p_host);
      const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::chebyshev_step(t.exec, plan, t.A.view(), t.d, Working(0.5), Working(beta), t.y, t.x,
                              p, x_out);
      EXPECT_TRUE(is_within(to_host(p), t.direction_bound(0.5, beta)));
      EXPECT_TRUE(is_within(to_host(x_out), t.chebyshev_bound(0.5, beta)));
    }
  });
}

TYPED_TEST(MbsrFused, MistakesAreRejected) {
  for (const auto layout : tile_layouts) {
    expect_mistakes_rejected(
        [&](const HostMatrix<double>& matrix) { return MbsrCase<TypeParam>(matrix, layout, 2); },
        [](const auto& t, const auto& test) {
          for (const auto& plan : t.plans())
            test("mBSR", t.A.view(), plan);
        });
  }
}

}  // namespace tessera::test::mbsr_fused_test
