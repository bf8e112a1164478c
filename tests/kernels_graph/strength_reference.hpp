// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong couplings by their definition, on the host in long double.
#pragma once

#include "kernels_graph/graphs.hpp"
#include "support/reference.hpp"

#include "tessera/kernels/graph/strength.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tessera::test {

/// The rows of `m` by `m` blocks: `term` of the entries, summed, in long double.
template <class Scalar, class Term>
std::vector<std::map<Ordinal, long double>> block_rows(const HostMatrix<Scalar>& A, Ordinal m,
                                                       const Term& term) {
  std::vector<std::map<Ordinal, long double>> rows(A.num_rows / m);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    rows[i / m][j / m] += term(static_cast<long double>(value));
  });
  return rows;
}

/// The definition for one unknown per node.
template <class Scalar>
Neighbours strong_unknowns(const HostMatrix<Scalar>& A, double theta, StrengthMeasure measure) {
  const auto rows = block_rows(A, 1, [](long double value) { return value; });
  const std::size_t n = rows.size();
  std::vector<int> sign(n, 1);
  std::vector<long double> size(n, 0);
  std::vector<bool> alone(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const auto diagonal = rows[i].find(static_cast<Ordinal>(i));
    const long double a_ii = diagonal == rows[i].end() ? 0 : diagonal->second;
    if (a_ii < 0) sign[i] = -1;
    long double sum = 0;
    long double opposite = 0;
    for (const auto& [j, a_ij] : rows[i]) {
      if (static_cast<std::size_t>(j) == i) continue;
      sum += std::abs(a_ij);
      if (a_ij * sign[i] < 0) opposite = std::max(opposite, std::abs(a_ij));
    }
    alone[i] = std::abs(a_ii) > 10 * sum;
    size[i] = measure == StrengthMeasure::diagonal ? std::abs(a_ii) : opposite;
  }
  const auto is_strong = [&](std::size_t i, std::size_t j, long double a_ij) {
    if (theta == 0) return a_ij != 0;
    if (alone[i] || alone[j]) return false;
    const bool against_i = size[i] > 0 && a_ij * sign[i] < 0;
    const bool against_j = size[j] > 0 && a_ij * sign[j] < 0;
    return (against_i || against_j) && a_ij * a_ij > theta * theta * size[i] * size[j];
  };
  Neighbours strong(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [j, a_ij] : rows[i]) {
      const auto other = static_cast<std::size_t>(j);
      if (other != i && is_strong(i, other, a_ij)) strong[i].push_back(j);
    }
  }
  return strong;
}

/// The definition for nodes of `m` unknowns, m > 1.
template <class Scalar>
Neighbours strong_nodes(const HostMatrix<Scalar>& A, double theta, Ordinal m,
                        StrengthMeasure measure) {
  const auto squares = block_rows(A, m, [](long double value) { return value * value; });
  const auto n = static_cast<Ordinal>(squares.size());
  std::vector<long double> scale(n, 0);
  for (Ordinal i = 0; i < n; ++i) {
    for (const auto& [j, square] : squares[i]) {
      const bool counts = (j == i) == (measure == StrengthMeasure::diagonal);
      if (counts) scale[i] = std::max(scale[i], std::sqrt(square));
    }
  }
  Neighbours strong(n);
  for (Ordinal i = 0; i < n; ++i) {
    for (const auto& [j, square] : squares[i]) {
      const long double weak = theta * theta * scale[i] * scale[j];
      const bool is_strong = theta == 0 ? square > 0 : square > weak;
      if (j != i && is_strong) strong[i].push_back(j);
    }
  }
  return strong;
}

template <class Scalar>
Neighbours strong_reference(const HostMatrix<Scalar>& A, double theta, Ordinal m,
                            StrengthMeasure measure) {
  return m == 1 ? strong_unknowns(A, theta, measure) : strong_nodes(A, theta, m, measure);
}

/// Couplings of both signs, and diagonals of both: missing, ordinary, or so large that the row is
/// nearly or really dominated. Rows in a random order.
template <class Scalar>
HostMatrix<Scalar> mixed_matrix(Ordinal n, double density, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(n);
  for (Ordinal i = 0; i < n; ++i) {
    double sum = 0;
    for (Ordinal j = 0; j < n; ++j) {
      if (j == i || random.uniform() >= density) continue;
      rows[i].emplace_back(j, static_cast<Scalar>(random.uniform(-1, 1)));
      sum += std::abs(static_cast<double>(rows[i].back().second));
    }
    const int kind = random.below(10);
    const int sign = random.below(3) == 0 ? -1 : 1;
    const double size = kind == 1   ? sum * random.uniform(10.1, 30)
                        : kind == 2 ? sum * random.uniform(8, 9.9)
                                    : random.uniform(0.1, 1.5);
    if (kind > 0) rows[i].emplace_back(i, static_cast<Scalar>(sign * size));
    for (std::size_t k = rows[i].size(); k > 1; --k)
      std::swap(rows[i][k - 1], rows[i][random.below(static_cast<Ordinal>(k))]);
  }
  return from_rows(n, rows);
}

}  // namespace tessera::test
