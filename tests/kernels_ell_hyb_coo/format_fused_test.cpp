// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::format_fused_test {

TESSERA_TEST_SUITE(FormatFused, MixedTypes, StoredNames);

/// Calls test(case, name, view, plan) for every square matrix, one to nine columns, every format.
template <class Param, class Test>
void for_each_square_case(const Test& test) {
  for (const auto& matrix : share_of(format_matrices())) {
    if (matrix.num_rows != matrix.num_cols || matrix.num_rows > 2000) continue;
    for (const int k : {1, 2, 9}) {
      const FormatCase<Param> t(matrix, k);
      for_each_format(
          t, [&](const char* name, const auto& A, const auto& plan) { test(t, name, A, plan); });
    }
  }
}

TYPED_TEST(FormatFused, Residual) {
  using Working = typename TypeParam::Working;
  for (const auto& matrix : share_of(format_matrices())) {
    const FormatCase<TypeParam> t(matrix, 3);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      const auto r = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::spmv_residual<Working>(t.exec, plan, A, t.y, t.x, r);
      EXPECT_TRUE(is_within(to_host(r), t.residual_bound())) << name;
      const auto b = t.rows_by_k(t.y_host);
      kernels::spmv_residual<Working>(t.exec, plan, A, b, t.x, b);
      EXPECT_TRUE(is_within(to_host(b), t.residual_bound())) << name << " in place";
    });
  }
}

TYPED_TEST(FormatFused, ResidualNorm) {
  using Working = typename TypeParam::Working;
  for (const auto& matrix : share_of(format_matrices())) {
    for (const int k : {1, 9}) {
      const FormatCase<TypeParam> t(matrix, k);
      for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
        const auto r = t.rows_by_k(all_nan<Working>(t.size()));
        const auto result = to_device(t.exec, all_nan<double>(t.k));
        kernels::spmv_residual_norm<Working>(t.exec, plan, A, t.y, t.x, r, result);
        // The norm is that of the residual as it was rounded.
        EXPECT_TRUE(is_within(to_host(r), t.residual_bound())) << name;
        const auto first = to_host(result);
        EXPECT_TRUE(is_within(first, t.norm_bound_of(to_host(r)))) << name;
        const auto b = t.rows_by_k(t.y_host);
        kernels::spmv_residual_norm<Working>(t.exec, plan, A, b, t.x, b, result);
        EXPECT_EQ(to_host(b), to_host(r)) << name << " over b";
        EXPECT_EQ(to_host(result), first) << name << ": the sum depends on more than the input";
      });
    }
  }
}

TYPED_TEST(FormatFused, SpmvDot) {
  using Working = typename TypeParam::Working;
  for_each_square_case<TypeParam>(
      [](const auto& t, const char* name, const auto& A, const auto& plan) {
        const auto y = t.rows_by_k(all_nan<Working>(t.size()));
        const auto result = to_device(t.exec, all_nan<Working>(t.k));
        kernels::spmv_dot<Working>(t.exec, plan, A, t.x, y, result);
        EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0))) << name;
        EXPECT_TRUE(is_within(to_host(result), t.dot_bound_with(to_host(y)))) << name;
        const auto first = to_host(result);
        kernels::spmv_dot<Working>(t.exec, plan, A, t.x, y, result);
        EXPECT_EQ(to_host(result), first) << name << ": the sum depends on more than the input";
      });
}

TYPED_TEST(FormatFused, JacobiSweep) {
  using Working = typename TypeParam::Working;
  for_each_square_case<TypeParam>(
      [](const auto& t, const char* name, const auto& A, const auto& plan) {
        const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
        kernels::jacobi_sweep<Working>(t.exec, plan, A, t.d, t.y, t.x, x_out);
        EXPECT_TRUE(is_within(to_host(x_out), t.jacobi_bound())) << name;
      });
}

TYPED_TEST(FormatFused, ChebyshevStep) {
  using Working = typename TypeParam::Working;
  for_each_square_case<TypeParam>(
      [](const auto& t, const char* name, const auto& A, const auto& plan) {
        for (const double beta : {0.0, 0.25}) {
          const auto p = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : t.p_host);
          const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
          kernels::chebyshev_step<Working>(t.exec, plan, A, t.d, Working(0.5), Working(beta), t.y,
                                           t.x, p, x_out);
          EXPECT_TRUE(is_within(to_host(p), t.direction_bound(0.5, beta))) << name;
          EXPECT_TRUE(is_within(to_host(x_out), t.chebyshev_bound(0.5, beta))) << name;
        }
      });
}

TYPED_TEST(FormatFused, MistakesAreRejected) {
  expect_mistakes_rejected(
      [](const HostMatrix<double>& matrix) { return FormatCase<TypeParam>(matrix, 2); },
      [](const auto& t, const auto& test) { for_each_format(t, test); });
}

}  // namespace tessera::test::format_fused_test
