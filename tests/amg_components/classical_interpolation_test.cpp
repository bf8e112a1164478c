// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The factors of classical interpolation beside its formulas, dense and in double.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <cmath>
#include <set>

namespace tessera::test::classical_interpolation_test {

using amg::Interpolation;
using Dense = std::vector<std::vector<double>>;

TESSERA_TEST_SUITE(ClassicalInterpolation, Matrices, TypeNames);

template <class Scalar>
Dense dense(const HostMatrix<Scalar>& A) {
  Dense result(A.num_rows, std::vector<double>(A.num_cols, 0.0));
  for_each_entry(A, [&](Ordinal i, Ordinal j, auto value) { result[i][j] = value; });
  return result;
}

Dense product(const Dense& M, const Dense& N) {
  Dense W(M.size(), std::vector<double>(N.empty() ? 0 : N[0].size(), 0.0));
  for (std::size_t i = 0; i < M.size(); ++i) {
    for (std::size_t k = 0; k < N.size(); ++k) {
      for (std::size_t j = 0; j < N[k].size(); ++j)
        W[i][j] += M[i][k] * N[k][j];
    }
  }
  return W;
}

/// A splitting on the host.
struct Splitting {
  std::vector<std::set<Ordinal>> strong;
  std::vector<Ordinal> number;
};

bool cancels(double sum, double size) { return !(std::abs(sum) > 0.01 * size); }

/// Entry by entry, from the formulas of `InterpolationFactors`.
Dense expected_extended(const Dense& A, const Splitting& s, Ordinal num_coarse) {
  const std::size_t n = A.size();
  Dense W(n, std::vector<double>(num_coarse, 0.0));
  const auto is_fine = [&](Ordinal k) { return s.number[k] < 0; };
  for (std::size_t i = 0; i < n; ++i) {
    if (s.number[i] >= 0) W[i][s.number[i]] = 1;
    if (s.number[i] >= 0 || s.strong[i].empty()) continue;
    double divisor = 0;
    for (std::size_t j = 0; j < n; ++j)
      divisor += s.strong[i].count(static_cast<Ordinal>(j)) != 0 ? 0 : A[i][j];
    double size = std::abs(divisor);
    for (const Ordinal k : s.strong[i]) {
      if (!is_fine(k)) {
        W[i][s.number[k]] += A[i][k];
        continue;
      }
      if (s.strong[k].empty()) continue;
      double through = 0, through_size = 0;
      for (const Ordinal c : s.strong[k]) {
        if (is_fine(c) && c != static_cast<Ordinal>(i)) continue;
        through += A[k][c];
        through_size += std::abs(A[k][c]);
      }
      const bool lumped = cancels(through, through_size);
      const double back = s.strong[k].count(static_cast<Ordinal>(i)) != 0 ? A[k][i] : 0;
      const double term = lumped ? A[i][k] : A[i][k] * back / through;
      divisor += term;
      size += std::abs(term);
      for (const Ordinal c : s.strong[k]) {
        if (!is_fine(c) && !lumped) W[i][s.number[c]] += A[i][k] * A[k][c] / through;
      }
    }
    for (double& weight : W[i])
      weight = cancels(divisor, size) ? 0 : -weight / divisor;
  }
  return W;
}

/// Of matrices whose strong couplings have one sign.
Dense expected_direct(const Dense& A, const Splitting& s, Ordinal num_coarse) {
  const std::size_t n = A.size();
  Dense W(n, std::vector<double>(num_coarse, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    if (s.number[i] >= 0) W[i][s.number[i]] = 1;
    if (s.number[i] >= 0) continue;
    const double sign = A[i][i] < 0 ? -1 : 1;
    double all = 0, taken = 0, diagonal = A[i][i];
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) (A[i][j] * sign < 0 ? all : diagonal) += A[i][j];
    }
    for (const Ordinal c : s.strong[i])
      taken += s.number[c] >= 0 ? A[i][c] : 0;
    for (const Ordinal c : s.strong[i]) {
      if (s.number[c] >= 0) W[i][s.number[c]] = -all / taken * A[i][c] / diagonal;
    }
  }
  return W;
}

/// A system's factors on a device, and what they were made from on the host.
template <class Scalar, class Space, class Offset>
struct Made {
  kernels::Csr<Scalar, Space, Offset> A;
  amg::InterpolationFactors<Scalar, Space, Offset> factors;
  Splitting splitting;
  Ordinal num_coarse = 0;

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
    factors = amg::interpolation_pattern<Scalar, Space, Offset>(
        exec, found.strong, to_device(exec, splitting.number), num_coarse, how);
    amg::fill_interpolation(exec, A.view(), how, factors);
  }

  Dense weights() const { return product(dense(to_host(factors.M)), dense(to_host(factors.N))); }
};

void expect_near(const Dense& actual, const Dense& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    for (std::size_t j = 0; j < actual[i].size(); ++j)
      EXPECT_NEAR(actual[i][j], expected[i][j], tolerance * std::max(1.0, std::abs(expected[i][j])))
          << i << ", " << j;
  }
}

/// Couplings of either sign and size, an isolated row, a row without a diagonal, a negative one.
template <class Scalar>
HostMatrix<Scalar> odd_matrix(std::uint64_t seed) {
  const auto A = random_spd_matrix<Scalar>(90, 0.08, seed);
  return by_rows<Scalar>(90, 90, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const std::int32_t j = A.columns[e];
      if (j != i && (i == 11 || j == 11)) continue;
      if (j == i && i == 23) continue;
      const double shrunk = j == i ? 0.6 * A.values[e] : A.values[e];
      B.push(j, static_cast<Scalar>(i == 37 ? -shrunk : shrunk));
    }
  });
}

TESSERA_TYPED_TEST(ClassicalInterpolation, IsThatOfTheFormulas) {
  const double tolerance = sizeof(Scalar) == 8 ? 1e-11 : 2e-3;
  for (const auto& A :
       {odd_matrix<Scalar>(1), odd_matrix<Scalar>(2), poisson<Scalar>(9, 7),
        poisson<Scalar>(5, 4, 6), without_entries<Scalar>(3), without_entries<Scalar>(0)}) {
    for (const bool by_sign : {true, false}) {
      const Made<Scalar, Space, Offset> made(exec, A, by_sign, Interpolation::extended_i);
      expect_near(made.weights(), expected_extended(dense(A), made.splitting, made.num_coarse),
                  tolerance);
    }
    const Made<Scalar, Space, Offset> made(exec, A, true, Interpolation::direct);
    expect_near(made.weights(), expected_direct(dense(A), made.splitting, made.num_coarse),
                tolerance);
  }
}

/// Without a ground all rows sum to zero, and weights to one.
TESSERA_TYPED_TEST(ClassicalInterpolation, InterpolatesConstants) {
  Network network(400);
  Random random(3);
  for (Ordinal i = 1; i < network.size(); ++i) {
    const Ordinal first = random.below(i);
    const Ordinal second = random.below(i);
    network.tie(i, first, random.uniform(0.5, 1));
    if (second != first) network.tie(i, second, random.uniform(0.5, 1));
  }
  const auto A = converted<Scalar>(network.matrix());
  const double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 1e-3;
  const Made<Scalar, Space, Offset> made(exec, A, true, Interpolation::extended_i);
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

TESSERA_TYPED_TEST(ClassicalInterpolation, TakesNewValues) {
  const auto A = poisson<Scalar>(9, 8);
  for (const auto how : {Interpolation::extended_i, Interpolation::direct}) {
    Made<Scalar, Space, Offset> made(exec, A, true, how);
    const auto d = spread(A.num_rows, 0.05);
    const auto changed = scaled(A, d, d);
    const auto again = make_csr<Offset>(exec, changed);
    amg::fill_interpolation(exec, again.view(), how, made.factors);
    const auto reference = how == Interpolation::direct ? expected_direct : expected_extended;
    expect_near(made.weights(), reference(dense(changed), made.splitting, made.num_coarse),
                sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
  }
}

}  // namespace tessera::test::classical_interpolation_test
