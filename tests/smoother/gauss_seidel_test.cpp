// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Gauss-Seidel against its sequential form, and what makes cycles with it symmetric.
#include "smoother_fixture.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/graph/colouring.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/smoother/gauss_seidel.hpp"
#include "tessera/smoother/two_stage_gauss_seidel.hpp"

#include <numeric>

namespace tessera::test::gauss_seidel_test {

TESSERA_TEST_SUITE(GaussSeidelTest, Matrices, TypeNames);

SmootherParameters multicolour(const GaussSeidelParameters& p, int sweeps = 1) {
  return {.type = SmootherType::gauss_seidel, .sweeps = sweeps, .gauss_seidel = p};
}
SmootherParameters two_stage(const GaussSeidelParameters& p, int sweeps = 1) {
  return {.type = SmootherType::two_stage_gauss_seidel, .sweeps = sweeps, .gauss_seidel = p};
}

/// Rows in the order of the colours, or as they are numbered.
template <class Scalar, class Space, class Offset>
std::vector<Ordinal> order_of(const Space& exec, const HostMatrix<Scalar>& A,
                              GaussSeidelOrder order) {
  if (order == GaussSeidelOrder::natural) {
    std::vector<Ordinal> rows(A.num_rows);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
  const auto on_device = make_csr<Offset>(exec, A);
  const kernels::Graph<Space, Offset> pattern{A.num_rows, on_device.offsets, on_device.columns};
  return to_host(
      kernels::nodes_by_colour(exec, kernels::colour(exec, kernels::symmetrize(exec, pattern)))
          .nodes);
}

/// One row after the other in `order`, with the newest values.
template <class Scalar>
void sequential_sweep(const HostMatrix<Scalar>& A, const std::vector<Ordinal>& order, double omega,
                      const Scalar* b, std::vector<long double>& x) {
  for (const Ordinal i : order) {
    const long double diagonal = entry(A, i, i);
    if (diagonal == 0) continue;
    long double r = b[i];
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      r -= static_cast<long double>(A.values[e]) * x[A.columns[e]];
    x[i] += omega * r / diagonal;
  }
}

/// Rows that are coupled in one direction alone, out of order; one of zero diagonal, one empty.
template <class Scalar>
HostMatrix<Scalar> nonsymmetric_matrix(Ordinal n) {
  Random random(11);
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(n);
  for (Ordinal i = 0; i < n; ++i) {
    if (i == 20) continue;
    for (Ordinal j = n - 1; j >= 0; --j) {
      if (j == i) rows[i].emplace_back(j, Scalar(i == 9 ? 0 : i % 3 == 0 ? -4 : 5));
      if (j != i && random.uniform() < 0.06)
        rows[i].emplace_back(j, static_cast<Scalar>(random.uniform(-1, 1)));
    }
  }
  return from_rows<Scalar>(n, rows);
}

template <class Scalar, class Space, class Offset>
void expect_sequential(const Space& exec, const HostMatrix<Scalar>& A,
                       const GaussSeidelParameters& p, int sweeps) {
  const int n = A.num_rows, k = 3;
  const auto forward = order_of<Scalar, Space, Offset>(exec, A, p.order);
  const std::vector<Ordinal> backward(forward.rbegin(), forward.rend());
  const auto b = random_vector<Scalar>(n * k, 1);
  const auto guess = random_vector<Scalar>(n * k, 2);
  std::vector<long double> before, after;
  for (int c = 0; c < k; ++c) {
    std::vector<long double> x(&guess[c * n], &guess[c * n] + n), y = x;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      sequential_sweep(A, forward, p.omega, &b[c * n], x);
      if (p.symmetric) sequential_sweep(A, backward, p.omega, &b[c * n], x);
      if (p.symmetric) sequential_sweep(A, forward, p.omega, &b[c * n], y);
      sequential_sweep(A, backward, p.omega, &b[c * n], y);
    }
    before.insert(before.end(), x.begin(), x.end());
    after.insert(after.end(), y.begin(), y.end());
  }
  Bench<Scalar, Space, Offset> bench(A, multicolour(p, sweeps), 1);
  expect_close(bench.from(guess, b, k), before);
  expect_close(bench.from_after(guess, b, k), after);
}

TESSERA_TYPED_TEST(GaussSeidelTest, EqualsTheSequentialOneInItsOrder) {
  const int n = 90;
  for (const auto& A : {random_spd_matrix<Scalar>(n, 0.1), nonsymmetric_matrix<Scalar>(n)}) {
    for (const auto order : {GaussSeidelOrder::colours, GaussSeidelOrder::natural}) {
      for (const double omega : {1.0, 1.25}) {
        for (const bool symmetric : {false, true}) {
          for (const int sweeps : {1, 2})
            expect_sequential<Scalar, Space, Offset>(
                exec, A, {.order = order, .omega = omega, .symmetric = symmetric}, sweeps);
        }
      }
    }
  }
}

/// Red points before black ones: two levels, which threads share.
template <class Scalar>
HostMatrix<Scalar> red_black_poisson(int m) {
  const auto A = poisson<Scalar>(m, m);
  std::vector<Ordinal> number(m * m);
  Ordinal count = 0;
  for (const int colour : {0, 1})
    for (int i = 0; i < m * m; ++i)
      if ((i % m + i / m) % 2 == colour) number[i] = count++;
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(m * m);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    rows[number[i]].emplace_back(number[j], value);
  });
  return from_rows<Scalar>(m * m, rows);
}

template <class Scalar, class Space, class Offset>
int natural_sets(const Space& exec, const HostMatrix<Scalar>& A) {
  const auto device = make_csr<Offset>(exec, A);
  const GaussSeidelSmoother<Scalar, Space, Offset> smoother(
      exec, device.view(),
      Array<const Scalar, Space>(kernels::inverse_diagonal(exec, device.view())),
      {.order = GaussSeidelOrder::natural}, 1);
  return smoother.num_sets();
}

/// A chain of rows is one launch of a host, not one per row; large levels are launches of their
/// own.
TESSERA_TYPED_TEST(GaussSeidelTest, NaturalOrderIsOneLaunchOnAHostWhereLevelsAreSmall) {
  const bool on_host = kernels::is_host_space<Space>;
  EXPECT_EQ((natural_sets<Scalar, Space, Offset>(exec, poisson<Scalar>(200))), on_host ? 1 : 200);
  const auto A = red_black_poisson<Scalar>(50);
  EXPECT_EQ((natural_sets<Scalar, Space, Offset>(exec, A)), 2);
  for (const bool symmetric : {false, true})
    expect_sequential<Scalar, Space, Offset>(
        exec, A, {.order = GaussSeidelOrder::natural, .omega = 1.25, .symmetric = symmetric}, 1);
}

/// Of n rows at most n inner sweeps make the triangular solve exact.
TESSERA_TYPED_TEST(GaussSeidelTest, OfTwoStagesEqualsItWithManyInnerSweeps) {
  const int n = 40;
  std::vector<Ordinal> forward(n);
  std::iota(forward.begin(), forward.end(), 0);
  const std::vector<Ordinal> backward(forward.rbegin(), forward.rend());
  for (const auto& A : {random_spd_matrix<Scalar>(n, 0.1), nonsymmetric_matrix<Scalar>(n)}) {
    const auto b = random_vector<Scalar>(n, 1);
    const auto guess = random_vector<Scalar>(n, 2);
    Bench<Scalar, Space, Offset> bench(A, two_stage({.omega = 1.125, .inner_sweeps = n}), 1);
    std::vector<long double> x(guess.begin(), guess.end()), y = x;
    sequential_sweep(A, forward, 1.125, b.data(), x);
    sequential_sweep(A, backward, 1.125, b.data(), y);
    expect_close(bench.from(guess, b), x);
    expect_close(bench.from_after(guess, b), y);
  }
}

TESSERA_TYPED_TEST(GaussSeidelTest, OfTwoStagesFollowsItsFormula) {
  const int n = 60;
  const auto A = nonsymmetric_matrix<Scalar>(n);
  const auto b = random_vector<Scalar>(n, 1);
  const auto guess = random_vector<Scalar>(n, 2);
  for (const int inner : {1, 2, 3}) {
    Bench<Scalar, Space, Offset> bench(
        A, two_stage({.omega = 0.75, .symmetric = true, .inner_sweeps = inner}, 2), 1);
    std::vector<long double> x(guess.begin(), guess.end());
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (const bool lower : {true, false}) {
        std::vector<long double> r(b.begin(), b.end()), d(n), g(n);
        for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
          r[i] -= static_cast<long double>(value) * x[j];
        });
        for (int i = 0; i < n; ++i) {
          const long double diagonal = entry(A, i, i);
          d[i] = diagonal == 0 ? 0 : 0.75L / diagonal;
          g[i] = d[i] * r[i];
        }
        for (int step = 0; step < inner; ++step) {
          auto next = r;
          for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
            if (lower ? j < i : j > i) next[i] -= static_cast<long double>(value) * g[j];
          });
          for (int i = 0; i < n; ++i)
            g[i] = d[i] * next[i];
        }
        for (int i = 0; i < n; ++i)
          x[i] += g[i];
      }
    }
    expect_close(bench.from(guess, b), x);
  }
}

/// M^-1 of the sweeps before, and of those after: one is the other's transpose.
TESSERA_TYPED_TEST(GaussSeidelTest, SweepsAfterAreTheAdjointOfThoseBefore) {
  const int n = 50;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  for (const int sweeps : {1, 2}) {
    for (const GaussSeidelParameters& p :
         {GaussSeidelParameters{.omega = 1.3}, GaussSeidelParameters{.inner_sweeps = 2},
          GaussSeidelParameters{.order = GaussSeidelOrder::natural},
          GaussSeidelParameters{.symmetric = true}}) {
      for (const auto& smoother : {multicolour(p, sweeps), two_stage(p, sweeps)}) {
        Bench<Scalar, Space, Offset> bench(A, smoother, 1);
        EXPECT_EQ(bench.relaxes_one_way(), !p.symmetric);
        expect_adjoint(bench, n, 8);
      }
    }
  }
}

/// For every omega below 2, as theory has it.
TESSERA_TYPED_TEST(GaussSeidelTest, ReducesTheErrorInTheEnergyNorm) {
  const int n = 70;
  const auto A = random_spd_matrix<Scalar>(n, 0.2);
  const auto energy = [&](const std::vector<Scalar>& e) {
    const auto Ae = multiply(A, e);
    return static_cast<double>(std::inner_product(e.begin(), e.end(), Ae.begin(), 0.0L));
  };
  for (const double omega : {0.1, 1.0, 1.9}) {
    Bench<Scalar, Space, Offset> bench(A, multicolour({.omega = omega}), 1);
    auto error = random_vector<Scalar>(n, 5);
    for (int sweep = 0; sweep < 5; ++sweep) {
      const double before = energy(error);
      error = sweep % 2 == 0 ? bench.from(error, std::vector<Scalar>(n, Scalar(0)))
                             : bench.from_after(error, std::vector<Scalar>(n, Scalar(0)));
      ASSERT_LT(energy(error), before) << omega;
    }
  }
}

TESSERA_TYPED_TEST(GaussSeidelTest, SolvesATriangleInItsOrder) {
  const int n = 30;
  const auto A = by_rows<Scalar>(n, n, [&](auto& row, std::int32_t i) {
    if (i > 0) row.push(i - 1, Scalar(-1));
    row.push(i, Scalar(2));
  });
  const auto b = random_vector<Scalar>(n, 1);
  for (const auto& p :
       {two_stage({.inner_sweeps = n}), multicolour({.order = GaussSeidelOrder::natural})}) {
    Bench<Scalar, Space, Offset> bench(A, p, 1);
    const auto product = multiply(A, bench.from_zero(b));
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(static_cast<double>(product[i]), b[i], rounding<Scalar>);
  }
}

TESSERA_TYPED_TEST(GaussSeidelTest, KeepsNaNAndInfinityInSight) {
  auto A = random_spd_matrix<Scalar>(20, 0.3);
  A.values[5] = std::numeric_limits<Scalar>::quiet_NaN();
  for (const auto& p : {multicolour({}), two_stage({})}) {
    Bench<Scalar, Space, Offset> bench(A, p, 1);
    const auto x = bench.from(std::vector<Scalar>(20, Scalar(1)), std::vector<Scalar>(20));
    EXPECT_TRUE(std::any_of(x.begin(), x.end(), [](Scalar value) { return std::isnan(value); }));
  }
}

TESSERA_TYPED_TEST(GaussSeidelTest, RefusesParametersBeyondTheirRange) {
  using OneBench = Bench<Scalar, Space, Offset>;
  const auto A = identity<Scalar>(3);
  for (const auto& make : {multicolour, two_stage}) {
    EXPECT_THROW(OneBench(A, make({.omega = 0}, 1), 1), Error);
    EXPECT_THROW(OneBench(A, make({.omega = 2}, 1), 1), Error);
    EXPECT_THROW(OneBench(A, make({.omega = std::nan("")}, 1), 1), Error);
    EXPECT_THROW(OneBench(A, make({.inner_sweeps = 0}, 1), 1), Error);
    EXPECT_THROW(OneBench(A, make({}, 0), 1), Error);
    EXPECT_THROW(OneBench(random_matrix<Scalar>({.num_rows = 3, .num_cols = 4}), make({}, 1), 1),
                 Error);
  }
}

}  // namespace tessera::test::gauss_seidel_test
