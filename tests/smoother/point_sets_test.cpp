// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of fine and coarse points apart, against its formula.
#include "smoother_fixture.hpp"

#include "support/error_of.hpp"

#include "tessera/kernels/graph/colouring.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <numeric>

namespace tessera::test::point_sets_test {

TESSERA_TEST_SUITE(PointSetsTest, Matrices, TypeNames);

constexpr RelaxationPoints all_points[] = {RelaxationPoints::f, RelaxationPoints::fc,
                                           RelaxationPoints::cf};

SmootherParameters of(SmootherType type, RelaxationPoints points, int sweeps = 1) {
  return {.type = type, .sweeps = sweeps, .points = points, .jacobi = {.omega = 0.9}};
}

/// Some points are coarse, numbered in their order.
std::vector<Ordinal> some_coarse(int n, double share = 0.3) {
  Random random(7);
  std::vector<Ordinal> number(n, -1);
  Ordinal count = 0;
  for (auto& c : number)
    if (random.uniform() < share) c = count++;
  return number;
}

/// The sets in the order in which a sweep relaxes them, as whether they are coarse.
std::vector<bool> sets_of(RelaxationPoints points, bool after) {
  if (points == RelaxationPoints::f) return {false};
  return (points == RelaxationPoints::cf) != after ? std::vector<bool>{true, false}
                                                   : std::vector<bool>{false, true};
}

/// Rows coupled in one direction alone, out of order; one of zero diagonal, one empty, one
/// negative.
template <class Scalar>
HostMatrix<Scalar> nonsymmetric_matrix(Ordinal n) {
  Random random(13);
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(n);
  for (Ordinal i = 0; i < n; ++i) {
    if (i == 20) continue;
    for (Ordinal j = n - 1; j >= 0; --j) {
      if (j == i) rows[i].emplace_back(j, Scalar(i == 9 ? 0 : i == 4 ? -4 : 5));
      if (j != i && random.uniform() < 0.06)
        rows[i].emplace_back(j, static_cast<Scalar>(random.uniform(-1, 1)));
    }
  }
  return from_rows<Scalar>(n, rows);
}

/// d_i by its definition: of l1-Jacobi by the magnitudes within the set.
template <class Scalar>
std::vector<long double> weights_of(const HostMatrix<Scalar>& A, SmootherType type, double rho,
                                    const std::vector<Ordinal>& number) {
  std::vector<long double> d(A.num_rows, 0);
  for (int i = 0; i < A.num_rows; ++i) {
    const long double diagonal = entry(A, i, i);
    if (diagonal == 0) continue;
    long double sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      if ((number[A.columns[e]] >= 0) == (number[i] >= 0)) sum += std::abs(A.values[e]);
    d[i] =
        type == SmootherType::jacobi ? 0.9L / (rho * diagonal) : std::copysign(1 / sum, diagonal);
  }
  return d;
}

template <class Scalar>
void expect_formula(auto& bench, const HostMatrix<Scalar>& A, const std::vector<long double>& d,
                    const std::vector<Ordinal>& number, RelaxationPoints points, int sweeps) {
  const int n = A.num_rows, k = 5;
  const auto b = random_vector<Scalar>(n * k, 1);
  for (const bool from_zero : {false, true}) {
    const auto guess =
        from_zero ? std::vector<Scalar>(n * k, Scalar(0)) : random_vector<Scalar>(n * k, 2);
    for (const bool after : {false, true}) {
      if (from_zero && after) continue;
      std::vector<long double> expected;
      for (int c = 0; c < k; ++c) {
        std::vector<long double> x(&guess[c * n], &guess[c * n] + n);
        const std::vector<Scalar> b_c(&b[c * n], &b[c * n] + n);
        for (int sweep = 0; sweep < sweeps; ++sweep) {
          for (const bool coarse : sets_of(points, after)) {
            auto d_of_set = d;
            for (int i = 0; i < n; ++i)
              if ((number[i] >= 0) != coarse) d_of_set[i] = 0;
            reference_sweep(A, d_of_set, b_c, x);
          }
        }
        expected.insert(expected.end(), x.begin(), x.end());
      }
      const auto relaxed = from_zero ? bench.from_zero(b, k)
                           : after   ? bench.from_after(guess, b, k)
                                     : bench.from(guess, b, k);
      expect_close(relaxed, expected);
    }
  }
}

TESSERA_TYPED_TEST(PointSetsTest, JacobiFollowsItsFormula) {
  const int n = 80;
  const double rho = 1.5;
  const auto number = some_coarse(n);
  for (const auto& A : {random_spd_matrix<Scalar>(n, 0.1), nonsymmetric_matrix<Scalar>(n)}) {
    for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi}) {
      for (const auto points : all_points) {
        for (const int sweeps : {1, 2}) {
          Bench<Scalar, Space, Offset> bench(A, of(type, points, sweeps), rho, number);
          expect_formula(bench, A, weights_of(A, type, rho, number), number, points, sweeps);
        }
      }
    }
  }
}

/// Row after row of a set, in the order of the colours of the whole graph.
TESSERA_TYPED_TEST(PointSetsTest, GaussSeidelIsSequentialInEachSet) {
  const int n = 80;
  const auto number = some_coarse(n);
  const auto b = random_vector<Scalar>(n, 1);
  const auto guess = random_vector<Scalar>(n, 2);
  for (const auto& A : {random_spd_matrix<Scalar>(n, 0.1), nonsymmetric_matrix<Scalar>(n)}) {
    const auto device = make_csr<Offset>(exec, A);
    const kernels::Graph<Space, Offset> pattern{n, device.offsets, device.columns};
    const auto order = to_host(
        kernels::nodes_by_colour(exec, kernels::colour(exec, kernels::symmetrize(exec, pattern)))
            .nodes);
    for (const auto points : all_points) {
      Bench<Scalar, Space, Offset> bench(A, of(SmootherType::gauss_seidel, points), 1, number);
      std::vector<Ordinal> rows;
      for (const bool coarse : sets_of(points, false)) {
        for (const Ordinal i : order)
          if ((number[i] >= 0) == coarse) rows.push_back(i);
      }
      const auto relaxed = [&](const std::vector<Scalar>& from, const std::vector<Ordinal>& in) {
        std::vector<long double> x(from.begin(), from.end());
        for (const Ordinal i : in) {
          const long double diagonal = entry(A, i, i);
          if (diagonal == 0) continue;
          long double r = b[i];
          for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
            r -= static_cast<long double>(A.values[e]) * x[A.columns[e]];
          x[i] += r / diagonal;
        }
        return x;
      };
      expect_close(bench.from(guess, b), relaxed(guess, rows));
      expect_close(bench.from_zero(b), relaxed(std::vector<Scalar>(n, Scalar(0)), rows));
      expect_close(bench.from_after(guess, b), relaxed(guess, {rows.rbegin(), rows.rend()}));
    }
  }
}

/// So that conjugate gradients have a symmetric cycle.
TESSERA_TYPED_TEST(PointSetsTest, SweepsAfterAreTheAdjointOfThoseBefore) {
  const int n = 50;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  const auto number = some_coarse(n);
  for (const auto type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    for (const auto points : all_points) {
      for (const int sweeps : {1, 2}) {
        Bench<Scalar, Space, Offset> bench(A, of(type, points, sweeps), 2, number);
        expect_adjoint(bench, n, 6);
      }
    }
  }
}

/// Magnitudes within a set bound what of A couples it.
TESSERA_TYPED_TEST(PointSetsTest, L1JacobiReducesTheErrorInTheEnergyNorm) {
  const int n = 70;
  const auto A = random_spd_matrix<Scalar>(n, 0.2);
  const auto energy = [&](const std::vector<Scalar>& e) {
    const auto Ae = multiply(A, e);
    return static_cast<double>(std::inner_product(e.begin(), e.end(), Ae.begin(), 0.0L));
  };
  for (const auto points : all_points) {
    Bench<Scalar, Space, Offset> bench(A, of(SmootherType::l1_jacobi, points), 1, some_coarse(n));
    auto error = random_vector<Scalar>(n, 5);
    for (int sweep = 0; sweep < 5; ++sweep) {
      const double before = energy(error);
      error = bench.from(error, std::vector<Scalar>(n, Scalar(0)));
      ASSERT_LT(energy(error), before);
    }
  }
}

TESSERA_TYPED_TEST(PointSetsTest, EmptyOneAndPointsOfOneKind) {
  for (const auto type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    for (const auto points : all_points) {
      const auto p = of(type, points, 2);
      Bench<Scalar, Space, Offset> empty(HostMatrix<Scalar>{}, p, 1, {});
      EXPECT_TRUE(empty.from_zero({}).empty());
      EXPECT_TRUE(empty.from({}, {}).empty());
      Bench<Scalar, Space, Offset> fine(identity<Scalar>(1), p, 1, {-1});
      EXPECT_GT(fine.from_zero({Scalar(2)})[0], Scalar(0.5));
      Bench<Scalar, Space, Offset> coarse(identity<Scalar>(1), p, 1, {0});
      const bool stays = points == RelaxationPoints::f;
      EXPECT_EQ(coarse.from_zero({Scalar(2)})[0] == Scalar(0), stays);
      EXPECT_EQ(coarse.from({Scalar(8)}, {Scalar(2)})[0] == Scalar(8), stays);
    }
  }
}

TESSERA_TYPED_TEST(PointSetsTest, RefusesWhatItCannotBe) {
  using OneBench = Bench<Scalar, Space, Offset>;
  const auto A = identity<Scalar>(3);
  const std::vector<Ordinal> number{-1, 0, 1};
  for (const auto type : all_smoothers) {
    if (type == SmootherType::jacobi || type == SmootherType::l1_jacobi ||
        type == SmootherType::gauss_seidel)
      continue;
    expect_error(error_of([&] { OneBench(A, of(type, RelaxationPoints::cf), 1, number); }),
                 ErrorKind::configuration,
                 {"points = cf is not for amg.smoother.type", "use jacobi, l1_jacobi"});
  }
  auto natural = of(SmootherType::gauss_seidel, RelaxationPoints::f);
  natural.gauss_seidel.order = GaussSeidelOrder::natural;
  expect_error(error_of([&] { OneBench(A, natural, 1, number); }), ErrorKind::configuration,
               {"points = f is not for amg.smoother.gauss_seidel.order = natural"});
  EXPECT_THROW(OneBench(A, of(SmootherType::jacobi, RelaxationPoints::f), 1, {0, 1}), Error);
  EXPECT_THROW(OneBench(A, of(SmootherType::jacobi, RelaxationPoints::all), 1, number), Error);
  EXPECT_THROW(OneBench(A, of(SmootherType::l1_jacobi, RelaxationPoints::f, 0), 1, number), Error);
}

}  // namespace tessera::test::point_sets_test
