// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Triangular solves by each algorithm, against substitution in long double.
#include "kernels_sptrsv/sptrsv_fixture.hpp"

#include <cstring>
#include <numeric>

namespace tessera::test::sptrsv_test {

TESSERA_TEST_SUITE(SptrsvTest, Matrices, TypeNames);

/// Each triangle by each algorithm, with a diagonal and without.
template <class Param>
void expect_all_solve(const HostMatrix<typename Param::Scalar>& A, const std::string& what) {
  const auto b = random_vector<typename Param::Scalar>(A.num_rows, 5);
  for (const TriangleKind kind : {TriangleKind::lower, TriangleKind::upper}) {
    for (const bool unit : {true, false}) {
      const TriangleCase<Param> one(A, kind, unit);
      const auto expected = one.expected(b);
      for (const SptrsvAlgorithm algorithm : all_algorithms) {
        const auto plan = one.plan(algorithm);
        const std::string name = what + ", " + name_of(algorithm) +
                                 (kind == TriangleKind::lower ? ", lower" : ", upper") +
                                 (unit ? ", unit" : "");
        const auto x = one.solve(plan, b);
        expect_solution(x, expected, name);
        EXPECT_EQ(x, one.solve(plan, b)) << name << ": another time";
        EXPECT_EQ(x, one.solve(one.plan(algorithm), b)) << name << ": by another plan";
      }
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, SmallestMatrices) {
  expect_all_solve<TypeParam>({}, "empty");
  expect_all_solve<TypeParam>(identity<Scalar>(1), "one row");
  expect_all_solve<TypeParam>(HostMatrix<Scalar>{1, 1, {0, 0}, {}, {}}, "one empty row");
  expect_all_solve<TypeParam>(
      from_rows<Scalar>(2, {{{0, Scalar(1)}, {1, Scalar(0.5)}}, {{0, Scalar(-0.5)}}}), "two rows");
  expect_all_solve<TypeParam>(identity<Scalar>(5000), "a diagonal");
}

TESSERA_TYPED_TEST(SptrsvTest, RandomMatricesWithoutSymmetry) {
  for (const int n : {3, 17, 64, 300, 1500}) {
    for (const double density : {0.002, 0.02, 0.3}) {
      if (n * density > 200) continue;
      const auto A = random_matrix<Scalar>({.num_rows = n,
                                            .num_cols = n,
                                            .density = density,
                                            .empty_row_fraction = 0.1,
                                            .seed = static_cast<std::uint64_t>(n)});
      expect_all_solve<TypeParam>(tamed(A),
                                  "random " + std::to_string(n) + ", " + std::to_string(density));
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, ADenseTriangleHasALevelARow) {
  const auto A = tamed(random_matrix<Scalar>({.num_rows = 200, .num_cols = 200, .density = 1}));
  expect_all_solve<TypeParam>(A, "dense");
  const TriangleCase<TypeParam> lower(A, TriangleKind::lower, true);
  EXPECT_EQ(lower.plan(SptrsvAlgorithm::levels).levels.num_levels, 200);
}

TESSERA_TYPED_TEST(SptrsvTest, AnArrowHasThreeLevels) {
  // Couplings of every row with the first and with the last.
  const auto is_end = [](int i) { return i == 0 || i == 2999; };
  const auto A = with_long_rows<Scalar>(3000, is_end, [&](int i, int j) {
    return i == j ? 1.0 : is_end(i) ? 0.5 / 3000 : 0.25;
  });
  expect_all_solve<TypeParam>(A, "arrow");
  for (const TriangleKind kind : {TriangleKind::lower, TriangleKind::upper}) {
    const TriangleCase<TypeParam> one(A, kind, true);
    const auto levels = one.plan(SptrsvAlgorithm::levels).levels;
    EXPECT_EQ(levels.first, (std::vector<Ordinal>{0, 1, 2999, 3000}));
    EXPECT_EQ(levels.entries, (std::vector<std::int64_t>{0, 2998, 2999}));
  }
}

TESSERA_TYPED_TEST(SptrsvTest, ALongChainIsOneLaunch) {
  const int n = 100000;
  const auto A = by_rows<Scalar>(n, n, [&](auto& A, int i) {
    if (i > 0) A.push(i - 1, Scalar(-0.5));
    A.push(i, Scalar(1));
    if (i + 1 < n) A.push(i + 1, Scalar(0.25));
  });
  expect_all_solve<TypeParam>(A, "chain");
  const TriangleCase<TypeParam> one(A, TriangleKind::lower, true);
  const auto plan = one.plan(SptrsvAlgorithm::levels);
  EXPECT_EQ(plan.levels.num_levels, n);
  EXPECT_EQ(plan.num_launches(), 1);
}

TESSERA_TYPED_TEST(SptrsvTest, AGridInRandomOrder) {
  const auto A = poisson<Scalar>(60, 60);
  std::vector<std::int32_t> places(A.num_rows);
  std::iota(places.begin(), places.end(), 0);
  Random random(3);
  for (int i = A.num_rows; i > 1; --i)
    std::swap(places[i - 1], places[random.below(i)]);
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(A.num_rows);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    rows[places[i]].emplace_back(places[j], value);
  });
  for (auto& row : rows)
    std::sort(row.begin(), row.end());
  expect_all_solve<TypeParam>(tamed(A), "grid");
  expect_all_solve<TypeParam>(tamed(from_rows(A.num_rows, rows)), "grid in random order");
}

TESSERA_TYPED_TEST(SptrsvTest, LevelsAreThoseOfTheirDefinition) {
  const auto A = random_matrix<Scalar>({.num_rows = 700, .num_cols = 700, .density = 0.01});
  for (const TriangleKind kind : {TriangleKind::lower, TriangleKind::upper}) {
    const TriangleCase<TypeParam> one(A, kind, true);
    const auto levels = one.plan(SptrsvAlgorithm::levels).levels;
    std::vector<int> expected(A.num_rows, 0);
    for (int p = 0; p < A.num_rows; ++p) {
      const int i = kind == TriangleKind::lower ? p : A.num_rows - 1 - p;
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        const int j = A.columns[e];
        if (kind == TriangleKind::lower ? j < i : j > i)
          expected[i] = std::max(expected[i], expected[j] + 1);
      }
    }
    const auto order = to_host(levels.order);
    ASSERT_EQ(order.size(), expected.size());
    for (int level = 0; level < levels.num_levels; ++level) {
      for (Ordinal p = levels.first[level]; p < levels.first[level + 1]; ++p) {
        ASSERT_EQ(expected[order[p]], level);
        if (p > levels.first[level]) {
          ASSERT_LT(order[p - 1], order[p]);
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, BlocksOfBlocks) {
  for (const int n : {1, 2, 7, 100, 333}) {
    const auto A = tamed(
        random_matrix<Scalar>({.num_rows = n, .num_cols = n, .density = std::min(1.0, 30.0 / n)}));
    const auto b = random_vector<Scalar>(n, 5);
    for (const TriangleKind kind : {TriangleKind::lower, TriangleKind::upper}) {
      const TriangleCase<TypeParam> one(A, kind, false);
      for (int recursion_depth = 1; recursion_depth <= 6; ++recursion_depth) {
        const auto plan = one.plan(SptrsvAlgorithm::recursive, recursion_depth);
        if (n >> recursion_depth > 0) {
          EXPECT_EQ(plan.triangles.size(), std::size_t(1) << recursion_depth);
        }
        const std::string what =
            std::to_string(recursion_depth) + " levels of recursion of " + std::to_string(n);
        expect_solution(one.solve(plan, b), one.expected(b), what);
      }
    }
  }
  const TriangleCase<TypeParam> one(identity<Scalar>(3), TriangleKind::lower, true);
  expect_error(error_of([&] { one.plan(SptrsvAlgorithm::recursive, 17); }), ErrorKind::precondition,
               {"recursion_depth is 17"});
}

TESSERA_TYPED_TEST(SptrsvTest, ColumnsAreIndependent) {
  const auto A = tamed(random_spd_matrix<Scalar>(400, 0.02));
  const auto b = random_vector<Scalar>(400 * 3, 4);
  for (const SptrsvAlgorithm algorithm : all_algorithms) {
    const TriangleCase<TypeParam> one(A, TriangleKind::upper, false);
    const auto plan = one.plan(algorithm);
    const auto together = one.solve(plan, b, 3);
    for (int j = 0; j < 3; ++j) {
      const auto alone = one.solve(plan, std::vector<Scalar>(&b[j * 400], &b[j * 400] + 400));
      EXPECT_EQ(alone, std::vector<Scalar>(&together[j * 400], &together[j * 400] + 400));
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, TheSameBitsForAnyNumberOfThreads) {
  const auto A = tamed(poisson<Scalar>(40, 40, 20));
  const auto b = random_vector<Scalar>(A.num_rows, 4);
  for (const SptrsvAlgorithm algorithm : all_algorithms) {
    std::vector<std::vector<Scalar>> results;
    for (const Space& exec : instances<Space>()) {
      const TriangleCase<TypeParam> one(A, TriangleKind::lower, false, exec);
      results.push_back(one.solve(one.plan(algorithm), b));
    }
    expect_same_bits(results, name_of(algorithm));
  }
}

TESSERA_TYPED_TEST(SptrsvTest, NaNsAndInfinitiesShowAndNothingHangs) {
  const auto A = tamed(poisson<Scalar>(30, 30));
  auto b = random_vector<Scalar>(A.num_rows, 4);
  // Every bit pattern of a NaN is one: also that which stands for a value that is not there yet.
  Scalar strange;
  std::memset(&strange, 0xff, sizeof strange);
  for (const Scalar value : {std::numeric_limits<Scalar>::quiet_NaN(), strange,
                             std::numeric_limits<Scalar>::infinity()}) {
    auto bad = b;
    bad[31] = value;
    for (const SptrsvAlgorithm algorithm : all_algorithms) {
      const TriangleCase<TypeParam> one(A, TriangleKind::lower, false);
      const auto plan = one.plan(algorithm);
      const auto x = one.solve(plan, bad);
      EXPECT_FALSE(std::isfinite(x[31])) << name_of(algorithm);
      EXPECT_FALSE(std::isfinite(x[899])) << name_of(algorithm);
      EXPECT_TRUE(std::isfinite(x[30])) << name_of(algorithm);
      expect_solution(one.solve(plan, b), one.expected(b), name_of(algorithm));
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, BothFactorsOneAfterTheOther) {
  const auto A = tamed(poisson<Scalar>(25, 20));
  const int n = A.num_rows;
  const TriangleCase<TypeParam> L(A, TriangleKind::lower, true), U(A, TriangleKind::upper, false);
  for (const SptrsvAlgorithm algorithm : all_algorithms) {
    kernels::LuSolve<Scalar, Space, Offset> both(L.exec, L.triangle(), U.triangle(), algorithm);
    for (const int k : {1, 3, 2}) {
      const auto b = random_vector<Scalar>(n * k, 10 + k);
      // More than once: what one application leaves is what the next one finds.
      for (int repeat = 0; repeat < 3; ++repeat) {
        const auto x = to_multivector(
            L.exec, std::vector<Scalar>(n * k, std::numeric_limits<Scalar>::quiet_NaN()), n, k);
        both.apply(L.exec, L.triangle(), U.triangle(), to_multivector(L.exec, b, n, k), x);
        const auto result = to_host(x);
        for (int j = 0; j < k; ++j) {
          const auto y = L.expected(std::vector<Scalar>(&b[j * n], &b[j * n] + n));
          const auto expected = U.expected(std::vector<Scalar>(y.begin(), y.end()));
          expect_solution(std::vector<Scalar>(&result[j * n], &result[j * n] + n), expected,
                          name_of(algorithm));
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(SptrsvTest, BadArgumentsAreErrors) {
  const auto A = make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 3, .num_cols = 4}));
  expect_error(error_of([&] { kernels::cut_at_diagonal(exec, A.view()); }), ErrorKind::precondition,
               {"3 by 4"});
  const TriangleCase<TypeParam> small(identity<Scalar>(3), TriangleKind::lower, true);
  const TriangleCase<TypeParam> large(identity<Scalar>(5), TriangleKind::lower, true);
  const auto plan = large.plan(SptrsvAlgorithm::levels);
  expect_error(error_of([&] { small.solve(plan, std::vector<Scalar>(3)); }),
               ErrorKind::precondition, {"3 rows", "5 rows"});
}

}  // namespace tessera::test::sptrsv_test
