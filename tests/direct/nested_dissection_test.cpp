// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nested dissection: its orders, where it is taken, and what it saves.
#include "tessera/direct/detail/nested_dissection.hpp"

#include "direct/factors_fixture.hpp"
#include "support/error_of.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/solve/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

namespace tessera::test::nested_dissection_test {

using direct::Ordering;
using direct::detail::nested_dissection;

/// A with `unknowns` per node, all of a node's coupled with all of its neighbours'.
direct::HostMatrix with_unknowns(const HostMatrix<double>& A, int unknowns) {
  direct::HostMatrix result;
  result.n = A.num_rows * unknowns;
  result.offsets.assign(1, 0);
  for (int i = 0; i < result.n; ++i) {
    const int node = i / unknowns;
    for (auto e = A.offsets[node]; e < A.offsets[node + 1]; ++e) {
      for (int u = 0; u < unknowns; ++u) {
        result.columns.push_back(A.columns[e] * unknowns + u);
        const bool is_own = result.columns.back() == i;
        result.values.push_back(is_own ? 20.0 * unknowns : A.values[e] / 2);
      }
    }
    result.offsets.push_back(result.num_entries());
  }
  return result;
}

/// Three unknowns per node of a grid of n^3 cubes, each coupled with all of its cubes: minimum
/// degree does badly by such.
direct::HostMatrix cubes(int n) {
  const int nodes = n + 1;
  return with_unknowns(
      by_rows<double>(nodes * nodes * nodes, nodes * nodes * nodes,
                      [&](auto& A, int i) {
                        const int x = i % nodes;
                        const int y = i / nodes % nodes;
                        const int z = i / (nodes * nodes);
                        for (int c = std::max(0, z - 1); c <= std::min(n, z + 1); ++c)
                          for (int b = std::max(0, y - 1); b <= std::min(n, y + 1); ++b)
                            for (int a = std::max(0, x - 1); a <= std::min(n, x + 1); ++a)
                              A.push((c * nodes + b) * nodes + a, -1.0 / 27);
                      }),
      3);
}

class NestedDissectionTest : public ::testing::Test {
 public:
  HostSpace exec;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
    if (!direct::detail::can_dissect()) GTEST_SKIP() << "built without SCOTCH";
  }

  void expect_solves(const direct::HostMatrix& A, bool maybe_definite) {
    direct::SparseDirect factors(A, maybe_definite, no_limit, Ordering::nested_dissection);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    const std::string description = factors.description();
    EXPECT_NE(description.find("by nested dissection"), std::string::npos) << description;
    EXPECT_EQ(description.find("forecast"), std::string::npos) << description;
    const auto b = random_vector<double>(A.n);
    auto x = b;
    factors.solve(exec, x.data());
    EXPECT_LE(largest(residual(A, x, b)), 1e-11 * std::max(1.0, largest(x)));
  }
};

TEST_F(NestedDissectionTest, OrdersFactorsThatSolve) {
  for (const auto& A :
       {poisson<double>(1), poisson<double>(2), poisson<double>(500), poisson<double>(31, 17),
        poisson<double>(12, 11, 10), random_spd_matrix<double>(300, 0.02, 1)}) {
    expect_solves(for_direct(A), true);
    expect_solves(for_direct(A), false);
  }
}

TEST_F(NestedDissectionTest, OrdersRowsWithoutNeighboursAndFullOnes) {
  expect_solves(for_direct(random_spd_matrix<double>(200, 0.0, 1)), true);
  expect_solves(for_direct(random_spd_matrix<double>(100, 1.0, 1)), true);
}

TEST_F(NestedDissectionTest, IsTheSameEachTimeAndOnThreadsAtOnce) {
  const auto A = for_direct(poisson<double>(17, 16, 15));
  const auto B = for_direct(poisson<double>(70, 60));
  const auto expected = nested_dissection(A.n, A.offsets, A.columns);
  ASSERT_TRUE(expected);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int repetition = 0; repetition < 5; ++repetition) {
        if (t % 2 == 1) static_cast<void>(nested_dissection(B.n, B.offsets, B.columns));
        if (nested_dissection(A.n, A.offsets, A.columns) != expected) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(NestedDissectionTest, IsTakenWhereItSavesMuch) {
  const auto A = cubes(20);
  for (const bool maybe_definite : {true, false}) {
    direct::SparseDirect factors(A, maybe_definite, no_limit);
    const direct::Cost by_degree = factors.cost();
    factors.settle_order();
    EXPECT_LT(factors.cost().flops, 0.8 * by_degree.flops);
    EXPECT_LT(factors.cost().entries, by_degree.entries);
    const double settled = factors.cost().flops;
    factors.settle_order();
    EXPECT_EQ(factors.cost().flops, settled);
  }
}

TEST_F(NestedDissectionTest, IsNotTriedWhereAnOrderIsAskedForOrFactorsAreCheap) {
  const auto A = cubes(20);
  direct::SparseDirect asked(A, true, no_limit, Ordering::minimum_degree);
  const direct::SparseDirect open(A, true, no_limit);
  asked.settle_order();
  EXPECT_EQ(asked.cost().flops, open.cost().flops);
  const auto plane = for_direct(poisson<double>(100, 100));
  direct::SparseDirect cheap(plane, true, no_limit);
  const double flops = cheap.cost().flops;
  cheap.settle_order();
  EXPECT_EQ(cheap.cost().flops, flops);
}

TEST_F(NestedDissectionTest, MakesFactorsFitThatByMinimumDegreeDoNot) {
  const auto A = cubes(14);
  const double by_degree =
      direct::SparseDirect(A, true, no_limit, Ordering::minimum_degree).cost().bytes();
  const double dissected =
      direct::SparseDirect(A, true, no_limit, Ordering::nested_dissection).cost().bytes();
  ASSERT_LT(dissected, 0.95 * by_degree);
  direct::SparseDirect factors(A, true, (by_degree + dissected) / 2);
  EXPECT_FALSE(factors.fits());
  factors.settle_order();
  EXPECT_TRUE(factors.fits());
  EXPECT_EQ(factors.cost().bytes(), dissected);
  EXPECT_TRUE(factors.factor(exec, epsilon));
}

TEST_F(NestedDissectionTest, IsKeptForNewValues) {
  const auto A = with_unknowns(poisson<double>(6, 6, 6), 5);
  auto B = A;
  for (double& value : B.values)
    value *= 3;
  for (const bool maybe_definite : {true, false}) {
    direct::SparseDirect factors(A, maybe_definite, no_limit, Ordering::nested_dissection);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    const std::string before = factors.description();
    ASSERT_TRUE(factors.factor(exec, B, epsilon));
    EXPECT_EQ(factors.description(), before);
  }
}

TEST(DistinctEntriesTest, CountRowsThatAreAlikeOnce) {
  const auto A = poisson<double>(6, 5, 4);
  const double alone = static_cast<double>(A.columns.size()) - A.num_rows;
  for (const int unknowns : {1, 2, 5}) {
    const auto B = with_unknowns(A, unknowns);
    EXPECT_DOUBLE_EQ(direct::detail::distinct_entries(B.n, B.offsets, B.columns), alone);
  }
}

TEST(NestedDissection, IsRefusedWhereTheLibraryHasNone) {
  if (direct::detail::can_dissect()) GTEST_SKIP() << "built with SCOTCH";
  expect_error(error_of([] { direct::require_ordering(Ordering::nested_dissection); }),
               ErrorKind::configuration, {"direct.ordering", "TESSERA_ENABLE_SCOTCH"});
}

}  // namespace tessera::test::nested_dissection_test
