// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems that solves within one launch must end on and be honest about, and how many solves the
/// tests of many run.
#pragma once
#include "kernels_persistent/persistent_solves.hpp"

#include <cstdlib>

namespace tessera::test {

/// What the environment variable TESSERA_SOLVES says.
inline int number_of_solves() {
  const char* const asked = std::getenv("TESSERA_SOLVES");
  return asked != nullptr ? std::max(1, std::atoi(asked)) : 240;
}

inline constexpr std::int32_t rows_of_small_poisson = 81;

inline bool is_hole(std::int32_t row) { return row % 5 == 2; }

/// Poisson's problem with rows and columns without entries among the others.
template <class Scalar>
HostMatrix<Scalar> poisson_with_holes() {
  const auto A = poisson<Scalar>(9, 9);
  HostMatrix<Scalar> result;
  result.num_rows = result.num_cols = A.num_rows;
  result.offsets = {0};
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (!is_hole(i) && !is_hole(A.columns[e])) {
        result.columns.push_back(A.columns[e]);
        result.values.push_back(A.values[e]);
      }
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.columns.size()));
  }
  return result;
}

/// A right-hand side that a solution of it has.
template <class Scalar>
std::vector<Scalar> ones_beside_holes() {
  std::vector<Scalar> b(rows_of_small_poisson, Scalar(1));
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (is_hole(static_cast<std::int32_t>(i))) b[i] = 0;
  }
  return b;
}

/// Neumann's problem: rows sum to zero.
template <class Scalar>
HostMatrix<Scalar> singular_poisson() {
  auto A = poisson<Scalar>(9, 9);
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    Scalar sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      sum += A.columns[e] == i ? Scalar(0) : A.values[e];
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) A.values[e] = -sum;
    }
  }
  return A;
}

/// With -4 in every other place of the diagonal.
template <class Scalar>
HostMatrix<Scalar> indefinite_poisson() {
  auto A = poisson<Scalar>(9, 9);
  for (std::int32_t i = 0; i < A.num_rows; i += 2) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) A.values[e] = Scalar(-4);
    }
  }
  return A;
}

/// `size` by `size` entries, symmetric positive definite.
template <class Scalar>
HostMatrix<Scalar> full_tile(std::int32_t size = 16) {
  return random_spd_matrix<Scalar>(size, 1.0, 3);
}

}  // namespace tessera::test
