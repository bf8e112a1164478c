// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

namespace tessera::test {
namespace {

template <class Param>
class CsrFused : public ::testing::Test {};
TYPED_TEST_SUITE(CsrFused, Matrices, TypeNames);

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

TYPED_TEST(CsrFused, Residual) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& matrix : share_of(spmv_matrices<Scalar>())) {
    for (const int k : {1, 2, 3, 5, 9}) {
      const SpmvCase<TypeParam> t(matrix, k);
      const auto expected = [&](std::size_t i) { return t.y_host[i] - t.product[i]; };
      for (const auto& plan : spmv_plans(t.exec, t.A)) {
        const auto r = t.rows_by_k(all_nan<Scalar>(t.size()));
        kernels::residual(t.exec, plan, t.A.view(), t.y, t.x, r);
        expect_near(to_host(r), t.tolerance(), expected, "residual");
        const auto b = t.rows_by_k(t.y_host);
        kernels::residual(t.exec, plan, t.A.view(), b, t.x, b);
        expect_near(to_host(b), t.tolerance(), expected, "residual in place");
      }
    }
  }
}

TYPED_TEST(CsrFused, ResidualNorm) {
  TESSERA_TEST_TYPES(TypeParam);
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto residual = [&](std::size_t i) { return t.y_host[i] - t.product[i]; };
    const std::size_t n = t.host.num_rows;
    const auto squares = [&](std::size_t j) {
      long double sum = 0;
      for (std::size_t i = j * n; i < (j + 1) * n; ++i)
        sum += residual(i) * residual(i);
      return sum;
    };
    const auto r = t.rows_by_k(all_nan<Scalar>(t.size()));
    const auto result = to_device(t.exec, all_nan<double>(t.k));
    kernels::residual_norm(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    expect_near(to_host(r), t.tolerance(), residual, "residual");
    const auto first = to_host(result);
    for (int j = 0; j < t.k; ++j) {
      const auto expected = static_cast<double>(squares(j));
      EXPECT_NEAR(first[j], expected, 4 * t.tolerance() * (expected + n));
    }
    // Over b itself, and with the same bits.
    const auto b = t.rows_by_k(t.y_host);
    kernels::residual_norm(t.exec, plan, t.A.view(), b, t.x, b, result);
    expect_near(to_host(b), t.tolerance(), residual, "residual over b");
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(CsrFused, SpmvDot) {
  TESSERA_TEST_TYPES(TypeParam);
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto y = t.rows_by_k(all_nan<Scalar>(t.size()));
    const auto result = to_device(t.exec, all_nan<Scalar>(t.k));
    kernels::spmv_dot(t.exec, plan, t.A.view(), t.x, y, result);
    expect_near(to_host(y), t.tolerance(), [&](std::size_t i) { return t.product[i]; }, "product");
    const std::size_t n = t.host.num_rows;
    expect_near(
        to_host(result), t.tolerance() * (1 + n),
        [&](std::size_t j) {
          long double sum = 0;
          for (std::size_t i = j * n; i < (j + 1) * n; ++i)
            sum += t.x_host[i] * t.product[i];
          return sum;
        },
        "dot");
    const auto first = to_host(result);
    kernels::spmv_dot(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(CsrFused, JacobiSweep) {
  TESSERA_TEST_TYPES(TypeParam);
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto d_host = t.diagonal_scaling();
    const auto d = to_device(t.exec, d_host);
    const auto x_out = t.rows_by_k(all_nan<Scalar>(t.size()));
    kernels::jacobi_sweep(t.exec, plan, t.A.view(), d, t.y, t.x, x_out);
    const std::size_t n = t.host.num_rows;
    expect_near(
        to_host(x_out), 2 * t.tolerance(),
        [&](std::size_t i) { return t.x_host[i] + d_host[i % n] * (t.y_host[i] - t.product[i]); },
        "jacobi_sweep");
  });
}

TYPED_TEST(CsrFused, ChebyshevStep) {
  TESSERA_TEST_TYPES(TypeParam);
  for_each_square_case<TypeParam>([](const auto& t, const auto& plan) {
    const auto d_host = t.diagonal_scaling();
    const auto d = to_device(t.exec, d_host);
    const auto p_host = random_vector<Scalar>(t.size(), 21);
    const std::size_t n = t.host.num_rows;
    for (const double beta : {0.0, 0.25}) {
      const auto p = t.rows_by_k(beta == 0 ? all_nan<Scalar>(t.size()) : p_host);
      const auto x_out = t.rows_by_k(all_nan<Scalar>(t.size()));
      kernels::chebyshev_step(t.exec, plan, t.A.view(), d, Scalar(0.5), Scalar(beta), t.y, t.x, p,
                              x_out);
      const auto direction = [&](std::size_t i) {
        return beta * p_host[i] + 0.5L * d_host[i % n] * (t.y_host[i] - t.product[i]);
      };
      expect_near(to_host(p), 2 * t.tolerance(), direction, "direction");
      expect_near(
          to_host(x_out), 2 * t.tolerance(),
          [&](std::size_t i) { return t.x_host[i] + direction(i); }, "chebyshev_step");
    }
  });
}

}  // namespace
}  // namespace tessera::test
