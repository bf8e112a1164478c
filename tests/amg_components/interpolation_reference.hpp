// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolations of classical multigrid from their formulas, dense and in double.
#pragma once

#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/systems.hpp"

#include "tessera/amg/coarsening/coarsening_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tessera::test::interpolation_reference {

using amg::Interpolation;
using Dense = std::vector<std::vector<double>>;

template <class Scalar>
Dense dense(const HostMatrix<Scalar>& A) {
  Dense result(A.num_rows, std::vector<double>(A.num_cols, 0.0));
  for_each_entry(A, [&](Ordinal i, Ordinal j, auto value) { result[i][j] = value; });
  return result;
}

inline Dense product(const Dense& M, const Dense& N) {
  Dense W(M.size(), std::vector<double>(N.empty() ? 0 : N[0].size(), 0.0));
  for (std::size_t i = 0; i < M.size(); ++i) {
    for (std::size_t k = 0; k < N.size(); ++k) {
      for (std::size_t j = 0; j < N[k].size(); ++j)
        W[i][j] += M[i][k] * N[k][j];
    }
  }
  return W;
}

/// A splitting on the host, and what rows depend on.
struct HostSplitting {
  std::vector<std::set<Ordinal>> strong;
  std::vector<Ordinal> number;
};

inline double size_of(const std::vector<double>& row) {
  double size = 0;
  for (const double value : row)
    size += std::abs(value);
  return size;
}

inline bool cancels(double sum, double size) { return !(std::abs(sum) > 0.01 * size); }

/// Entry by entry, from the formulas of `InterpolationFactors`.
inline Dense expected_extended(const Dense& A, const HostSplitting& s, Ordinal num_coarse,
                               Interpolation how = Interpolation::extended_i) {
  const std::size_t n = A.size();
  Dense W(n, std::vector<double>(num_coarse, 0.0));
  const auto is_fine = [&](Ordinal k) { return s.number[k] < 0; };
  for (std::size_t i = 0; i < n; ++i) {
    if (s.number[i] >= 0) W[i][s.number[i]] = 1;
    if (s.number[i] >= 0 || s.strong[i].empty()) continue;
    double divisor = 0;
    for (std::size_t j = 0; j < n; ++j)
      divisor += s.strong[i].count(static_cast<Ordinal>(j)) != 0 ? 0 : A[i][j];
    double size = 0, terms = std::abs(divisor);
    for (const Ordinal k : s.strong[i]) {
      if (!is_fine(k)) {
        W[i][s.number[k]] += A[i][k];
        size += std::abs(A[i][k]);
        continue;
      }
      if (s.strong[k].empty()) continue;
      double through = 0, through_size = 0, fine = 0, num_fine = 0;
      for (const Ordinal c : s.strong[k]) {
        if (is_fine(c)) {
          fine += A[k][c];
          ++num_fine;
        } else {
          through += A[k][c];
          through_size += std::abs(A[k][c]);
        }
      }
      double back = s.strong[k].count(static_cast<Ordinal>(i)) != 0 ? A[k][i] : 0;
      if (how == Interpolation::extended_e) back = num_fine == 0 ? 0 : fine / num_fine;
      through += back;
      through_size += std::abs(back);
      const bool lumped = cancels(through, through_size);
      const double term = lumped ? A[i][k] : A[i][k] * back / through;
      divisor += term;
      terms += std::abs(term);
      for (const Ordinal c : s.strong[k]) {
        if (is_fine(c) || lumped) continue;
        const double part = A[i][k] * A[k][c] / through;
        W[i][s.number[c]] += part;
        size += std::abs(part);
      }
    }
    const bool is_large = cancels(divisor, cancels(divisor, terms) ? 10 * size : size);
    for (double& weight : W[i])
      weight = is_large ? 0 : -weight / divisor;
  }
  return W;
}

/// Entry by entry, from the formulas of `fill_modified_interpolation`, in long double.
inline Dense expected_modified(const Dense& A, const HostSplitting& s, Ordinal num_coarse) {
  using Real = long double;
  const std::size_t n = A.size();
  Dense W(n, std::vector<double>(num_coarse, 0.0));
  const auto is_relevant = [&](Ordinal k) { return s.number[k] >= 0 || !s.strong[k].empty(); };
  for (std::size_t i = 0; i < n; ++i) {
    if (s.number[i] >= 0) W[i][s.number[i]] = 1;
    if (s.number[i] >= 0 || s.strong[i].empty()) continue;
    std::vector<Real> to_coarse(n, 0);  // by points
    Real divisor = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (s.strong[i].count(static_cast<Ordinal>(j)) == 0) {
        divisor += is_relevant(static_cast<Ordinal>(j)) ? A[i][j] : 0;
      } else if (s.number[j] >= 0) {
        to_coarse[j] += A[i][j];
      }
    }
    for (const Ordinal k : s.strong[i]) {
      if (s.number[k] >= 0 || !is_relevant(k)) continue;
      const auto share = [&](Ordinal c) {
        const bool counts = s.number[c] >= 0 && A[k][c] * (A[k][k] < 0 ? -1 : 1) < 0;
        return counts ? Real(A[k][c]) : Real(0);
      };
      Real through = 0;
      for (const Ordinal c : s.strong[i])
        through += share(c);
      if (through == 0) divisor += A[i][k];
      for (const Ordinal c : s.strong[i])
        to_coarse[c] += through == 0 ? 0 : A[i][k] * share(c) / through;
    }
    Real size = 0;
    for (const Real weight : to_coarse)
      size += std::abs(weight);
    for (const Ordinal c : s.strong[i]) {
      if (s.number[c] >= 0 && std::abs(divisor) > 0.01L * size)
        W[i][s.number[c]] = static_cast<double>(-to_coarse[c] / divisor);
    }
  }
  return W;
}

/// Of matrices whose strong couplings have one sign.
inline Dense expected_direct(const Dense& A, const HostSplitting& s, Ordinal num_coarse) {
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
    if (size_of(W[i]) >= 100) W[i].assign(W[i].size(), 0.0);
  }
  return W;
}

/// Rows that sum to zero.
template <class Scalar>
HostMatrix<Scalar> without_a_ground() {
  Network network(400);
  Random random(3);
  for (Ordinal i = 1; i < network.size(); ++i) {
    const Ordinal first = random.below(i);
    const Ordinal second = random.below(i);
    network.tie(i, first, random.uniform(0.5, 1));
    if (second != first) network.tie(i, second, random.uniform(0.5, 1));
  }
  return converted<Scalar>(network.matrix());
}

inline void expect_near(const Dense& actual, const Dense& expected, double tolerance) {
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

}  // namespace tessera::test::interpolation_reference
