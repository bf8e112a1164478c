// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothers against their dense formulas, and the properties that a multigrid cycle relies on.
#include "smoother_fixture.hpp"

#include "support/error_of.hpp"
#include "support/share.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <numeric>

namespace tessera::test::smoother_test {

TESSERA_TEST_SUITE(SmootherTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(SmootherTest, DiagonalSmoothersFollowTheirFormula) {
  auto A = random_spd_matrix<Scalar>(70, 0.1);
  // One row with a negative diagonal, one with a zero, one empty.
  auto rows = std::vector<std::vector<std::pair<std::int32_t, Scalar>>>(70);
  for (int i = 0; i < 70; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const Scalar value = A.columns[e] != i ? A.values[e] : Scalar(i == 3 ? -4 : i == 9 ? 0 : 5);
      if (i != 20) rows[i].emplace_back(A.columns[e], value);
    }
    std::reverse(rows[i].begin(), rows[i].end());
  }
  A = from_rows<Scalar>(70, rows);
  const auto b = random_vector<Scalar>(70, 1);
  const auto guess = random_vector<Scalar>(70, 2);
  for (const SmootherType type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::spai0}) {
    for (const int sweeps : {1, 2, 3}) {
      Bench<Scalar, Space, Offset> bench(
          A, {.type = type, .sweeps = sweeps, .jacobi = {.omega = 0.9}}, 1.5);
      const auto d = expected_weights(A, type, 0.9, 1.5);
      std::vector<long double> x(guess.begin(), guess.end());
      for (int sweep = 0; sweep < sweeps; ++sweep)
        reference_sweep(A, d, b, x);
      expect_close(bench.from(guess, b), x);
    }
  }
}

TESSERA_TYPED_TEST(SmootherTest, ChebyshevFollowsTheThreeTermRecurrence) {
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  const auto b = random_vector<Scalar>(60, 1);
  const auto guess = random_vector<Scalar>(60, 2);
  const long double upper = 1.1L * 1.8L;
  const long double lower = 1.8L / 5;
  const long double theta = (upper + lower) / 2;
  const long double delta = (upper - lower) / 2;
  for (const int degree : {1, 2, 3, 4}) {
    for (const int sweeps : {1, 2}) {
      Bench<Scalar, Space, Offset> bench(A,
                                         {.type = SmootherType::chebyshev,
                                          .sweeps = sweeps,
                                          .chebyshev = {.degree = degree, .eigenvalue_ratio = 5}},
                                         1.8);
      std::vector<long double> x(guess.begin(), guess.end());
      for (int sweep = 0; sweep < sweeps; ++sweep) {
        // Errors of successive steps are T_s((theta - D^-1 A) / delta) over its value at 0.
        std::vector<long double> before = x;
        std::vector<long double> d(60);
        for (int i = 0; i < 60; ++i)
          d[i] = 1 / (theta * entry(A, i, i));
        reference_sweep(A, d, b, x);
        long double t_before = 1;
        long double t = theta / delta;
        for (int step = 2; step <= degree; ++step) {
          const long double t_next = 2 * theta / delta * t - t_before;
          std::vector<long double> relaxed = x;
          reference_sweep(A, d, b, relaxed);
          for (int i = 0; i < 60; ++i) {
            const long double next =
                (2 * theta / delta * t * relaxed[i] - t_before * before[i]) / t_next;
            before[i] = x[i];
            x[i] = next;
          }
          t_before = t;
          t = t_next;
        }
      }
      expect_close(bench.from(guess, b), x);
    }
  }
}

TESSERA_TYPED_TEST(SmootherTest, BlocksAreSolvedAndDampedByTheirRadius) {
  // Blocks of 5 by themselves; then each with a share of the next one, and all in a circle.
  const int m = 5, blocks = 12, n = m * blocks;
  for (const double coupling : {0.0, 0.5}) {
    const auto A = by_rows<Scalar>(n, n, [&](auto& row, std::int32_t i) {
      for (int j = 0; j < m; ++j) {
        const int own = i / m * m + j;
        row.push(own, Scalar(own == i ? 6 : 1));
        if (coupling != 0) row.push((own + m) % n, Scalar(coupling * (own == i ? 6 : 1)));
      }
    });
    // B^-1 A has the eigenvalues 1 + coupling times the roots of unity.
    Bench<Scalar, Space, Offset> bench(A, {.type = SmootherType::block_jacobi}, 1.0);
    const auto b = random_vector<Scalar>(n, 1);
    const auto x = bench.from_zero(b);
    std::vector<long double> product(n, 0.0L), expected(b.begin(), b.end());
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
      if (i / m == j / m) product[i] += static_cast<long double>(value) * x[j];
    });
    const double omega = static_cast<double>(product[0] / expected[0]);
    EXPECT_NEAR(omega, 2 / (1 + 1.25 * (1 + coupling)), coupling == 0 ? 1e-5 : 0.05);
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(static_cast<double>(product[i]), omega * b[i], 1e-4) << "at " << i;
  }
}

TESSERA_TYPED_TEST(SmootherTest, ZeroGuessIsTheGuessZero) {
  const int n = 80;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  Share share;
  for (const int k : {1, 3}) {
    const auto b = random_vector<Scalar>(n * k, 4);
    for (const SmootherType type : all_smoothers) {
      for (const int sweeps : {1, 2, 3}) {
        for (const int degree : {1, 2, 3}) {
          if (!share.takes()) continue;
          Bench<Scalar, Space, Offset> bench(
              A, {.type = type, .sweeps = sweeps, .chebyshev = {.degree = degree}}, 1.9);
          const auto from_zero = bench.from_zero(b, k);
          const auto from_guess = bench.from(std::vector<Scalar>(n * k, Scalar(0)), b, k);
          expect_close(from_zero, std::vector<long double>(from_guess.begin(), from_guess.end()));
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(SmootherTest, ColumnsAreIndependent) {
  const int n = 50;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  const auto b = random_vector<Scalar>(n * 3, 4);
  for (const SmootherType type : all_smoothers) {
    Bench<Scalar, Space, Offset> bench(A, {.type = type, .sweeps = 2}, 1.9);
    const auto together = bench.from_zero(b, 3);
    for (int j = 0; j < 3; ++j) {
      const auto alone = bench.from_zero(std::vector<Scalar>(&b[j * n], &b[j * n] + n));
      expect_close(alone, std::vector<long double>(&together[j * n], &together[j * n] + n));
    }
  }
}

/// The largest eigenvalue of D^-1 A by Gershgorin: an upper bound.
template <class Scalar>
double spectral_bound(const HostMatrix<Scalar>& A) {
  double bound = 0;
  for (int i = 0; i < A.num_rows; ++i) {
    double sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      sum += std::abs(static_cast<double>(A.values[e]));
    bound = std::max(bound, sum / static_cast<double>(entry(A, i, i)));
  }
  return bound;
}

TESSERA_TYPED_TEST(SmootherTest, ErrorPropagationIsSymmetricAndTheInverseDefinite) {
  const int n = 36;
  const auto A = poisson<Scalar>(6, 6);
  Share share;
  for (const SmootherType type : all_smoothers) {
    for (const int sweeps : {1, 2}) {
      if (!share.takes()) continue;
      Bench<Scalar, Space, Offset> bench(A, {.type = type, .sweeps = sweeps}, spectral_bound(A));
      expect_symmetric_and_definite<Scalar>(bench.as_matrix(), n);
    }
  }
}

TESSERA_TYPED_TEST(SmootherTest, ChebyshevDampsItsInterval) {
  const int n = 100;
  const double rho = 2, ratio = 10;
  for (const int degree : {1, 2, 3, 5}) {
    const double lower = rho / ratio, upper = 1.1 * rho;
    const double at_zero = (upper + lower) / (upper - lower);
    const double bound = 1 / std::cosh(degree * std::acosh(at_zero));
    // The 2 by 2 blocks [1 c; c 1] have the eigenvalues 1 - c and 1 + c.
    std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows;
    for (int i = 0; i < n; ++i) {
      const Scalar c = static_cast<Scalar>((1 - lower) * (i / 2) / (n / 2 - 1));
      const int other = i % 2 == 0 ? i + 1 : i - 1;
      rows.push_back({{i, Scalar(1)}, {other, c}});
    }
    Bench<Scalar, Space, Offset> bench(from_rows<Scalar>(n, rows),
                                       {.type = SmootherType::chebyshev,
                                        .chebyshev = {.degree = degree, .eigenvalue_ratio = ratio}},
                                       rho);
    for (const Scalar sign : {Scalar(1), Scalar(-1)}) {
      std::vector<Scalar> error(n);
      for (int i = 0; i < n; ++i)
        error[i] = i % 2 == 0 ? Scalar(1) : sign;
      const auto after = bench.from(error, std::vector<Scalar>(n, Scalar(0)));
      for (int i = 0; i < n; ++i)
        ASSERT_LE(std::abs(after[i]), bound + rounding<Scalar>) << "degree " << degree;
    }
  }
}

TESSERA_TYPED_TEST(SmootherTest, SmoothsThePoissonProblem) {
  const auto A = poisson<Scalar>(16, 16);
  // The highest frequency dies quickly, whatever the smoother; of Gauss-Seidel's in the order of
  // colours a part becomes smooth.
  std::vector<Scalar> error(256);
  for (int i = 0; i < 256; ++i)
    error[i] = Scalar((i % 16 + i / 16) % 2 == 0 ? 1 : -1);
  for (const SmootherType type : all_smoothers) {
    Bench<Scalar, Space, Offset> bench(A, {.type = type, .sweeps = 3}, 2.0);
    const auto after = bench.from(error, std::vector<Scalar>(256, Scalar(0)));
    const double squares = std::inner_product(after.begin(), after.end(), after.begin(), 0.0);
    const double bound = type == SmootherType::gauss_seidel ? 0.45 : 0.4;
    EXPECT_LT(std::sqrt(squares), bound * 16);  // every entry of the error is 1 or -1
  }
}

TESSERA_TYPED_TEST(SmootherTest, EmptyAndOneRowMatrices) {
  for (const SmootherType type : all_smoothers) {
    Bench<Scalar, Space, Offset> empty(HostMatrix<Scalar>{}, {.type = type, .sweeps = 2}, 1);
    EXPECT_TRUE(empty.from_zero({}).empty());
    EXPECT_TRUE(empty.from({}, {}).empty());
    Bench<Scalar, Space, Offset> one(identity<Scalar>(1), {.type = type, .jacobi = {.omega = 1}},
                                     1);
    EXPECT_GT(one.from_zero({Scalar(2)})[0], Scalar(0.5));
  }
}

TESSERA_TYPED_TEST(SmootherTest, BadArgumentsAreErrors) {
  using TestBench = Bench<Scalar, Space, Offset>;
  const auto A = identity<Scalar>(3);
  EXPECT_THROW(TestBench(A, {.type = SmootherType::jacobi}, 0), Error);
  EXPECT_THROW(
      TestBench(A, {.type = SmootherType::jacobi}, std::numeric_limits<double>::quiet_NaN()),
      Error);
  EXPECT_THROW(TestBench(A, {.type = SmootherType::jacobi, .sweeps = 0}, 1), Error);
  EXPECT_THROW(TestBench(A, {.type = SmootherType::automatic}, 1), Error);
  const auto polynomial = [](const ChebyshevParameters& of) {
    return SmootherParameters{.type = SmootherType::chebyshev, .chebyshev = of};
  };
  EXPECT_THROW(TestBench(A, polynomial({.degree = 0}), 1), Error);
  EXPECT_THROW(TestBench(A, polynomial({.eigenvalue_ratio = 0.5}), 1), Error);
  EXPECT_THROW(TestBench(random_matrix<Scalar>({.num_rows = 3, .num_cols = 4}),
                         {.type = SmootherType::spai0}, 1),
               Error);
}

/// Why a smoother of A without A's entries, or without a radius, is refused; empty where it is not.
template <class Scalar, class Space, class Offset>
std::string refusal(const HostMatrix<Scalar>& matrix, const SmootherParameters& p, bool has_entries,
                    double rho) {
  const Space exec;
  const auto A =
      std::make_shared<StoredCsr<Scalar, Space, Offset>>(exec, make_csr<Offset>(exec, matrix));
  const kernels::Csr<Scalar, Space, Offset> none;
  const auto error = error_of([&] {
    make_smoother<Scalar, Space, Offset>(
        exec, p, A, has_entries ? A->view() : none.view(),
        Array<const Scalar, Space>(kernels::inverse_diagonal(exec, A->view())), rho);
  });
  return error ? error->what() : "";
}

TESSERA_TYPED_TEST(SmootherTest, NeedsAreWhatItCannotBeMadeWithout) {
  const auto A = random_spd_matrix<Scalar>(20, 0.2);
  for (const SmootherType type : all_smoothers) {
    for (const bool over_radius : {true, false}) {
      SmootherParameters p{.type = type};
      p.jacobi.omega_over_radius = over_radius;
      const SmootherNeeds needs = smoother_needs(p);
      const std::string name(smoother_name(type));
      const auto without_entries = refusal<Scalar, Space, Offset>(A, p, false, 1.5);
      EXPECT_EQ(without_entries.empty(), !needs.entries) << name;
      if (needs.entries) {
        EXPECT_NE(without_entries.find(name), std::string::npos) << without_entries;
      }
      const auto without_radius = refusal<Scalar, Space, Offset>(A, p, true, 0);
      EXPECT_EQ(without_radius.empty(), !needs.spectral_radius) << name;
    }
  }
}

TEST(SmootherNeeds, NameWhatReadsAnIterateByEntries) {
  using enum SmootherType;
  const std::vector<SmootherType> by_products = {automatic, jacobi, l1_jacobi, chebyshev, spai0};
  for (const auto& known : all_smoother_names()) {
    if (is_registered(known.value)) continue;
    const bool is_by_products = std::ranges::find(by_products, known.value) != by_products.end();
    EXPECT_EQ(smoother_needs({.type = known.value}).square_matrix, !is_by_products) << known.name;
  }
}

}  // namespace tessera::test::smoother_test
