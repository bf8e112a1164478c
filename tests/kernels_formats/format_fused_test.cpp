// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

namespace tessera::test {
namespace {

template <class Param>
class FormatFused : public ::testing::Test {};
TYPED_TEST_SUITE(FormatFused, MixedTypes, StoredNames);

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
    const auto expected = [&](std::size_t i) { return t.y_host[i] - t.product[i]; };
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      const auto r = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::residual<Working>(t.exec, plan, A, t.y, t.x, r);
      expect_near(to_host(r), t.tolerance(), expected, name);
      const auto b = t.rows_by_k(t.y_host);
      kernels::residual<Working>(t.exec, plan, A, b, t.x, b);
      expect_near(to_host(b), t.tolerance(), expected, name);
    });
  }
}

TYPED_TEST(FormatFused, ResidualNorm) {
  using Working = typename TypeParam::Working;
  for (const auto& matrix : share_of(format_matrices())) {
    for (const int k : {1, 9}) {
      const FormatCase<TypeParam> t(matrix, k);
      const auto residual = [&](std::size_t i) { return t.y_host[i] - t.product[i]; };
      const std::size_t n = t.host.num_rows;
      for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
        const auto r = t.rows_by_k(all_nan<Working>(t.size()));
        const auto result = to_device(t.exec, all_nan<double>(t.k));
        kernels::residual_norm<Working>(t.exec, plan, A, t.y, t.x, r, result);
        expect_near(to_host(r), t.tolerance(), residual, name);
        const auto first = to_host(result);
        for (int j = 0; j < k; ++j) {
          double expected = 0;
          for (std::size_t i = j * n; i < (j + 1) * n; ++i)
            expected += static_cast<double>(residual(i) * residual(i));
          EXPECT_NEAR(first[j], expected, 4 * t.tolerance() * (expected + n)) << name;
        }
        const auto b = t.rows_by_k(t.y_host);
        kernels::residual_norm<Working>(t.exec, plan, A, b, t.x, b, result);
        expect_near(to_host(b), t.tolerance(), residual, name);
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
        expect_near(to_host(y), t.tolerance(), [&](std::size_t i) { return t.product[i]; }, name);
        const std::size_t n = t.host.num_rows;
        expect_near(
            to_host(result), t.tolerance() * (1 + n),
            [&](std::size_t j) {
              long double sum = 0;
              for (std::size_t i = j * n; i < (j + 1) * n; ++i)
                sum += t.x_host[i] * t.product[i];
              return sum;
            },
            name);
        const auto first = to_host(result);
        kernels::spmv_dot<Working>(t.exec, plan, A, t.x, y, result);
        EXPECT_EQ(to_host(result), first) << name << ": the sum depends on more than the input";
      });
}

TYPED_TEST(FormatFused, JacobiSweep) {
  using Working = typename TypeParam::Working;
  for_each_square_case<TypeParam>([](const auto& t, const char* name, const auto& A,
                                     const auto& plan) {
    const auto d_host = t.diagonal_scaling();
    const auto d = to_device(t.exec, d_host);
    const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::jacobi_sweep<Working>(t.exec, plan, A, d, t.y, t.x, x_out);
    const std::size_t n = t.host.num_rows;
    expect_near(
        to_host(x_out), 2 * t.tolerance(),
        [&](std::size_t i) { return t.x_host[i] + d_host[i % n] * (t.y_host[i] - t.product[i]); },
        name);
  });
}

TYPED_TEST(FormatFused, ChebyshevStep) {
  using Working = typename TypeParam::Working;
  for_each_square_case<TypeParam>(
      [](const auto& t, const char* name, const auto& A, const auto& plan) {
        const auto d_host = t.diagonal_scaling();
        const auto d = to_device(t.exec, d_host);
        const auto p_host = random_vector<Working>(t.size(), 21);
        const std::size_t n = t.host.num_rows;
        for (const double beta : {0.0, 0.25}) {
          const auto p = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : p_host);
          const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
          kernels::chebyshev_step<Working>(t.exec, plan, A, d, Working(0.5), Working(beta), t.y,
                                           t.x, p, x_out);
          const auto direction = [&](std::size_t i) {
            return beta * p_host[i] + 0.5L * d_host[i % n] * (t.y_host[i] - t.product[i]);
          };
          expect_near(to_host(p), 2 * t.tolerance(), direction, name);
          expect_near(
              to_host(x_out), 2 * t.tolerance(),
              [&](std::size_t i) { return t.x_host[i] + direction(i); }, name);
        }
      });
}

}  // namespace
}  // namespace tessera::test
