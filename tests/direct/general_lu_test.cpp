// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L U factors where the diagonal does not do for pivots.
#include "tessera/direct/general_lu.hpp"

#include "direct/factors_fixture.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "tessera/direct/detail/matching.hpp"
#include "tessera/direct/sparse_direct.hpp"

#include <numeric>

namespace tessera::test::general_lu_test {

/// Stokes' equations on n by n cells, marker and cell: velocities on the faces inside, pressures in
/// the cells but the first, which have a zero block on the diagonal.
direct::HostMatrix stokes(int n) {
  const int num_u = (n - 1) * n;
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(2 * num_u + n * n - 1);
  const auto couple = [&](int i, int cell, double value) {
    if (cell == 0) return;
    const int p = 2 * num_u + cell - 1;
    rows[i].emplace_back(p, value);
    rows[p].emplace_back(i, value);
  };
  // Velocities along x by (face, line) and along y by (line, face).
  for (const bool along_y : {false, true}) {
    for (int line = 0; line < n; ++line) {
      for (int face = 0; face < n - 1; ++face) {
        const auto number = [&](int f, int l) {
          return along_y ? num_u + f * n + l : l * (n - 1) + f;
        };
        const auto cell = [&](int c) { return along_y ? c * n + line : line * n + c; };
        const int i = number(face, line);
        double diagonal = 4;
        for (const int d : {-1, 1}) {
          if (face + d >= 0 && face + d < n - 1) rows[i].emplace_back(number(face + d, line), -1.0);
          if (line + d >= 0 && line + d < n) {
            rows[i].emplace_back(number(face, line + d), -1.0);
          } else {
            ++diagonal;
          }
        }
        rows[i].emplace_back(i, diagonal);
        couple(i, cell(face), -1.0 / n);
        couple(i, cell(face + 1), 1.0 / n);
      }
    }
  }
  for (auto& row : rows)
    std::sort(row.begin(), row.end());
  return for_direct(from_rows<double>(static_cast<int>(rows.size()), rows));
}

/// `count` entries in each row, anywhere.
direct::HostMatrix scattered(int n, int count, std::uint64_t seed) {
  Random random(seed);
  return for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    std::vector<int> columns{i};
    for (int k = 1; k < count; ++k)
      columns.push_back(random.below(n));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int j : columns)
      A.push(j, random.uniform(-1, 1));
  }));
}

class GeneralLuTest : public ::testing::Test {
 public:
  HostSpace exec;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  /// In panels, with pivots as they come.
  void expect_solves(const direct::HostMatrix& A, double entries_per_row) {
    direct::GeneralLu factors(A, no_limit);
    EXPECT_TRUE(factors.cost().in_panels);
    EXPECT_LE(factors.cost().entries, entries_per_row * A.n);
    expect_solves(factors, A, 1e-8);
  }

  void expect_solves(direct::GeneralLu& factors, const direct::HostMatrix& A, double most) {
    ASSERT_TRUE(factors.factor(exec, A));
    EXPECT_TRUE(factors.is_in_panels());
    EXPECT_EQ(factors.raised_pivots(), 0);
    const auto b = random_vector<double>(A.n);
    auto x = b;
    factors.solve(exec, x.data());
    EXPECT_LE(largest(residual(A, x, b)), most);
  }
};

TEST_F(GeneralLuTest, SolvesSaddlePoints) {
  for (const int n : {2, 3, 20, 40})
    expect_solves(stokes(n), 110);
}

TEST_F(GeneralLuTest, SolvesSkewSymmetricSystems) {
  for (const int n : {2, 10, 60})
    expect_solves(skew_symmetric(n), 85);
}

TEST_F(GeneralLuTest, SolvesSystemsWithoutAPattern) {
  expect_solves(scattered(3000, 7, 1), 1300);
  for (const std::uint64_t seed : {2, 3, 4, 5})
    expect_solves(scattered(400, 4, seed), 200);
}

TEST_F(GeneralLuTest, FindsADiagonalWhereThereIsNone) {
  // Each row's large entry is far away; none on the diagonal.
  const int n = 500;
  const auto A = for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    const int far = (i * 7 + 3) % n;
    for (int j = 0; j < n; ++j) {
      if (j == far) {
        A.push(j, 5 + i % 3);
      } else if (j != i && (j == (far + 1) % n || j == (far + n - 1) % n)) {
        A.push(j, -1);
      }
    }
  }));
  // A band, once rows are where their large entries are.
  expect_solves(A, 21);
}

TEST_F(GeneralLuTest, SolvesWhatIsScaledBadly) {
  auto A = scattered(300, 5, 7);
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      A.values[e] *= std::pow(10.0, (i * 37) % 200 - 100 + (A.columns[e] * 11) % 60 - 30);
  }
  direct::GeneralLu factors(A, no_limit);
  ASSERT_TRUE(factors.factor(exec, A));
  EXPECT_EQ(factors.raised_pivots(), 0);
  // x_j = 1 / (the column's scale), so that all products of a row are of one magnitude.
  std::vector<double> expected(A.n);
  for (int j = 0; j < A.n; ++j)
    expected[j] = std::pow(10.0, 30 - (j * 11) % 60);
  std::vector<double> x(A.n, 0.0);
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      x[i] += A.values[e] * expected[A.columns[e]];
  }
  factors.solve(exec, x.data());
  for (int j = 0; j < A.n; ++j)
    EXPECT_NEAR(x[j] / expected[j], 1, 1e-9);
}

TEST_F(GeneralLuTest, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto A = stokes(60);
  const auto symbolic = direct::analyse_lu(A, no_limit);
  ASSERT_TRUE(symbolic.has_value());
  ASSERT_GT(symbolic->fronts.tasks.size(), 4U);
  std::vector<std::vector<double>> results;
  for (const HostSpace& instance : instances<>()) {
    direct::GeneralLu factors(A, no_limit);
    ASSERT_TRUE(factors.factor(instance, A));
    results.push_back(random_vector<double>(A.n));
    factors.solve(instance, results.back().data());
  }
  expect_same_bits(results, "factors");
}

TEST_F(GeneralLuTest, ForecastsHold) {
  const auto A = stokes(20);
  const auto f = direct::analyse_lu(A, no_limit);
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->entries, static_cast<double>(f->fronts.first_value.back() + f->first_upper.back()));
  // A multiplication and an addition for each number behind a pivot, and a division of its column.
  double flops = 0;
  for (int s = 0; s < f->fronts.num_supernodes(); ++s) {
    for (int j = 0; j < f->fronts.width(s); ++j) {
      const double behind = f->fronts.height(s) - j - 1;
      flops += 2 * behind * behind + behind;
    }
  }
  EXPECT_NEAR(f->flops / flops, 1, 0.1);
  // A full matrix.
  const auto B = scattered(60, 1000, 3);
  ASSERT_EQ(B.num_entries(), 3600);
  const direct::GeneralLu full(B, no_limit);
  EXPECT_EQ(full.cost().entries, 3600);
  EXPECT_EQ(full.cost().flops, 2 * 60 * 60 * 60 / 3);
}

TEST_F(GeneralLuTest, KeepsItsOrderForOtherValuesAsLongAsThatDoes) {
  // The first values ask for the diagonal, the others for what is right of it.
  const int n = 400;
  const auto ring = [&](double diagonal, double other) {
    return for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
      const int next = (i + 3) % n;
      if (next < i) A.push(next, other);
      A.push(i, diagonal);
      if (next > i) A.push(next, other);
    }));
  };
  const auto first = ring(1, 1e-12);
  direct::GeneralLu factors(first, no_limit);
  for (const auto& A : {first, ring(3, 1e-11), ring(1e-12, 1), ring(1, 1e-12)})
    expect_solves(factors, A, 1e-9);
}

TEST_F(GeneralLuTest, RaisesPivotsThatAreZero) {
  // Rank one less than full, wherever the pivots come from.
  auto A = scattered(300, 5, 9);
  const int from = A.offsets[7];
  std::vector<int> columns(A.columns.begin() + from, A.columns.begin() + A.offsets[8]);
  const auto twice = for_direct(by_rows<double>(A.n, A.n, [&](auto& B, int i) {
    const int row = i == 200 ? 7 : i;
    for (int e = A.offsets[row]; e < A.offsets[row + 1]; ++e)
      B.push(A.columns[e], A.values[e]);
  }));
  direct::GeneralLu factors(twice, no_limit);
  ASSERT_TRUE(factors.factor(exec, twice));
  EXPECT_EQ(factors.raised_pivots(), 1);
  // What is consistent is solved all the same.
  std::vector<double> b(A.n, 0.0);
  for (int i = 0; i < A.n; ++i) {
    for (int e = twice.offsets[i]; e < twice.offsets[i + 1]; ++e)
      b[i] += twice.values[e];
  }
  auto x = b;
  factors.solve(exec, x.data());
  EXPECT_LE(largest(residual(twice, x, b)), 1e-6);
}

TEST_F(GeneralLuTest, LeavesToKluWhatHasNoMatching) {
  // Two rows with the same single column.
  const auto A = from_triples(3, {{0, 1, 2}, {1, 1, 4}, {2, 0, 1}, {2, 2, 1}});
  EXPECT_FALSE(direct::analyse_lu(A, no_limit).has_value());
  direct::GeneralLu factors(A, no_limit);
  EXPECT_FALSE(factors.cost().in_panels);
  EXPECT_FALSE(factors.factor(exec, A));
}

TEST_F(GeneralLuTest, IsNotMadeBeyondItsLimit) {
  const auto A = stokes(30);
  direct::GeneralLu factors(A, 8 * 1000);
  EXPECT_GT(factors.cost().entries, 20000);
  EXPECT_FALSE(factors.factor(exec, A));
}

/// Over all permutations.
double largest_product(const direct::HostMatrix& A) {
  std::vector<int> order(A.n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> dense(A.n * A.n, 0.0);
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      dense[i * A.n + A.columns[e]] = std::abs(A.values[e]);
  }
  double best = 0;
  do {
    double product = 1;
    for (int i = 0; i < A.n; ++i)
      product *= dense[i * A.n + order[i]];
    best = std::max(best, product);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Matching, HasAboutTheLargestProductAndScalesItToOne) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const auto A = scattered(7, 4, seed);
    const auto matching = direct::detail::match_rows(A);
    const double best = largest_product(A);
    ASSERT_EQ(matching.has_value(), best > 0) << seed;
    if (!matching) continue;
    std::vector<int> columns = matching->column;
    double product = 1;
    for (int i = 0; i < A.n; ++i) {
      for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        const int j = A.columns[e];
        const double scaled = std::ldexp(std::abs(A.values[e]),
                                         matching->row_exponent[i] + matching->column_exponent[j]);
        EXPECT_LE(scaled, 2.001);
        if (j != columns[i]) continue;
        EXPECT_GE(scaled, 0.499);
        product *= std::abs(A.values[e]);
      }
    }
    EXPECT_GE(product, 0.8 * best) << seed;
    std::sort(columns.begin(), columns.end());
    EXPECT_EQ(std::unique(columns.begin(), columns.end()), columns.end());
  }
}

}  // namespace tessera::test::general_lu_test
