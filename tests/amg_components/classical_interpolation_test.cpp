// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The factors of classical interpolation beside its formulas, dense and in double.
#include "amg_components/interpolation_reference.hpp"
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_product.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <cmath>
#include <limits>

namespace tessera::test::classical_interpolation_test {

using namespace interpolation_reference;

TESSERA_TEST_SUITE(ClassicalInterpolation, Matrices, TypeNames);

/// A system's factors on a device, and what they were made from on the host.
template <class Scalar, class Space, class Offset>
struct Made {
  kernels::Csr<Scalar, Space, Offset> A;
  amg::InterpolationFactors<Scalar, Space, Offset> factors;
  HostSplitting splitting;
  Ordinal num_coarse = 0;
  kernels::Graph<Space, Offset> strong;

  Made(const Space& exec, const HostMatrix<Scalar>& host, bool by_sign, Interpolation how)
      : A(make_csr<Offset>(exec, host)) {
    const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 0.9, by_sign});
    const auto is_coarse = to_host(kernels::pmis(exec, found.strong, found.stays));
    const auto offsets = to_host(found.strong.offsets);
    const auto columns = to_host(found.strong.columns);
    for (std::size_t i = 0; i < is_coarse.size(); ++i) {
      splitting.number.push_back(is_coarse[i] != 0 ? num_coarse++ : -1);
      splitting.strong.emplace_back(columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
    }
    strong = found.strong;
    factors = amg::interpolation_pattern<Scalar, Space, Offset>(
        exec, strong, to_device(exec, splitting.number), num_coarse, how);
    amg::fill_interpolation(exec, A.view(), how, factors);
  }

  Dense weights() const { return product(dense(to_host(factors.M)), dense(to_host(factors.N))); }
};

TESSERA_TYPED_TEST(ClassicalInterpolation, IsThatOfTheFormulas) {
  const double tolerance = sizeof(Scalar) == 8 ? 1e-11 : 2e-3;
  for (const auto& A :
       {odd_matrix<Scalar>(1), odd_matrix<Scalar>(2), poisson<Scalar>(9, 7),
        poisson<Scalar>(5, 4, 6), without_entries<Scalar>(3), without_entries<Scalar>(0)}) {
    for (const bool by_sign : {true, false}) {
      for (const auto how : {Interpolation::extended_i, Interpolation::extended_e}) {
        const Made<Scalar, Space, Offset> made(exec, A, by_sign, how);
        expect_near(made.weights(),
                    expected_extended(dense(A), made.splitting, made.num_coarse, how), tolerance);
      }
      const Made<Scalar, Space, Offset> made(exec, A, by_sign, Interpolation::classical_modified);
      expect_near(made.weights(), expected_modified(dense(A), made.splitting, made.num_coarse),
                  tolerance);
    }
    const Made<Scalar, Space, Offset> made(exec, A, true, Interpolation::direct);
    expect_near(made.weights(), expected_direct(dense(A), made.splitting, made.num_coarse),
                tolerance);
  }
}

/// Rows of more entries than lanes, of fewer and of none, with some entries of either sign.
TESSERA_TYPED_TEST(ClassicalInterpolation, IsTheSameByAnyNumberOfLanes) {
  for (const auto& A : {odd_matrix<Scalar>(1), poisson<Scalar>(5, 4, 6),
                        random_matrix<Scalar>({.num_rows = 90, .num_cols = 90, .density = 0.3}),
                        without_entries<Scalar>(3)}) {
    for (const auto how : {Interpolation::extended_i, Interpolation::extended_e}) {
      Made<Scalar, Space, Offset> made(exec, A, false, how);
      amg::fill_interpolation(exec, made.A.view(), how, made.factors, 0);
      const auto M = to_host(made.factors.M.values);
      const auto N = to_host(made.factors.N.values);
      for (const int lanes : {1, 2, 4, 8, 16, 32}) {
        amg::fill_interpolation(exec, made.A.view(), how, made.factors, lanes);
        EXPECT_EQ(to_host(made.factors.M.values), M) << lanes;
        EXPECT_EQ(to_host(made.factors.N.values), N) << lanes;
        const auto listed = amg::interpolation_pattern<Scalar, Space, Offset>(
            exec, made.strong, made.factors.coarse_number, made.num_coarse, how, lanes);
        EXPECT_TRUE(same_bits(listed.M.offsets, made.factors.M.offsets));
        EXPECT_TRUE(same_bits(listed.M.columns, made.factors.M.columns));
        EXPECT_TRUE(same_bits(listed.N.offsets, made.factors.N.offsets));
        EXPECT_TRUE(same_bits(listed.N.columns, made.factors.N.columns));
      }
    }
  }
}

/// All rows sum to zero, and weights to one.
TESSERA_TYPED_TEST(ClassicalInterpolation, InterpolatesConstants) {
  const auto A = without_a_ground<Scalar>();
  const double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 1e-3;
  for (const auto how :
       {Interpolation::extended_i, Interpolation::extended_e, Interpolation::classical_modified}) {
    const Made<Scalar, Space, Offset> made(exec, A, true, how);
    EXPECT_GT(made.num_coarse, 40);
    const Dense W = made.weights();
    std::size_t rows = 0;
    for (std::size_t i = 0; i < W.size(); ++i) {
      double sum = 0;
      for (const double weight : W[i])
        sum += weight;
      if (made.splitting.strong[i].empty() || sum == 0) continue;
      EXPECT_NEAR(sum, 1, tolerance) << i;
      ++rows;
    }
    EXPECT_GT(rows, 350U);
  }
}

/// Points 0 to 3 on a line, of which 0 and 3 are coarse: linear interpolation.
TESSERA_TYPED_TEST(ClassicalInterpolation, IsLinearOnALine) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(4));
  const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 1.0});
  auto factors = amg::interpolation_pattern<Scalar, Space, Offset>(
      exec, found.strong, to_device(exec, std::vector<Ordinal>{0, -1, -1, 1}), 2,
      Interpolation::extended_i);
  amg::fill_interpolation(exec, A.view(), Interpolation::extended_i, factors);
  const Dense W = product(dense(to_host(factors.M)), dense(to_host(factors.N)));
  expect_near(W, {{1, 0}, {2. / 3, 1. / 3}, {1. / 3, 2. / 3}, {0, 1}}, 1e-6);
}

/// A point with many neighbours of which one alone has a coarse point: what the others hand back
/// leaves little of the diagonal, and that is what the weight of 1 is to be divided by.
TESSERA_TYPED_TEST(ClassicalInterpolation, GoesByOneOfManyNeighbours) {
  constexpr Ordinal neighbours = 60;
  Network network(neighbours + 2);
  for (Ordinal k = 1; k <= neighbours; ++k)
    network.tie(0, k, 1);
  network.tie(neighbours, neighbours + 1, 1);
  const auto A = make_csr<Offset>(exec, converted<Scalar>(network.matrix()));
  const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 1.0});
  std::vector<Ordinal> number(network.size(), -1);
  number.back() = 0;
  auto factors = amg::interpolation_pattern<Scalar, Space, Offset>(
      exec, found.strong, to_device(exec, number), 1, Interpolation::extended_i);
  amg::fill_interpolation(exec, A.view(), Interpolation::extended_i, factors);
  const Dense W = product(dense(to_host(factors.M)), dense(to_host(factors.N)));
  EXPECT_NEAR(W[0][0], 1, sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
}

constexpr Interpolation all_ways[] = {Interpolation::extended_i, Interpolation::extended_e,
                                      Interpolation::direct, Interpolation::classical_modified};

/// A coarse point and neighbours that hand their couplings back whole: what is left of the diagonal
/// is a divisor for a weight of 2, and not for one of 50.
TESSERA_TYPED_TEST(ClassicalInterpolation, LeavesOutLargeWeightsOfWhatCancels) {
  constexpr std::int32_t size = 62;
  for (const double left : {0.5, 0.02}) {
    const auto host = by_rows<Scalar>(size, size, [&](auto& B, std::int32_t i) {
      if (i > 0) B.push(0, -1);
      B.push(i, static_cast<Scalar>(i == 0 ? size - 2 + left : 1));
      for (std::int32_t j = 1; i == 0 && j < size; ++j)
        B.push(j, -1);
    });
    const auto A = make_csr<Offset>(exec, host);
    const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 1.0});
    std::vector<Ordinal> number(size, -1);
    number.back() = 0;
    auto factors = amg::interpolation_pattern<Scalar, Space, Offset>(
        exec, found.strong, to_device(exec, number), 1, Interpolation::extended_i);
    amg::fill_interpolation(exec, A.view(), Interpolation::extended_i, factors);
    const Dense W = product(dense(to_host(factors.M)), dense(to_host(factors.N)));
    EXPECT_NEAR(W[0][0], left == 0.5 ? 2 : 0, sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
  }
}

/// With diagonals of 1 to 1e-16 of what they are.
template <class Scalar>
HostMatrix<Scalar> with_weak_diagonals(HostMatrix<Scalar> A) {
  Random random(5);
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    const double factor = std::pow(10.0, -random.uniform(0, 16));
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      if (A.columns[e] == i) A.values[e] = static_cast<Scalar>(factor * A.values[e]);
  }
  return A;
}

/// Rows come to 100 in magnitude at the most, whatever is left of their divisors, or are zero. New
/// values can leave little: points of such rows depend on none in a first setup.
TESSERA_TYPED_TEST(ClassicalInterpolation, BoundsWeights) {
  for (const auto how : all_ways) {
    int zero = 0, others = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      for (const bool by_sign : {true, false}) {
        const auto A = odd_matrix<Scalar>(seed);
        Made<Scalar, Space, Offset> made(exec, A, by_sign, how);
        const auto weak = make_csr<Offset>(exec, with_weak_diagonals(A));
        amg::fill_interpolation(exec, weak.view(), how, made.factors);
        const Dense W = made.weights();
        const Dense N = dense(to_host(made.factors.N));
        for (std::size_t i = 0; i < W.size(); ++i) {
          if (made.splitting.number[i] >= 0 || size_of(N[i]) == 0) continue;
          const double size = size_of(W[i]);
          EXPECT_LE(size, 100.001) << i;
          ++(size == 0 ? zero : others);
        }
      }
    }
    EXPECT_GT(zero, 5);
    EXPECT_GT(others, 50);
  }
}

/// Where there is nothing to divide, a divisor whose inverse overflows does no harm.
TESSERA_TYPED_TEST(ClassicalInterpolation, TakesValuesWithoutCouplings) {
  const auto A = poisson<Scalar>(9, 8);
  auto alone = A;
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      alone.values[e] = A.columns[e] == i ? std::numeric_limits<Scalar>::denorm_min() : Scalar(0);
  }
  const auto values = make_csr<Offset>(exec, alone);
  for (const auto how : all_ways) {
    Made<Scalar, Space, Offset> made(exec, A, true, how);
    amg::fill_interpolation(exec, values.view(), how, made.factors);
    const Dense W = made.weights();
    for (std::size_t i = 0; i < W.size(); ++i)
      EXPECT_EQ(size_of(W[i]), made.splitting.number[i] >= 0 ? 1 : 0) << i;
  }
}

TESSERA_TYPED_TEST(ClassicalInterpolation, TakesNewValues) {
  const auto A = poisson<Scalar>(9, 8);
  for (const auto how : all_ways) {
    Made<Scalar, Space, Offset> made(exec, A, true, how);
    const auto d = spread(A.num_rows, 0.05);
    const auto changed = scaled(A, d, d);
    const auto again = make_csr<Offset>(exec, changed);
    amg::fill_interpolation(exec, again.view(), how, made.factors);
    const auto expected = [&](const Dense& B) {
      switch (how) {
        case Interpolation::direct:
          return expected_direct(B, made.splitting, made.num_coarse);
        case Interpolation::classical_modified:
          return expected_modified(B, made.splitting, made.num_coarse);
        default:
          return expected_extended(B, made.splitting, made.num_coarse, how);
      }
    };
    expect_near(made.weights(), expected(dense(changed)), sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
  }
}

}  // namespace tessera::test::classical_interpolation_test
