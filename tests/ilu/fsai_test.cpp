// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Factorised sparse approximate inverses against their definition in long double.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/ilu/fsai.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::test::fsai_test {

TESSERA_TEST_SUITE(FsaiTest, Matrices, TypeNames);

/// A factor on the host, and what was found while it was made.
template <class Scalar>
struct Made {
  HostMatrix<Scalar> G;
  kernels::FsaiReport report;
};

template <class Offset, class Scalar, class Space>
Made<Scalar> factor(const Space& exec, const HostMatrix<Scalar>& A, int max_row_entries,
                    double drop = 0) {
  const auto device = make_csr<Offset>(exec, A);
  const auto couplings = kernels::scaled_couplings(exec, device.view(), drop);
  const auto G = kernels::fsai_pattern(exec, couplings.view(), max_row_entries);
  const auto report = kernels::fill_fsai(exec, device.view(), G);
  return {to_host(G), report};
}

/// Columns of row i by the definition: the largest |a_ij| / sqrt(|a_ii a_jj|) before the diagonal.
std::vector<int> expected_columns(const Dense& A, int i, int max_row_entries, double drop) {
  std::vector<int> columns;
  const auto size = [&](int j) {
    return std::abs(A(i, j)) / std::sqrt(std::abs(A(i, i))) / std::sqrt(std::abs(A(j, j)));
  };
  for (int j = 0; j < i; ++j)
    if (size(j) > drop) columns.push_back(j);
  std::stable_sort(columns.begin(), columns.end(), [&](int a, int b) { return size(a) > size(b); });
  if (static_cast<int>(columns.size()) > max_row_entries - 1) columns.resize(max_row_entries - 1);
  std::sort(columns.begin(), columns.end());
  columns.push_back(i);
  return columns;
}

/// y / sqrt(y_m) of A_JJ y = e_m, by elimination in long double.
std::vector<long double> expected_row(const Dense& A, const std::vector<int>& J) {
  const int m = static_cast<int>(J.size());
  Dense B(m, m);
  std::vector<long double> y(m, 0);
  y[m - 1] = 1;
  for (int p = 0; p < m; ++p)
    for (int q = 0; q < m; ++q)
      B(p, q) = p >= q ? A(J[p], J[q]) : A(J[q], J[p]);
  for (int k = 0; k < m; ++k) {
    for (int p = k + 1; p < m; ++p) {
      const long double factor = B(p, k) / B(k, k);
      for (int q = k; q < m; ++q)
        B(p, q) -= factor * B(k, q);
      y[p] -= factor * y[k];
    }
  }
  for (int p = m - 1; p >= 0; --p) {
    for (int q = p + 1; q < m; ++q)
      y[p] -= B(p, q) * y[q];
    y[p] /= B(p, p);
  }
  const long double root = std::sqrt(y[m - 1]);
  for (auto& value : y)
    value /= root;
  return y;
}

template <class Scalar>
void expect_definition(const HostMatrix<Scalar>& A, const HostMatrix<Scalar>& G,
                       int max_row_entries, double drop) {
  const Dense dense = to_dense(A);
  for (int i = 0; i < A.num_rows; ++i) {
    const auto J = expected_columns(dense, i, max_row_entries, drop);
    const auto row = expected_row(dense, J);
    ASSERT_EQ(G.offsets[i + 1] - G.offsets[i], static_cast<std::int64_t>(J.size())) << i;
    for (std::size_t k = 0; k < J.size(); ++k) {
      const auto e = G.offsets[i] + k;
      ASSERT_EQ(G.columns[e], J[k]) << i;
      ASSERT_NEAR(G.values[e], static_cast<double>(row[k]),
                  100 * std::numeric_limits<Scalar>::epsilon() * std::abs(double(row.back())))
          << i;
    }
  }
}

/// Rows out of order, and each entry in two parts.
template <class Scalar>
HostMatrix<Scalar> in_parts(const HostMatrix<Scalar>& A) {
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(A.num_rows);
  for (int i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      rows[i].insert(rows[i].begin(), {A.columns[e], A.values[e] / 4});
      rows[i].emplace_back(A.columns[e], 3 * (A.values[e] / 4));
    }
  }
  return from_rows<Scalar>(A.num_rows, rows);
}

TESSERA_TYPED_TEST(FsaiTest, FollowsItsDefinition) {
  const auto A = random_spd_matrix<Scalar>(90, 0.1);
  for (const int max_row_entries : {1, 4, 64}) {
    for (const double drop : {0.0, 0.05}) {
      const auto made = factor<Offset>(exec, A, max_row_entries, drop);
      EXPECT_EQ(made.report.num_diagonal, 0);
      EXPECT_EQ(made.report.first_row, 90);
      expect_definition(A, made.G, max_row_entries, drop);
    }
  }
}

TESSERA_TYPED_TEST(FsaiTest, SumsEntriesInPartsAndOutOfOrder) {
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  const auto made = factor<Offset>(exec, in_parts(A), 64);
  EXPECT_EQ(made.report.num_diagonal, 0);
  expect_definition(A, made.G, 64, 0);
}

/// Of a full pattern G is the inverse of the Cholesky factor.
TESSERA_TYPED_TEST(FsaiTest, IsExactOnAFullPattern) {
  const int n = 64;
  const auto A = random_spd_matrix<Scalar>(n, 1.0);
  const auto made = factor<Offset>(exec, A, n);
  const Dense G = to_dense(made.G), dense = to_dense(A);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      long double sum = 0;
      for (int k = 0; k < n; ++k) {
        long double row = 0;
        for (int l = 0; l < n; ++l)
          row += dense(k, l) * G(j, l);
        sum += G(i, k) * row;
      }
      ASSERT_NEAR(static_cast<double>(sum), i == j ? 1.0 : 0.0,
                  2000 * std::numeric_limits<Scalar>::epsilon());
    }
  }
}

/// Row 2's part of the matrix is indefinite though its diagonal is positive; row 4's diagonal is
/// negative, row 5's zero, row 6 empty, and row 7 is no number.
TESSERA_TYPED_TEST(FsaiTest, TakesTheDiagonalWhereTheMatrixIsNotDefinite) {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const auto A = from_rows<Scalar>(9, {{{0, 4}, {1, -1}},
                                       {{0, -1}, {1, 4}, {2, -8}},
                                       {{1, -8}, {2, 4}, {3, -1}},
                                       {{2, -1}, {3, 9}},
                                       {{3, -1}, {4, -1}},
                                       {{4, -1}, {5, 0}},
                                       {},
                                       {{7, nan}},
                                       {{7, -1}, {8, 16}}});
  const auto made = factor<Offset>(exec, A, 8);
  const auto& G = made.G;
  const auto last = [&](int i) { return G.values[G.offsets[i + 1] - 1]; };
  EXPECT_EQ(made.report.first_row, 2);
  EXPECT_EQ(made.report.num_diagonal, 5);
  EXPECT_EQ(last(2), Scalar(0.5));
  for (auto e = G.offsets[2]; e + 1 < G.offsets[3]; ++e)
    EXPECT_EQ(G.values[e], Scalar(0));
  for (const int i : {4, 5, 6, 7})
    EXPECT_EQ(last(i), Scalar(0)) << i;
  EXPECT_EQ(last(8), Scalar(0.25)) << "the coupling to what is no number is none";
  for (const Scalar value : G.values)
    EXPECT_TRUE(std::isfinite(value));
}

/// A semidefinite part leaves a pivot of rounding alone, which is no pivot.
TESSERA_TYPED_TEST(FsaiTest, ARestOfRoundingIsNoPivot) {
  const auto A = from_rows<Scalar>(
      3, {{{0, Scalar(0.1)}, {1, Scalar(-0.1)}}, {{0, Scalar(-0.1)}, {1, Scalar(0.1)}}, {{2, 1}}});
  const auto made = factor<Offset>(exec, A, 8);
  EXPECT_EQ(made.report.num_diagonal, 1);
  EXPECT_EQ(made.report.first_row, 1);
}

TESSERA_TYPED_TEST(FsaiTest, WhateverTheScaling) {
  const auto A = random_spd_matrix<Scalar>(40, 0.2);
  auto scaled = A;
  const auto factor_of = [](int i) { return std::ldexp(Scalar(1), i % 2 == 0 ? 20 : -20); };
  for (int i = 0; i < 40; ++i)
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      scaled.values[e] *= factor_of(i) * factor_of(A.columns[e]);
  const auto plain = factor<Offset>(exec, A, 6).G;
  const auto other = factor<Offset>(exec, scaled, 6).G;
  ASSERT_EQ(plain.columns, other.columns);
  for (std::size_t e = 0; e < plain.values.size(); ++e)
    ASSERT_NEAR(other.values[e] * factor_of(plain.columns[e]), plain.values[e],
                100 * std::numeric_limits<Scalar>::epsilon());
}

TESSERA_TYPED_TEST(FsaiTest, RefusesWhatHasNoRoom) {
  EXPECT_EQ(factor<Offset>(exec, HostMatrix<Scalar>{}, 8).report.num_diagonal, 0);
  const auto A = identity<Scalar>(3);
  EXPECT_THROW(factor<Offset>(exec, A, 0), Error);
  EXPECT_THROW(factor<Offset>(exec, A, kernels::fsai_longest_row + 1), Error);
  EXPECT_THROW(factor<Offset>(exec, random_matrix<Scalar>({.num_rows = 3, .num_cols = 4}), 8),
               Error);
  // A pattern of somebody else's with a longer row.
  const auto full = make_csr<Offset>(exec, random_spd_matrix<Scalar>(70, 1.0));
  EXPECT_THROW(kernels::fill_fsai(exec, full.view(), full), Error);
}

}  // namespace tessera::test::fsai_test
