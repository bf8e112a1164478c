// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"

namespace tessera::test {
namespace {

template <class Param>
class MbsrFused : public ::testing::Test {};
TYPED_TEST_SUITE(MbsrFused, MixedTypes, StoredNames);

template <class Case>
double residual_error(const Case& t, std::size_t i) {
  return t.update_error(i, 1, std::abs(static_cast<double>(t.y_host[i])));
}

TYPED_TEST(MbsrFused, Residual) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 2}, false, [](const auto& t, const auto& plan) {
    const auto expected = [&](std::size_t i) { return t.y_host[i] - t.product[i]; };
    const auto error = [&](std::size_t i) { return residual_error(t, i); };
    const auto r = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::residual<Working>(t.exec, plan, t.A.view(), t.y, t.x, r);
    expect_within(to_host(r), expected, error, "residual");
    const auto b = t.rows_by_k(t.y_host);
    kernels::residual<Working>(t.exec, plan, t.A.view(), b, t.x, b);
    expect_within(to_host(b), expected, error, "residual in place");
  });
}

/// Sums of u .* v over the rows of each column.
template <class Scalar>
std::vector<long double> dots(const std::vector<Scalar>& u, const std::vector<Scalar>& v, int k) {
  std::vector<long double> result(k, 0.0L);
  const std::size_t n = k == 0 ? 0 : u.size() / k;
  for (std::size_t i = 0; i < u.size(); ++i)
    result[i / n] += static_cast<long double>(u[i]) * v[i];
  return result;
}

/// What the inner product of columns of u and v, summed in `Sum`, may lose.
template <class Sum, class Scalar>
double dot_error(const std::vector<Scalar>& u, const std::vector<Scalar>& v, int k, std::size_t j) {
  const std::size_t n = u.size() / k;
  double reach = 0;
  for (std::size_t i = j * n; i < (j + 1) * n; ++i)
    reach += std::abs(static_cast<double>(u[i]) * static_cast<double>(v[i]));
  return 1.1 * (n + 2) * unit_roundoff<Sum> * reach;
}

TYPED_TEST(MbsrFused, ResidualNorm) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 6}, false, [](const auto& t, const auto& plan) {
    const auto r = t.rows_by_k(all_nan<Working>(t.size()));
    const auto result = to_device(t.exec, all_nan<double>(t.k));
    kernels::residual_norm<Working>(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    const auto actual = to_host(r);
    expect_within(
        actual, [&](std::size_t i) { return t.y_host[i] - t.product[i]; },
        [&](std::size_t i) { return residual_error(t, i); }, "residual");
    // The norm is that of the residual as it was rounded.
    const auto norms = dots(actual, actual, t.k);
    expect_within(
        to_host(result), [&](std::size_t j) { return norms[j]; },
        [&](std::size_t j) { return dot_error<double>(actual, actual, t.k, j); }, "norm");
    const auto first = to_host(result);
    kernels::residual_norm<Working>(t.exec, plan, t.A.view(), t.y, t.x, r, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(MbsrFused, SpmvDot) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 5}, true, [](const auto& t, const auto& plan) {
    const auto y = t.rows_by_k(all_nan<Working>(t.size()));
    const auto result = to_device(t.exec, all_nan<Working>(t.k));
    kernels::spmv_dot<Working>(t.exec, plan, t.A.view(), t.x, y, result);
    const auto actual = to_host(y);
    expect_within(
        actual, [&](std::size_t i) { return t.product[i]; },
        [&](std::size_t i) { return t.update_error(i, 1, 0); }, "product");
    const auto expected = dots(t.x_host, actual, t.k);
    expect_within(
        to_host(result), [&](std::size_t j) { return expected[j]; },
        [&](std::size_t j) { return dot_error<Working>(t.x_host, actual, t.k, j); }, "dot");
    const auto first = to_host(result);
    kernels::spmv_dot<Working>(t.exec, plan, t.A.view(), t.x, y, result);
    EXPECT_EQ(to_host(result), first) << "the sum depends on more than the input";
  });
}

TYPED_TEST(MbsrFused, JacobiSweep) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 5}, true, [](const auto& t, const auto& plan) {
    const auto d_host = t.diagonal_scaling();
    const auto d = to_device(t.exec, d_host);
    const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::jacobi_sweep<Working>(t.exec, plan, t.A.view(), d, t.y, t.x, x_out);
    const std::size_t n = t.host.num_rows;
    expect_within(
        to_host(x_out),
        [&](std::size_t i) { return t.x_host[i] + d_host[i % n] * (t.y_host[i] - t.product[i]); },
        [&](std::size_t i) {
          const double factor = std::abs(d_host[i % n]);
          return t.update_error(i, factor, std::abs(t.x_host[i]) + factor * std::abs(t.y_host[i]));
        },
        "jacobi_sweep");
  });
}

TYPED_TEST(MbsrFused, ChebyshevStep) {
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 2}, true, [](const auto& t, const auto& plan) {
    const auto d_host = t.diagonal_scaling();
    const auto d = to_device(t.exec, d_host);
    const auto p_host = random_vector<Working>(t.size(), 21);
    const std::size_t n = t.host.num_rows;
    for (const double beta : {0.0, 0.25}) {
      const auto p = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : p_host);
      const auto x_out = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::chebyshev_step(t.exec, plan, t.A.view(), d, Working(0.5), Working(beta), t.y, t.x, p,
                              x_out);
      const auto direction = [&](std::size_t i) {
        return beta * p_host[i] + 0.5L * d_host[i % n] * (t.y_host[i] - t.product[i]);
      };
      const auto error = [&](std::size_t i) {
        const double factor = std::abs(0.5 * d_host[i % n]);
        return t.update_error(
            i, factor,
            std::abs(t.x_host[i]) + factor * std::abs(t.y_host[i]) + std::abs(beta * p_host[i]));
      };
      expect_within(to_host(p), direction, error, "direction");
      expect_within(
          to_host(x_out), [&](std::size_t i) { return t.x_host[i] + direction(i); }, error,
          "chebyshev_step");
    }
  });
}

}  // namespace
}  // namespace tessera::test
