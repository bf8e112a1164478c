// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What factors take at most wherever their pivots are, and the order of KLU's columns by it.
#include "tessera/direct/detail/pivot_bound.hpp"

#include "direct/factors_fixture.hpp"
#include "support/random_matrix.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/direct/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace tessera::test::pivot_bound_test {

using direct::detail::Blocks;
using direct::detail::bound_any_pivots;

constexpr double any_number_of_products = 1e9;

Blocks one_block(int n) { return {std::vector<int>(n, 0), std::vector<int>(n, 0)}; }

/// `count` entries in each row beside the diagonal, anywhere, and a value of either sign for each.
direct::HostMatrix scattered(int n, int count, std::uint64_t seed) {
  Random random(seed);
  return for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    std::set<int> columns{i};
    for (int k = 0; k < count; ++k)
      columns.insert(random.below(n));
    for (const int j : columns)
      A.push(j, random.uniform(-1, 1) * (i == j ? 0.01 : 1));
  }));
}

std::vector<int> shuffled(int n, Random& random) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

/// Entries of L and U where rows are eliminated in `order`, each with a pivot from any column that
/// still has one; -1 where none has. Nothing cancels.
double entries_with_pivots_anywhere(const direct::HostMatrix& A, const std::vector<int>& order,
                                    Random& random) {
  std::vector<std::set<int>> rows_of(A.n);  // of a column: those left
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      rows_of[A.columns[e]].insert(i);
  }
  std::set<int> left;
  for (int j = 0; j < A.n; ++j)
    left.insert(j);
  double entries = 0;
  for (const int i : order) {
    std::vector<int> having;
    for (const int j : left)
      if (rows_of[j].contains(i)) having.push_back(j);
    if (having.empty()) return -1;
    const int pivot = having[random.below(static_cast<int>(having.size()))];
    entries += static_cast<double>(having.size() + rows_of[pivot].size());
    left.erase(pivot);
    for (const int j : having) {
      if (j != pivot) rows_of[j].insert(rows_of[pivot].begin(), rows_of[pivot].end());
      rows_of[j].erase(i);
    }
  }
  return entries;
}

TEST(PivotBoundTest, HoldsForPivotsAnywhere) {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    Random random(seed);
    const int n = 5 + random.below(50);
    const auto A = scattered(n, 1 + random.below(4), seed);
    const auto order = shuffled(n, random);
    const auto bound = bound_any_pivots(A, one_block(n), order, any_number_of_products);
    ASSERT_TRUE(bound.has_value());
    for (int choice = 0; choice < 10; ++choice)
      EXPECT_LE(entries_with_pivots_anywhere(A, order, random), bound->entries) << "seed " << seed;
  }
}

TEST(PivotBoundTest, IsExactForAFullMatrixAndForADiagonal) {
  const int n = 12;
  const auto full = for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    for (int j = 0; j < n; ++j)
      A.push(j, i == j ? n : 1);
  }));
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  EXPECT_EQ(bound_any_pivots(full, one_block(n), order, 1e9)->entries, n * (n + 1));
  const auto diagonal = for_direct(by_rows<double>(n, n, [](auto& A, int i) { A.push(i, 3); }));
  EXPECT_EQ(bound_any_pivots(diagonal, one_block(n), order, 1e9)->entries, 2 * n);
}

TEST(PivotBoundTest, FactorsBlocksByThemselves) {
  // Two full blocks, and one full above them.
  const int n = 10;
  const auto A = for_direct(by_rows<double>(n, n, [&](auto& B, int i) {
    for (int j = i < n / 2 ? 0 : n / 2; j < n; ++j)
      B.push(j, i == j ? n : 1);
  }));
  Blocks blocks = one_block(n);
  for (int i = n / 2; i < n; ++i)
    blocks.of_row[i] = blocks.of_column[i] = 1;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  EXPECT_EQ(bound_any_pivots(A, blocks, order, 1e9)->entries, 2 * 5 * 6 + 25);
}

TEST(PivotBoundTest, IsNotCountedBeyondItsLimit) {
  const auto A = arrow(100);
  std::vector<int> order(100);
  std::iota(order.begin(), order.end(), 0);
  // The first column has 100 entries, the others two.
  const double products = 100 * 100 + 99 * 4;
  EXPECT_TRUE(bound_any_pivots(A, one_block(100), order, products).has_value());
  EXPECT_FALSE(bound_any_pivots(A, one_block(100), order, products - 1).has_value());
}

class OrderOfColumnsTest : public ::testing::Test {
 public:
  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  /// Factors and solves; by COLAMD with no more entries than the bound.
  void expect_solves(direct::SparseLu& factors, const direct::HostMatrix& A) {
    ASSERT_TRUE(factors.factor(A));
    if (factors.is_by_colamd()) {
      EXPECT_LE(factors.stored_entries(), factors.cost().entries);
    }
    const auto b = random_vector<double>(A.n);
    auto x = b;
    factors.solve(x.data());
    EXPECT_LE(largest(residual(A, x, b)), 1e-12 * (1 + largest(x)));
  }
};

TEST_F(OrderOfColumnsTest, IsColamdWhereItsBoundIsLow) {
  const auto A = skew_symmetric(40);
  direct::SparseLu factors(A);
  EXPECT_TRUE(factors.is_by_colamd());
  expect_solves(factors, A);
  // Other values keep it.
  auto other = A;
  for (double& value : other.values)
    value *= -2;
  expect_solves(factors, other);
  EXPECT_TRUE(factors.is_by_colamd());
}

TEST_F(OrderOfColumnsTest, IsAmdWhereAFullColumnFillsAll) {
  const auto A = arrow(500);
  direct::SparseLu factors(A);
  EXPECT_FALSE(factors.is_by_colamd());
  EXPECT_EQ(factors.cost().entries, 2 * (2 * 500 - 1));
  expect_solves(factors, A);
  EXPECT_EQ(factors.stored_entries(), factors.cost().entries);
}

TEST_F(OrderOfColumnsTest, IsAmdWhereTheBoundIsNotCheap) {
  // A mesh in three dimensions.
  const auto A = for_direct(poisson<double>(18, 18, 18));
  direct::SparseLu factors(A);
  EXPECT_FALSE(factors.is_by_colamd());
  expect_solves(factors, A);
}

TEST_F(OrderOfColumnsTest, SolvesRandomPatterns) {
  int by_colamd = 0;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto A = scattered(200, 1 + static_cast<int>(seed % 4), seed);
    direct::SparseLu factors(A);
    by_colamd += factors.is_by_colamd() ? 1 : 0;
    expect_solves(factors, A);
  }
  EXPECT_GT(by_colamd, 10);
}

TEST_F(OrderOfColumnsTest, OfOneRowAndOfNone) {
  const auto one = from_triples(1, {{0, 0, 4}});
  direct::SparseLu factors(one);
  expect_solves(factors, one);
  const direct::HostMatrix none;
  direct::SparseLu empty(none);
  EXPECT_EQ(empty.cost().entries, 0);
  EXPECT_TRUE(empty.factor(none));
}

}  // namespace tessera::test::pivot_bound_test
