// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the products of a case, in a format and by a plan, must come to. Those of CSR are named
/// here, those of other formats are found by the view's namespace.
#pragma once

#include "support/product_case.hpp"

#include "tessera/kernels/spmv/products.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::test {

/// y = alpha A x + beta y, where y is not read for a beta of zero.
template <class Case, class View, class Plan>
void expect_spmv(const Case& t, const View& A, const Plan& plan, double alpha, double beta,
                 const std::string& name = {}) {
  using kernels::spmv;
  using Working = typename Case::Working;
  const auto y = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : t.y_host);
  spmv(t.exec, plan, static_cast<Working>(alpha), A, t.x, static_cast<Working>(beta), y);
  ASSERT_TRUE(is_within(to_host(y), t.spmv_bound(alpha, beta))) << name;
}

/// The same bits time and again.
template <class Case, class View, class Plan>
void expect_same_bits_each_time(const Case& t, const View& A, const Plan& plan,
                                const std::string& name = {}) {
  using kernels::spmv;
  using Working = typename Case::Working;
  std::vector<Working> first;
  for (int repetition = 0; repetition < 6; ++repetition) {
    spmv(t.exec, plan, Working(1), A, t.x, Working(0), t.y);
    if (repetition == 0) first = to_host(t.y);
    ASSERT_EQ(to_host(t.y), first) << name;
  }
}

/// x is not read for an alpha of zero; A is square.
template <class Case, class View, class Plan>
void expect_x_unread(const Case& t, const View& A, const Plan& plan, const std::string& name = {}) {
  using kernels::spmv;
  using Working = typename Case::Working;
  const auto x = t.rows_by_k(all_nan<Working>(t.size()));
  const auto y = t.rows_by_k(t.y_host);
  spmv(t.exec, plan, Working(0), A, x, Working(3), y);
  EXPECT_TRUE(is_within(to_host(y), [&](std::size_t i) { return Bound{Working(3) * t.y_host[i]}; }))
      << name;
  const auto z = t.rows_by_k(all_nan<Working>(t.size()));
  spmv(t.exec, plan, Working(0), A, x, Working(0), z);
  EXPECT_EQ(to_host(z), std::vector<Working>(t.size(), Working(0))) << name << ", alpha = beta = 0";
}

/// r = b - A x, alone and beside its norm, into a vector of its own and over b.
template <class Case, class View, class Plan>
void expect_residuals(const Case& t, const View& A, const Plan& plan, const std::string& name) {
  using kernels::spmv_residual;
  using kernels::spmv_residual_norm;
  using Working = typename Case::Working;
  const auto r = t.rows_by_k(all_nan<Working>(t.size()));
  spmv_residual<Working>(t.exec, plan, A, t.y, t.x, r);
  EXPECT_TRUE(is_within(to_host(r), t.residual_bound())) << name;
  const auto b = t.rows_by_k(t.y_host);
  spmv_residual<Working>(t.exec, plan, A, b, t.x, b);
  EXPECT_TRUE(is_within(to_host(b), t.residual_bound())) << name << " over b";
  const auto beside_norm = t.rows_by_k(all_nan<Working>(t.size()));
  const auto result = to_device(t.exec, all_nan<double>(t.k));
  spmv_residual_norm<Working>(t.exec, plan, A, t.y, t.x, beside_norm, result);
  // The norm is that of the residual as it was rounded.
  EXPECT_TRUE(is_within(to_host(beside_norm), t.residual_bound())) << name << " beside its norm";
  const auto first = to_host(result);
  EXPECT_TRUE(is_within(first, t.norm_bound_of(to_host(beside_norm)))) << name << ": norm";
  const auto c = t.rows_by_k(t.y_host);
  spmv_residual_norm<Working>(t.exec, plan, A, c, t.x, c, result);
  EXPECT_EQ(to_host(c), to_host(beside_norm)) << name << " over b, beside its norm";
  EXPECT_EQ(to_host(result), first) << name << ": the norm depends on more than the input";
}

/// A x beside <x, A x>, sweeps of Jacobi and steps of Chebyshev; A is square.
template <class Case, class View, class Plan>
void expect_square_products(const Case& t, const View& A, const Plan& plan,
                            const std::string& name) {
  using kernels::chebyshev_step;
  using kernels::jacobi_sweep;
  using kernels::spmv_dot;
  using Working = typename Case::Working;
  const auto out = t.rows_by_k(all_nan<Working>(t.size()));
  const auto result = to_device(t.exec, all_nan<Working>(t.k));
  spmv_dot<Working>(t.exec, plan, A, t.x, out, result);
  EXPECT_TRUE(is_within(to_host(out), t.spmv_bound(1, 0))) << name << " beside the dot";
  const auto first = to_host(result);
  EXPECT_TRUE(is_within(first, t.dot_bound_with(to_host(out)))) << name << ": dot";
  spmv_dot<Working>(t.exec, plan, A, t.x, out, result);
  EXPECT_EQ(to_host(result), first) << name << ": the dot depends on more than the input";
  const auto swept = t.rows_by_k(all_nan<Working>(t.size()));
  jacobi_sweep<Working>(t.exec, plan, A, t.d, t.y, t.x, swept);
  EXPECT_TRUE(is_within(to_host(swept), t.jacobi_bound())) << name << ": Jacobi";
  for (const double beta : {0.0, 0.25}) {
    const auto p = t.rows_by_k(beta == 0 ? all_nan<Working>(t.size()) : t.p_host);
    const auto stepped = t.rows_by_k(all_nan<Working>(t.size()));
    chebyshev_step<Working>(t.exec, plan, A, t.d, Working(0.5), static_cast<Working>(beta), t.y,
                            t.x, p, stepped);
    EXPECT_TRUE(is_within(to_host(p), t.direction_bound(0.5, beta))) << name << ": direction";
    EXPECT_TRUE(is_within(to_host(stepped), t.chebyshev_bound(0.5, beta))) << name << ": Chebyshev";
  }
}

/// All that are fused.
template <class Case, class View, class Plan>
void expect_fused_products(const Case& t, const View& A, const Plan& plan,
                           const std::string& name = {}) {
  expect_residuals(t, A, plan, name);
  if (t.host.num_rows == t.host.num_cols) expect_square_products(t, A, plan, name);
}

}  // namespace tessera::test
