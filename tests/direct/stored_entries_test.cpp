// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Entries that factors store, beside those that were forecast.
#include "direct/factors_fixture.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/direct/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::test::stored_entries_test {

class StoredEntriesTest : public ::testing::Test {
 public:
  HostSpace exec;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  /// Expects that the description of A's factors ends with `text`, where `#` stands for what was
  /// forecast.
  void expect_described(const direct::HostMatrix& A, bool maybe_definite, const std::string& text) {
    direct::SparseDirect factors(A, maybe_definite, no_limit);
    const auto forecast = std::to_string(static_cast<long long>(factors.cost().entries));
    ASSERT_TRUE(factors.factor(exec, epsilon));
    const auto place = text.find('#');
    const std::string end = text.substr(0, place) + forecast + text.substr(place + 1);
    EXPECT_TRUE(factors.description().ends_with(end)) << factors.description() << ", not " << end;
  }
};

TEST_F(StoredEntriesTest, AreThoseForecastInPanels) {
  const auto A = for_direct(poisson<double>(20, 20));
  expect_described(A, true, "cholesky, # entries");
  expect_described(A, false, "lu in panels, # entries");
}

TEST_F(StoredEntriesTest, AreThoseForecastOfAMatrixNearby) {
  // A row of zeros is matched with no column.
  auto A = poisson<double>(20, 20);
  for_each_entry(A, [](int i, int, double& value) {
    if (i == 3) value = 0;
  });
  expect_described(for_direct(A), false,
                   "lu in panels, # entries, of a matrix nearby, as it is singular");
}

TEST_F(StoredEntriesTest, AreThoseForecastWhereTwoRowsProveAIndefinite) {
  // The diagonal is 4; row 20 is on the border, and has a neighbour less than row 21.
  for (const double coupling : {-4.5, -4.0, 4.0}) {
    auto A = poisson<double>(20, 20);
    for_each_entry(A, [&](int i, int j, double& value) {
      if ((i == 20 && j == 21) || (i == 21 && j == 20)) value = coupling;
    });
    expect_described(for_direct(A), true, "lu in panels, # entries");
  }
}

TEST_F(StoredEntriesTest, AreCholeskysOfASemidefiniteMatrixWithZeroMinors) {
  // Two pairs of rows that are multiples of each other, and a row alone.
  const auto A = from_triples(5, {{0, 0, 1},
                                  {0, 1, -2},
                                  {1, 0, -2},
                                  {1, 1, 4},
                                  {2, 2, 3},
                                  {3, 3, 1},
                                  {3, 4, 1},
                                  {4, 3, 1},
                                  {4, 4, 1}});
  direct::SparseDirect factors(A, true, no_limit);
  ASSERT_TRUE(factors.factor(exec, epsilon));
  EXPECT_TRUE(factors.is_cholesky()) << factors.description();
}

TEST_F(StoredEntriesTest, AreToldBesideAForecastOfOtherFactors) {
  // A shift inside the spectrum: the forecast is Cholesky's, the factors are not.
  auto A = poisson<double>(20, 20);
  for_each_entry(A, [](int i, int j, double& value) {
    if (i == j) value = 3.7;
  });
  expect_described(for_direct(A), true, " entries (forecast #)");
}

TEST_F(StoredEntriesTest, AreThoseForecastByKluWithPivotsOnTheDiagonal) {
  // Without fill.
  const int n = 500;
  const auto A = arrow(n);
  direct::SparseLu factors(A);
  EXPECT_EQ(factors.stored_entries(), 0);
  ASSERT_TRUE(factors.factor(A));
  EXPECT_EQ(factors.stored_entries(), 2 * (2 * n - 1));
  EXPECT_EQ(factors.cost().entries, factors.stored_entries());
}

TEST_F(StoredEntriesTest, AreNoMoreThanKluIsBoundToWithPivotsElsewhere) {
  const auto A = skew_symmetric(20);
  direct::SparseLu factors(A);
  ASSERT_TRUE(factors.is_by_colamd());
  ASSERT_TRUE(factors.factor(A));
  EXPECT_LE(factors.stored_entries(), factors.cost().entries);
  EXPECT_GE(factors.stored_entries(), 0.3 * factors.cost().entries);
}

}  // namespace tessera::test::stored_entries_test
