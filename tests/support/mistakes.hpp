// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tests of the bounds: what a kernel gives for inputs with a mistake in them, such as it could
/// make itself, must not pass for the right result.
#pragma once

#include "support/expected_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace tessera::test {

/// Rounded to ten bits behind the point, as tensor cores read a float unless they are told better.
inline double rounded_to_tf32(double value) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(value) - 10);
  return unit * std::nearbyint(value / unit);
}

template <class Scalar>
std::vector<Scalar> rounded_to_tf32(std::vector<Scalar> v) {
  for (Scalar& value : v)
    value = static_cast<Scalar>(rounded_to_tf32(static_cast<double>(value)));
  return v;
}

inline HostMatrix<double> rounded_to_tf32(HostMatrix<double> A) {
  A.values = rounded_to_tf32(std::move(A.values));
  return A;
}

/// `A` with one row left empty.
inline HostMatrix<double> without_row(const HostMatrix<double>& A, std::int32_t dropped) {
  return by_rows<double>(A.num_rows, A.num_cols, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1] && i != dropped; ++e)
      B.push(A.columns[e], A.values[e]);
  });
}

/// Rows of many lengths, some of them empty and one dense.
inline HostMatrix<double> matrix_for_mistakes() {
  return random_matrix<double>({.num_rows = 150,
                                .num_cols = 150,
                                .density = 0.03,
                                .empty_row_fraction = 0.1,
                                .dense_row = 100,
                                .unsorted = true,
                                .seed = 4});
}

inline std::int64_t length_of_row(const HostMatrix<double>& A, std::int32_t i) {
  return A.offsets[i + 1] - A.offsets[i];
}

inline std::int32_t longest_row(const HostMatrix<double>& A) {
  std::int32_t longest = 0;
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    if (length_of_row(A, i) > length_of_row(A, longest)) longest = i;
  }
  return longest;
}

/// The longest row, and the shortest whose sum is no small number.
template <class Case>
std::vector<std::int32_t> rows_to_drop(const Case& t) {
  const std::int32_t longest = longest_row(t.host);
  std::int32_t shortest = longest;
  for (std::int32_t i = 0; i < t.host.num_rows; ++i) {
    const bool shorter = length_of_row(t.host, i) < length_of_row(t.host, shortest);
    if (shorter && std::abs(t.sums.exact(i)) > 0.1L) shortest = i;
  }
  return {longest, shortest};
}

/// What the products of one square matrix left behind.
template <class Working>
struct ProductResults {
  std::vector<Working> spmv;
  std::vector<Working> residual;
  std::vector<Working> residual_beside_norm;
  std::vector<double> norms;
  std::vector<Working> product_beside_dot;
  std::vector<Working> dots;
  std::vector<Working> jacobi;
  std::vector<Working> direction;
  std::vector<Working> chebyshev;
};

/// The alpha and beta of `spmv` and `chebyshev_step`.
inline constexpr double alpha_of_products = -0.5;
inline constexpr double beta_of_products = 0.25;

/// All products of `A`, which is of the case `t`. Those of CSR are named here, those of other
/// formats are found by the view's namespace.
template <class Case, class View, class Plan>
auto products(const Case& t, const View& A, const Plan& plan, double beta = beta_of_products) {
  using kernels::chebyshev_step;
  using kernels::jacobi_sweep;
  using kernels::spmv;
  using kernels::spmv_dot;
  using kernels::spmv_residual;
  using kernels::spmv_residual_norm;
  using Working = typename Case::Working;
  constexpr auto alpha = static_cast<Working>(alpha_of_products);
  const auto b = static_cast<Working>(beta);
  const auto out = t.rows_by_k(all_nan<Working>(t.size()));
  ProductResults<Working> results;

  const auto y = t.rows_by_k(t.y_host);
  spmv(t.exec, plan, alpha, A, t.x, b, y);
  results.spmv = to_host(y);
  spmv_residual<Working>(t.exec, plan, A, t.y, t.x, out);
  results.residual = to_host(out);
  const auto norms = to_device(t.exec, all_nan<double>(t.k));
  spmv_residual_norm<Working>(t.exec, plan, A, t.y, t.x, out, norms);
  results.residual_beside_norm = to_host(out);
  results.norms = to_host(norms);
  const auto dots = to_device(t.exec, all_nan<Working>(t.k));
  spmv_dot<Working>(t.exec, plan, A, t.x, out, dots);
  results.product_beside_dot = to_host(out);
  results.dots = to_host(dots);
  jacobi_sweep<Working>(t.exec, plan, A, t.d, t.y, t.x, out);
  results.jacobi = to_host(out);
  const auto p = t.rows_by_k(t.p_host);
  chebyshev_step<Working>(t.exec, plan, A, t.d, alpha, b, t.y, t.x, p, out);
  results.direction = to_host(p);
  results.chebyshev = to_host(out);
  return results;
}

using Verdicts = std::map<std::string, ::testing::AssertionResult>;

/// Of each result, whether it passes for that of the case `t`.
template <class Case, class Working>
Verdicts verdicts(const Case& t, const ProductResults<Working>& results) {
  constexpr double alpha = alpha_of_products;
  constexpr double beta = beta_of_products;
  return {
      {"spmv", is_within(results.spmv, t.spmv_bound(alpha, beta))},
      {"residual", is_within(results.residual, t.residual_bound())},
      {"residual_norm", is_within(results.residual_beside_norm, t.residual_bound())},
      {"residual_norm: norm",
       is_within(results.norms, t.norm_bound_of(results.residual_beside_norm))},
      {"spmv_dot", is_within(results.product_beside_dot, t.spmv_bound(1, 0))},
      {"spmv_dot: dot", is_within(results.dots, t.dot_bound_with(results.product_beside_dot))},
      {"jacobi_sweep", is_within(results.jacobi, t.jacobi_bound())},
      {"chebyshev_step: direction", is_within(results.direction, t.direction_bound(alpha, beta))},
      {"chebyshev_step", is_within(results.chebyshev, t.chebyshev_bound(alpha, beta))},
  };
}

inline void expect_all_pass(const Verdicts& verdicts, const std::string& kernel) {
  for (const auto& [name, verdict] : verdicts)
    EXPECT_TRUE(verdict) << kernel << ", " << name;
}

/// Fails the running test where one of `names` passes in spite of the mistake.
inline void expect_rejected(const Verdicts& verdicts, const std::vector<std::string>& names,
                            const std::string& kernel, const std::string& mistake) {
  for (const std::string& name : names)
    EXPECT_FALSE(verdicts.at(name)) << kernel << ", " << name << ": passes with " << mistake;
}

/// The results that come from the rows' sums.
inline const std::vector<std::string> sums_of_rows{"spmv",          "residual",
                                                   "residual_norm", "spmv_dot",
                                                   "jacobi_sweep",  "chebyshev_step: direction",
                                                   "chebyshev_step"};

/// The inner product of a column with the term of one row left out, of a row that matters.
template <class Result, class Scalar>
std::vector<Result> with_a_term_missing(std::vector<Result> sums, const std::vector<Scalar>& u,
                                        const std::vector<Scalar>& v) {
  const std::size_t n = u.size() / sums.size();
  for (std::size_t j = 0; j < sums.size(); ++j) {
    double total = 0;
    for (std::size_t i = j * n; i < (j + 1) * n; ++i)
      total += std::abs(static_cast<double>(u[i]) * v[i]);
    std::size_t i = j * n;
    while (std::abs(static_cast<double>(u[i]) * v[i]) < 0.5 * total / static_cast<double>(n))
      ++i;
    sums[j] -= static_cast<Result>(u[i] * v[i]);
  }
  return sums;
}

/// The inner products of columns whose entries were rounded to TF32.
template <class Result, class Scalar>
std::vector<Result> dots_in_tf32(const std::vector<Scalar>& u, const std::vector<Scalar>& v,
                                 std::size_t k) {
  const auto narrow_u = rounded_to_tf32(u);
  const auto narrow_v = rounded_to_tf32(v);
  std::vector<Result> result;
  for (std::size_t j = 0; j < k; ++j)
    result.push_back(static_cast<Result>(dot_bound<Result>(narrow_u, narrow_v, k, j).exact));
  return result;
}

/// Mistakes in the sums over the rows, made beside right products.
template <class Case, class Working>
void expect_wrong_dots_rejected(const Case& t, const ProductResults<Working>& right,
                                const std::string& kernel) {
  const std::vector<std::string> names{"residual_norm: norm", "spmv_dot: dot"};
  const auto& r = right.residual_beside_norm;
  const auto& product = right.product_beside_dot;
  auto wrong = right;
  wrong.norms = with_a_term_missing(right.norms, r, r);
  wrong.dots = with_a_term_missing(right.dots, t.x_host, product);
  expect_rejected(verdicts(t, wrong), names, kernel, "a term missing");
  wrong.norms = dots_in_tf32<double>(r, r, t.k);
  wrong.dots = dots_in_tf32<Working>(t.x_host, product, t.k);
  expect_rejected(verdicts(t, wrong), names, kernel, "TF32 in the inner product");
}

/// The same case with x rounded to TF32 on the device; `make_case` rounds the matrix.
template <class MakeCase>
auto case_in_tf32(const MakeCase& make_case, const HostMatrix<double>& matrix) {
  auto t = make_case(rounded_to_tf32(matrix));
  t.x = to_multivector(t.exec, rounded_to_tf32(t.x_host), t.host.num_cols, t.k);
  return t;
}

/// Fails the running test unless every product that `for_each_kernel(case, test)` calls
/// test(name, A, plan) for passes as it is, and does not where a row is dropped, matrix and x are
/// rounded to TF32, beta is ignored, or an inner product loses a term or bits. `make_case(matrix)`
/// makes a case.
template <class MakeCase, class ForEachKernel>
void expect_mistakes_rejected(const MakeCase& make_case, const ForEachKernel& for_each_kernel) {
  const auto matrix = matrix_for_mistakes();
  const auto right = make_case(matrix);
  for_each_kernel(right, [&](const std::string& kernel, const auto& A, const auto& plan) {
    const auto results = products(right, A, plan);
    expect_all_pass(verdicts(right, results), kernel);
    expect_rejected(verdicts(right, products(right, A, plan, 0)),
                    {"spmv", "chebyshev_step: direction", "chebyshev_step"}, kernel,
                    "beta ignored");
    expect_wrong_dots_rejected(right, results, kernel);
  });
  const auto expect_wrong = [&](const auto& wrong, const std::string& mistake) {
    for_each_kernel(wrong, [&](const std::string& kernel, const auto& A, const auto& plan) {
      expect_rejected(verdicts(right, products(wrong, A, plan)), sums_of_rows, kernel, mistake);
    });
  };
  for (const std::int32_t row : rows_to_drop(right)) {
    const auto wrong = make_case(without_row(matrix, row));
    expect_wrong(wrong, "row " + std::to_string(row) + " dropped");
  }
  expect_wrong(case_in_tf32(make_case, matrix), "TF32");
}

}  // namespace tessera::test
