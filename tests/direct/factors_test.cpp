// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors by themselves: what they solve, what they cost, and what is not regular.
#include "tessera/direct/sparse_direct.hpp"

#include "direct/factors_fixture.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "tessera/direct/sparse_cholesky.hpp"

#include <limits>
#include <numeric>

namespace tessera::test::factors_test {

auto analysed(const direct::HostMatrix& A) {
  return direct::analyse_cholesky(A.n, A.offsets, A.columns, no_limit);
}

class FactorsTest : public ::testing::Test {
 public:
  HostSpace exec;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  void expect_solves(const direct::HostMatrix& A, bool maybe_definite, const std::string& starts,
                     double tolerance = 1e-11) {
    direct::SparseDirect factors(A, maybe_definite, no_limit);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    EXPECT_TRUE(factors.description().starts_with(starts)) << factors.description();
    const auto b = random_vector<double>(A.n);
    auto x = b;
    factors.solve(exec, x.data());
    double norm = 1;
    for (const double value : A.values)
      norm = std::max(norm, std::abs(value));
    EXPECT_LE(largest(residual(A, x, b)), tolerance * std::max(1.0, norm * largest(x)));
  }
};

TEST_F(FactorsTest, SolveDefiniteSystems) {
  for (const auto& A : {poisson<double>(1), poisson<double>(2), poisson<double>(500),
                        poisson<double>(31, 17), poisson<double>(12, 11, 10)}) {
    expect_solves(for_direct(A), true, "cholesky");
    expect_solves(for_direct(A), false, "lu");
  }
  for (const double density : {0.005, 0.05, 0.5, 1.0}) {
    for (const std::uint64_t seed : {1, 2, 3})
      expect_solves(for_direct(random_spd_matrix<double>(200, density, seed)), true, "cholesky");
  }
}

TEST_F(FactorsTest, SolveIndefiniteAndNonsymmetricSystems) {
  // A shift inside the spectrum: Cholesky is tried, and meets a negative pivot.
  auto shifted = poisson<double>(20, 20);
  for_each_entry(shifted, [](int i, int j, double& value) {
    if (i == j) value = 3.7;
  });
  expect_solves(for_direct(shifted), true, "lu");
  // Zeros on the diagonal, a pattern without symmetry, values over ten orders.
  expect_solves(from_triples(3, {{0, 1, 2}, {1, 2, 1e-5}, {2, 0, 1e5}, {2, 2, 1}}), false, "lu");
  auto upwind = poisson<double>(25, 25);
  for_each_entry(upwind, [](int i, int j, double& value) {
    if (j > i) value = 0;
  });
  expect_solves(for_direct(upwind), false, "lu");
}

TEST_F(FactorsTest, HaveTheSameBitsOnAnyNumberOfThreads) {
  const auto A = for_direct(poisson<double>(130, 110));
  const auto symbolic = analysed(A);
  ASSERT_GT(symbolic.tasks.size(), 4U);
  std::vector<std::vector<double>> results;
  for (const HostSpace& instance : instances<>()) {
    direct::SparseDirect factors(A, true, no_limit);
    ASSERT_TRUE(factors.factor(instance, epsilon));
    results.push_back(random_vector<double>(A.n));
    factors.solve(instance, results.back().data());
  }
  expect_same_bits(results, "factors");
}

TEST_F(FactorsTest, AreMadeByWorkersThatFinishWhereOneFails) {
  // One negative pivot in a tree of many tasks: all threads stop.
  auto A = for_direct(poisson<double>(130, 110));
  for (int e = A.offsets[7000]; e < A.offsets[7001]; ++e)
    if (A.columns[e] == 7000) A.values[e] = -1;
  const auto symbolic = analysed(A);
  for (const HostSpace& instance : instances<>()) {
    direct::SparseCholesky cholesky;
    EXPECT_FALSE(cholesky.factor(instance, A, symbolic, 80 * epsilon));
  }
}

TEST_F(FactorsTest, SolveSystemsWithLongRows) {
  // Three rows are coupled to all: too long for AMD, which leaves them to the end.
  for (const int n : {300, 3000}) {
    const auto A = for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
      for (int j = 0; j < n; ++j) {
        const bool is_long = i % (n / 3) == 1 || j % (n / 3) == 1;
        if (i == j || is_long || std::abs(i - j) == 1) A.push(j, i != j ? -0.9 : is_long ? n : 5.0);
      }
    }));
    expect_solves(A, true, "cholesky");
    expect_solves(A, false, "lu in panels");
    EXPECT_LT(analysed(A).entries, 40.0 * n);
  }
}

TEST_F(FactorsTest, SupernodesAreEachInOneTaskAndTasksAreAForest) {
  for (const auto& host : {poisson<double>(120, 120), poisson<double>(20000),
                           poisson<double>(12, 11, 10), poisson<double>(3)}) {
    const auto A = for_direct(host);
    const auto f = analysed(A);
    std::vector<int> seen;
    std::vector<int> num_children(f.tasks.size(), 0);
    for (std::size_t t = 0; t < f.tasks.size(); ++t) {
      const direct::EliminationTask& task = f.tasks[t];
      EXPECT_TRUE(std::is_sorted(task.supernodes.begin(), task.supernodes.end()));
      seen.insert(seen.end(), task.supernodes.begin(), task.supernodes.end());
      if (task.parent < 0) continue;
      EXPECT_GT(task.parent, static_cast<int>(t));
      EXPECT_GT(task.work_to_root, f.tasks[task.parent].work_to_root);
      ++num_children[task.parent];
    }
    std::sort(seen.begin(), seen.end());
    std::vector<int> all(f.num_supernodes());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(seen, all);
    for (std::size_t t = 0; t < f.tasks.size(); ++t)
      EXPECT_EQ(f.tasks[t].num_children, num_children[t]);
  }
}

TEST_F(FactorsTest, EmptyAndOneByOne) {
  direct::HostMatrix none;
  none.offsets.assign(1, 0);
  for (const bool definite : {false, true}) {
    direct::SparseDirect factors(none, definite, no_limit);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    factors.solve(exec, nullptr);
    for (const double value : {4.0, -2.0, 1e200, 1e-200}) {
      direct::SparseDirect one(from_triples(1, {{0, 0, value}}), definite, no_limit);
      ASSERT_TRUE(one.factor(exec, epsilon)) << value;
      double x = 8;
      one.solve(exec, &x);
      EXPECT_DOUBLE_EQ(x, 8 / value);
    }
  }
}

TEST_F(FactorsTest, OfASingularMatrixSolveWhatIsConsistent) {
  // The Laplacian of a ring: rows sum to zero.
  const int n = 300;
  std::vector<std::tuple<int, int, double>> ring;
  for (int i = 0; i < n; ++i) {
    ring.emplace_back(i, i, 2);
    ring.emplace_back(i, (i + 1) % n, -1);
    ring.emplace_back(i, (i + n - 1) % n, -1);
  }
  const auto A = from_triples(n, ring);
  auto b = random_vector<double>(n);
  double mean = 0;
  for (const double value : b)
    mean += value / n;
  for (double& value : b)
    value -= mean;
  for (const bool definite : {true, false}) {
    direct::SparseDirect factors(A, definite, no_limit);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    auto x = b;
    factors.solve(exec, x.data());
    EXPECT_TRUE(std::isfinite(largest(x)));
    // Refined, as the Krylov method around it would.
    for (int step = 0; step < 3; ++step) {
      auto r = residual(A, x, b);
      factors.solve(exec, r.data());
      for (int i = 0; i < n; ++i)
        x[i] += r[i];
    }
    EXPECT_LE(largest(residual(A, x, b)), 1e-8) << definite;
  }
}

TEST_F(FactorsTest, StructurallySingularMatricesHaveFiniteOnes) {
  // An empty row and column; two rows of one entry in the same column.
  for (const auto& A :
       {from_triples(3, {{0, 0, 2}, {2, 2, 4}}),
        from_triples(3, {{0, 1, 2}, {1, 1, 4}, {2, 2, 1}, {0, 0, 0}}), from_triples(2, {})}) {
    for (const bool definite : {true, false}) {
      direct::SparseDirect factors(A, definite, no_limit);
      ASSERT_TRUE(factors.factor(exec, epsilon));
      std::vector<double> x(A.n, 1.0);
      factors.solve(exec, x.data());
      for (const double value : x)
        EXPECT_TRUE(std::isfinite(value));
    }
  }
}

TEST_F(FactorsTest, RefuseWhatIsNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto A = for_direct(poisson<double>(10, 10));
    A.values[17] = bad;
    for (const bool definite : {true, false}) {
      direct::SparseDirect factors(A, definite, no_limit);
      EXPECT_FALSE(factors.factor(exec, epsilon));
    }
  }
}

TEST_F(FactorsTest, AreMadeAgainForOtherValues) {
  const auto A = for_direct(poisson<double>(20, 20));
  for (const bool definite : {true, false}) {
    direct::SparseDirect factors(A, definite, no_limit);
    ASSERT_TRUE(factors.factor(exec, epsilon));
    auto twice = A;
    for (double& value : twice.values)
      value *= 2;
    ASSERT_TRUE(factors.factor(exec, twice, epsilon));
    const auto b = random_vector<double>(A.n);
    auto x = b;
    factors.solve(exec, x.data());
    EXPECT_LE(largest(residual(twice, x, b)), 1e-12);
  }
  // Singular first, regular then, and not definite then.
  auto ones = from_triples(2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
  direct::SparseDirect factors(ones, false, no_limit);
  ASSERT_TRUE(factors.factor(exec, epsilon));
  ones.values[3] = 3;
  ASSERT_TRUE(factors.factor(exec, ones, epsilon));
  std::vector<double> x{2, 4};
  factors.solve(exec, x.data());
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 1, 1e-14);
}

TEST_F(FactorsTest, CostsAreEstimatedExactly) {
  // A path without fill: two entries per column but the last, 4 operations each.
  const auto symbolic = analysed(for_direct(poisson<double>(100)));
  EXPECT_EQ(symbolic.flops, 99 * 4 + 1);
  EXPECT_GE(symbolic.entries, 199);
  // A dense matrix: one supernode.
  const auto full = analysed(for_direct(random_spd_matrix<double>(60, 1.0)));
  EXPECT_EQ(full.num_supernodes(), 1);
  EXPECT_EQ(full.flops, 60 * 61 * 121 / 6);
  // Fill grows as n log n on a grid of n points, not as its square.
  EXPECT_LT(analysed(for_direct(poisson<double>(100, 100))).entries, 60.0 * 100 * 100);
}

TEST_F(FactorsTest, AreNotMadeBeyondTheirLimit) {
  const auto A = for_direct(poisson<double>(50, 50));
  for (const bool definite : {true, false}) {
    direct::SparseDirect factors(A, definite, 1000);
    EXPECT_FALSE(factors.fits());
    EXPECT_GT(factors.cost().entries, 10000);
    EXPECT_FALSE(factors.factor(exec, epsilon));
  }
}

TEST_F(FactorsTest, APatternThatIsNotSymmetricIsReadWhereItIs) {
  // To round-off the values are symmetric, the pattern is not.
  auto A = from_triples(4, {{0, 0, 2},
                            {1, 1, 2},
                            {2, 2, 2},
                            {3, 3, 2},
                            {0, 3, 1e-17},
                            {2, 1, 1e-17},
                            {1, 0, -1},
                            {0, 1, -1}});
  expect_solves(A, true, "cholesky");
}

}  // namespace tessera::test::factors_test
