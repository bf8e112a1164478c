// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems that solves within one launch must end on with the right status, and how many solves the
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
  return by_rows<Scalar>(A.num_rows, A.num_rows, [&](auto& result, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (!is_hole(i) && !is_hole(A.columns[e])) result.push(A.columns[e], A.values[e]);
    }
  });
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
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
    if (i == j) value = static_cast<Scalar>(A.offsets[i + 1] - A.offsets[i] - 1);
  });
  return A;
}

/// With -4 in every other place of the diagonal.
template <class Scalar>
HostMatrix<Scalar> indefinite_poisson() {
  auto A = poisson<Scalar>(9, 9);
  for_each_entry(A, [](std::int32_t i, std::int32_t j, auto& value) {
    if (i == j && i % 2 == 0) value = Scalar(-4);
  });
  return A;
}

/// `size` by `size` entries, symmetric positive definite.
template <class Scalar>
HostMatrix<Scalar> full_tile(std::int32_t size = 16) {
  return random_spd_matrix<Scalar>(size, 1.0, 3);
}

}  // namespace tessera::test
