// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by blocks of a given number of rows: dense references, symmetry, notes and refusals.
#include "smoother_fixture.hpp"

#include "support/error_of.hpp"

#include "tessera/smoother/block_smoother.hpp"

#include <numeric>
#include <string>

namespace tessera::test::block_smoother_test {

TESSERA_TEST_SUITE(BlockSmootherTest, Matrices, TypeNames);

SmootherParameters blocks_of(int rows, int sweeps = 1) {
  return {
      .type = SmootherType::block_jacobi, .sweeps = sweeps, .block_jacobi = {.block_rows = rows}};
}

SmootherParameters blocks_of_nodes() {
  return {.type = SmootherType::block_jacobi, .block_jacobi = {.blocks = RelaxationBlocks::nodes}};
}

/// B^-1 r, B being the blocks of m rows on the diagonal of A.
template <class Scalar>
std::vector<long double> solve_blocks(const HostMatrix<Scalar>& A, int m,
                                      const std::vector<long double>& r) {
  const int n = A.num_rows;
  const Dense D = to_dense(A);
  std::vector<long double> z(n);
  for (int first = 0; first < n; first += m) {
    const int rows = std::min(m, n - first);
    Dense block(rows, rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        block(i, j) = D(first + i, first + j);
    const auto part = solve(block, {r.begin() + first, r.begin() + first + rows});
    std::copy(part.begin(), part.end(), z.begin() + first);
  }
  return z;
}

/// b - A x.
template <class Scalar>
std::vector<long double> residual(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                                  const std::vector<long double>& x) {
  std::vector<long double> r(b.begin(), b.end());
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    r[i] -= static_cast<long double>(value) * x[j];
  });
  return r;
}

/// The damping, by what a sweep makes of the guess zero: a multiple of B^-1 b.
template <class Scalar>
long double damping(const std::vector<Scalar>& x, const std::vector<long double>& solved) {
  const auto dot = [&](const auto& u) {
    return std::inner_product(u.begin(), u.end(), solved.begin(), 0.0L);
  };
  return dot(x) / dot(solved);
}

/// The spectral radius of B^-1 A by many of its powers.
template <class Scalar>
double radius_of(const HostMatrix<Scalar>& A, int m) {
  std::vector<long double> v(A.num_rows);
  for (int i = 0; i < A.num_rows; ++i)
    v[i] = std::sin(1.0L + 3.7L * i);
  long double norm = 0;
  for (int step = 0; step < 300; ++step) {
    auto product = residual(A, std::vector<Scalar>(v.size(), Scalar(0)), v);
    v = solve_blocks(A, m, product);
    norm = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0L));
    for (long double& value : v)
      value /= norm;
  }
  return static_cast<double>(norm);
}

/// 35 rows: the last block has 2 or 3 of them.
TESSERA_TYPED_TEST(BlockSmootherTest, SweepsFollowTheirFormula) {
  const int n = 35;
  const auto A = random_spd_matrix<Scalar>(n, 0.2);
  const auto b = random_vector<Scalar>(n, 1);
  const auto guess = random_vector<Scalar>(n, 2);
  for (const int m : {1, 3, 4, 32}) {
    const auto solved = solve_blocks(A, m, {b.begin(), b.end()});
    for (const int sweeps : {1, 2}) {
      Bench<Scalar, Space, Offset> once(A, blocks_of(m), 1);
      const auto from_zero = once.from_zero(b);
      const long double omega = damping(from_zero, solved);
      // Eight powers are short of the radius, by no more than a quarter here.
      const double radius = radius_of(A, m);
      EXPECT_GE(omega, 2 / (1 + 1.25 * radius) - 1e-5) << m;
      EXPECT_LE(omega, 2 / (1 + 1.25 * std::max(1.0, 0.75 * radius)) + 1e-5) << m;
      std::vector<long double> expected(solved);
      for (long double& value : expected)
        value *= omega;
      expect_close(from_zero, expected);
      Bench<Scalar, Space, Offset> bench(A, blocks_of(m, sweeps), 1);
      std::vector<long double> x(guess.begin(), guess.end());
      for (int sweep = 0; sweep < sweeps; ++sweep) {
        const auto z = solve_blocks(A, m, residual(A, b, x));
        for (int i = 0; i < n; ++i)
          x[i] += omega * z[i];
      }
      expect_close(bench.from(guess, b), x);
    }
  }
}

TESSERA_TYPED_TEST(BlockSmootherTest, NodesAreBlocksOfTheirRows) {
  const auto A = random_spd_matrix<Scalar>(36, 0.2);
  const auto b = random_vector<Scalar>(36, 1);
  for (const int m : {1, 3, 6}) {
    Bench<Scalar, Space, Offset> nodes(m, A, blocks_of_nodes(), 1);
    Bench<Scalar, Space, Offset> rows(A, blocks_of(m), 1);
    EXPECT_EQ(nodes.from_zero(b), rows.from_zero(b)) << m;
  }
  // Those of nodes are for who asks for them.
  Bench<Scalar, Space, Offset> found(3, A, {.type = SmootherType::block_jacobi}, 1);
  Bench<Scalar, Space, Offset> single(A, blocks_of(1), 1);
  EXPECT_EQ(found.from_zero(b), single.from_zero(b));
}

TESSERA_TYPED_TEST(BlockSmootherTest, ColumnsAreRelaxedAlike) {
  const int n = 42, k = 5;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  const auto b = random_vector<Scalar>(n * k, 1);
  for (const int m : {3, 4}) {
    Bench<Scalar, Space, Offset> bench(A, blocks_of(m, 2), 1);
    const auto together = bench.from_zero(b, k);
    for (int c = 0; c < k; ++c) {
      const auto alone = bench.from_zero({b.begin() + c * n, b.begin() + (c + 1) * n});
      for (int i = 0; i < n; ++i)
        ASSERT_NEAR(together[c * n + i], alone[i], rounding<Scalar>);
    }
  }
}

/// And positive definite: what conjugate gradients ask for.
TESSERA_TYPED_TEST(BlockSmootherTest, IsSymmetricAndDefinite) {
  const int n = 50;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  for (const int m : {3, 4}) {
    for (const int sweeps : {1, 2}) {
      Bench<Scalar, Space, Offset> bench(A, blocks_of(m, sweeps), 1);
      EXPECT_FALSE(bench.relaxes_one_way());
      const Dense M = bench.as_matrix();
      for (int i = 0; i < n; ++i) {
        ASSERT_GT(M(i, i), 0);
        for (int j = 0; j < i; ++j)
          ASSERT_NEAR(static_cast<double>(M(i, j)), static_cast<double>(M(j, i)), rounding<Scalar>);
      }
    }
  }
}

/// One with the diagonal 2 and 4, one with a zero on it.
TESSERA_TYPED_TEST(BlockSmootherTest, ABlockWithoutAnInverseIsItsDiagonal) {
  const int n = 10;
  const auto A = by_rows<Scalar>(n, n, [](auto& row, std::int32_t i) {
    if (i / 2 == 1) {
      row.push(2, Scalar(i == 2 ? 2 : 4));
      row.push(3, Scalar(i == 2 ? 2 : 4));
    } else if (i / 2 == 3) {
      row.push(6, Scalar(i == 6 ? 1 : 0));
      row.push(7, Scalar(0));
    } else {
      row.push(i / 2 * 2, Scalar(i % 2 == 0 ? 3 : 1));
      row.push(i / 2 * 2 + 1, Scalar(i % 2 == 0 ? 1 : 3));
    }
  });
  Bench<Scalar, Space, Offset> bench(A, blocks_of(2), 1);
  EXPECT_EQ(bench.note(),
            "2 blocks of block_jacobi have no inverse: their diagonals are used instead");
  const auto x = bench.from_zero(std::vector<Scalar>(n, Scalar(4)));
  const long double omega = x[0];  // 4 / (3 + 1)
  const std::vector<long double> solved = {1, 1, 2, 1, 1, 1, 4, 0, 1, 1};
  for (int i = 0; i < n; ++i)
    ASSERT_NEAR(x[i], static_cast<double>(omega * solved[i]), rounding<Scalar>) << i;
  EXPECT_EQ((Bench<Scalar, Space, Offset>(A, blocks_of(1), 1).note()),
            "1 block of block_jacobi has no inverse: its diagonal is used instead");
  EXPECT_EQ((Bench<Scalar, Space, Offset>(identity<Scalar>(9), blocks_of(2), 1).note()), "");
}

TESSERA_TYPED_TEST(BlockSmootherTest, TakesEmptyMatrices) {
  for (const auto& p : {blocks_of(4), blocks_of_nodes()}) {
    Bench<Scalar, Space, Offset> empty(3, HostMatrix<Scalar>{}, p, 1);
    EXPECT_TRUE(empty.from_zero({}).empty());
    EXPECT_EQ(empty.note(), "");
  }
}

TEST(BlockSmoother, RowsOfBlocksAreAsAskedFor) {
  EXPECT_EQ(rows_of_blocks({}, 3), 0);
  EXPECT_EQ(rows_of_blocks({.block_rows = 4}, 3), 4);
  EXPECT_EQ(rows_of_blocks({.block_rows = 32}, 40), 32);
  EXPECT_EQ(rows_of_blocks({.blocks = RelaxationBlocks::nodes}, 3), 3);
  EXPECT_EQ(rows_of_blocks({.blocks = RelaxationBlocks::nodes}, 32), 32);
}

TEST(BlockSmoother, RefusesWhatNoBlockCanBe) {
  constexpr auto kind = ErrorKind::configuration;
  for (const int rows : {-1, 33}) {
    expect_error(error_of([&] { rows_of_blocks({.block_rows = rows}, 1); }), kind,
                 {"block_jacobi.block_rows = " + std::to_string(rows), "1 to 32"});
  }
  expect_error(
      error_of([&] { rows_of_blocks({.blocks = RelaxationBlocks::nodes, .block_rows = 4}, 3); }),
      kind, {"block_jacobi.block_rows = 4", "blocks = nodes", "block_rows = 0", "blocks = found"});
  expect_error(error_of([&] { rows_of_blocks({.blocks = RelaxationBlocks::nodes}, 33); }), kind,
               {"blocks = nodes", "33 unknowns", "at most 32", "block_rows"});
}

}  // namespace tessera::test::block_smoother_test
