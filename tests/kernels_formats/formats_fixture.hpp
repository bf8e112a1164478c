// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix with vectors, on the host and on the device, for the tests of COO, ELL, HYB and of
/// CSR in mixed precision.
#pragma once

#include "support/device.hpp"
#include "support/mbsr.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/coo/convert.hpp"
#include "tessera/kernels/format/ell/convert.hpp"
#include "tessera/kernels/format/hyb/convert.hpp"
#include "tessera/kernels/spmv/coo/coo_spmv.hpp"
#include "tessera/kernels/spmv/csr_mixed_spmv.hpp"
#include "tessera/kernels/spmv/ell/ell_spmv.hpp"
#include "tessera/kernels/spmv/hyb/hyb_spmv.hpp"

#include <limits>

namespace tessera::test {

/// The edge cases, and matrices long enough for many teams with rows that lie in several.
inline std::vector<HostMatrix<double>> format_matrices() {
  auto list = edge_case_matrices<double>();
  list.push_back(poisson<double>(19, 17, 5));
  list.push_back(random_matrix<double>(
      {.num_rows = 20, .num_cols = 4000, .density = 0.9, .empty_row_fraction = 0.3, .seed = 8}));
  list.push_back(random_matrix<double>({.num_rows = 5000,
                                        .num_cols = 5000,
                                        .density = 0.0003,
                                        .empty_row_fraction = 0.9,
                                        .dense_row = 4999,
                                        .seed = 9}));
  return list;
}

/// True where `csr_to_ell` takes the matrix.
inline bool fits_ell(const HostMatrix<double>& A) {
  std::int64_t longest = 0;
  for (std::int32_t i = 0; i < A.num_rows; ++i)
    longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
  return static_cast<double>(longest) * A.num_rows <=
         kernels::max_ell_slots_per_entry * static_cast<double>(A.num_entries()) +
             kernels::ell_free_slots;
}

template <class Param>
struct FormatCase {
  using Storage = typename Param::Storage;
  using Working = typename Param::Working;
  using Space = typename Param::Space;

  Space exec;
  double scale;
  HostMatrix<double> host;  ///< with the values that the storage stands for
  kernels::Csr<double, Space> A;
  int k;
  std::vector<Working> x_host;
  std::vector<Working> y_host;
  std::vector<long double> product;  ///< A x
  MultiVector<Working, Space> x;
  MultiVector<Working, Space> y;

  FormatCase(const HostMatrix<double>& matrix, int columns, double storage_scale = 1)
      : scale(storage_scale),
        host(rounded_to<Storage>(matrix, scale)),
        A(make_csr(exec, host)),
        k(columns),
        x_host(random_vector<Working>(static_cast<std::size_t>(host.num_cols) * k, 11)),
        y_host(random_vector<Working>(static_cast<std::size_t>(host.num_rows) * k, 12)),
        product(reference()),
        x(to_multivector(exec, x_host, host.num_cols, k)),
        y(to_multivector(exec, y_host, host.num_rows, k)) {}

  std::vector<long double> reference() const {
    return multiply(host, std::vector<double>(x_host.begin(), x_host.end()), k);
  }
  MultiVector<Working, Space> rows_by_k(const std::vector<Working>& v) const {
    return to_multivector(exec, v, host.num_rows, k);
  }
  std::vector<Working> diagonal_scaling() const {
    return random_vector<Working>(host.num_rows, 13);
  }
  std::size_t size() const { return static_cast<std::size_t>(host.num_rows) * k; }
  /// What a sum of the longest row may lose, for values up to one.
  double tolerance() const {
    return roundings<Working>(4 + 2 * static_cast<double>(host.num_cols));
  }
};

/// Calls test(name, view, plan) for every format that holds the matrix of `t`.
template <class Param, class Test>
void for_each_format(const FormatCase<Param>& t, const Test& test) {
  using Storage = typename Param::Storage;
  using kernels::HybStrategy;
  const auto& exec = t.exec;
  const auto coo = kernels::csr_to_coo<Storage>(exec, t.A.view(), t.scale);
  test("COO", coo.view(), kernels::analyse_spmv(exec, coo.view()));
  if (fits_ell(t.host)) {
    const auto ell = kernels::csr_to_ell<Storage>(exec, t.A.view(), t.scale);
    test("ELL", ell.view(), kernels::analyse_spmv(exec, ell.view()));
  }
  for (const auto& strategy :
       {HybStrategy::fixed(0), HybStrategy::fixed(3), HybStrategy::least_bytes()}) {
    const auto hyb = kernels::csr_to_hyb<Storage>(exec, t.A.view(), strategy, t.scale);
    test("HYB", hyb.view(), kernels::analyse_spmv(exec, hyb.view()));
  }
  if (t.scale != 1) return;  // CSR has none
  const auto csr = kernels::convert_values<Storage>(exec, t.A);
  for (const auto algorithm :
       {kernels::CsrSpmvAlgorithm::classical, kernels::CsrSpmvAlgorithm::load_balanced}) {
    test("CSR", csr.view(), kernels::analyse_spmv(exec, csr.view(), algorithm));
  }
}

/// Each entry of `actual` equals expected(i) within `tolerance`.
template <class Scalar, class Expected>
void expect_near(const std::vector<Scalar>& actual, double tolerance, const Expected& expected,
                 const char* what) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected(i)), tolerance)
        << what << ", place " << i;
  }
}

template <class Scalar>
std::vector<Scalar> all_nan(std::size_t n) {
  return std::vector<Scalar>(n, std::numeric_limits<Scalar>::quiet_NaN());
}

}  // namespace tessera::test
