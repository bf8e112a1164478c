// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Random matrices for property tests; the same seed gives the same matrix on every machine.
#pragma once

#include "support/host_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test {

/// SplitMix64: unlike std::uniform_real_distribution, the same on every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In [0, n).
  std::int32_t below(std::int32_t n) { return static_cast<std::int32_t>(next() % n); }

 private:
  std::uint64_t m_state;
};

struct RandomMatrixOptions {
  std::int32_t num_rows = 50;
  std::int32_t num_cols = 50;
  double density = 0.1;  ///< the expected share of a row's columns that are stored
  double empty_row_fraction = 0;  ///< rows without entries
  std::int32_t dense_row = -1;  ///< a row with all columns
  bool unsorted = false;  ///< rows in random order
  std::uint64_t seed = 1;
};

/// Values in [-1, 1], without duplicates.
template <class Scalar>
HostMatrix<Scalar> random_matrix(const RandomMatrixOptions& options) {
  Random random(options.seed);
  return by_rows<Scalar>(options.num_rows, options.num_cols, [&](auto& A, std::int32_t row) {
    std::vector<std::int32_t> columns;
    const bool dense = row == options.dense_row;
    const bool empty = !dense && random.uniform() < options.empty_row_fraction;
    for (std::int32_t column = 0; column < A.num_cols && !empty; ++column) {
      if (dense || random.uniform() < options.density) columns.push_back(column);
    }
    if (options.unsorted) {
      for (std::size_t i = columns.size(); i > 1; --i) {
        std::swap(columns[i - 1], columns[random.below(static_cast<std::int32_t>(i))]);
      }
    }
    for (const std::int32_t column : columns) {
      A.push(column, static_cast<Scalar>(random.uniform(-1, 1)));
    }
  });
}

/// A symmetric, strictly diagonally dominant matrix with positive diagonal and off-diagonal
/// entries in [-1, 1]: positive definite. Rows sorted.
template <class Scalar>
HostMatrix<Scalar> random_spd_matrix(std::int32_t n, double density, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(n);
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < i; ++j) {
      if (random.uniform() >= density) continue;
      const auto value = static_cast<Scalar>(random.uniform(-1, 1));
      rows[i].emplace_back(j, value);
      rows[j].emplace_back(i, value);
    }
  }
  for (std::int32_t i = 0; i < n; ++i) {
    Scalar sum = 0;
    for (const auto& entry : rows[i])
      sum += std::abs(entry.second);
    rows[i].emplace_back(i, sum + Scalar(0.5) + static_cast<Scalar>(random.uniform()));
    std::sort(rows[i].begin(), rows[i].end());
  }
  return from_rows(n, rows);
}

/// Values in [-1, 1].
template <class Scalar>
std::vector<Scalar> random_vector(std::size_t n, std::uint64_t seed = 7) {
  Random random(seed);
  std::vector<Scalar> v(n);
  for (Scalar& value : v)
    value = static_cast<Scalar>(random.uniform(-1, 1));
  return v;
}

/// The shapes that every kernel must take: empty, one row, empty rows, a dense row, non-square,
/// unsorted, and an ordinary one.
template <class Scalar>
std::vector<HostMatrix<Scalar>> edge_case_matrices() {
  std::vector<HostMatrix<Scalar>> list;
  list.push_back({});
  list.push_back(random_matrix<Scalar>({.num_rows = 0, .num_cols = 5}));
  list.push_back(random_matrix<Scalar>({.num_rows = 5, .num_cols = 0}));
  list.push_back(random_matrix<Scalar>({.num_rows = 1, .num_cols = 1, .density = 1}));
  list.push_back(random_matrix<Scalar>({.num_rows = 1, .num_cols = 3000, .density = 1}));
  list.push_back(random_matrix<Scalar>({.num_rows = 700, .num_cols = 1, .density = 0.5}));
  list.push_back(random_matrix<Scalar>({.num_rows = 40, .num_cols = 40, .density = 0}));
  list.push_back(random_matrix<Scalar>({.num_rows = 300, .num_cols = 90, .density = 0.05}));
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 90, .num_cols = 300, .density = 0.1, .unsorted = true, .seed = 3}));
  list.push_back(random_matrix<Scalar>({.num_rows = 400,
                                        .num_cols = 400,
                                        .density = 0.02,
                                        .empty_row_fraction = 0.5,
                                        .dense_row = 200,
                                        .unsorted = true,
                                        .seed = 4}));
  list.push_back(random_matrix<Scalar>({.num_rows = 60,
                                        .num_cols = 5000,
                                        .density = 0.01,
                                        .empty_row_fraction = 0.2,
                                        .dense_row = 59,
                                        .seed = 5}));
  list.push_back(random_spd_matrix<Scalar>(120, 0.1, 6));
  return list;
}

}  // namespace tessera::test
