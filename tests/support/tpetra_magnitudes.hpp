// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tpetra's vectors at other magnitudes.
#pragma once

#include "support/tpetra_system.hpp"
#include "tessera/tpetra/column_powers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test {

/// A copy of V, column j times 2^exponents[j].
inline TpetraVectors times_powers(const TpetraVectors& V, const std::vector<int>& exponents) {
  TpetraVectors scaled(V, Teuchos::Copy);
  tpetra::multiply_columns(scaled, exponents, 1);
  return scaled;
}

/// Whether all entries are the same numbers.
inline bool are_same(const TpetraVectors& a, const TpetraVectors& b) {
  TpetraVectors difference(b, Teuchos::Copy);
  difference.update(1, a, -1);
  std::vector<double> largest(b.getNumVectors());
  difference.normInf(Teuchos::arrayViewFromVector(largest));
  return std::ranges::all_of(largest, [](double size) { return size == 0; });
}

/// That M (s x) = s (M x) for powers of two s of columns, to the bit.
inline void expect_linear_over_magnitudes(const TpetraOperator& M) {
  // As far as all numbers of a cycle stay normal.
  const std::vector<int> exponents{-900, -500, -34, -3, 0, 34, 500, 900};
  const auto x = waves(M.getDomainMap(), exponents.size());
  TpetraVectors plain(M.getDomainMap(), exponents.size());
  TpetraVectors scaled(M.getDomainMap(), exponents.size());
  M.apply(*x, plain);
  EXPECT_GT(plain.getVector(0)->normInf(), 0);
  M.apply(times_powers(*x, exponents), scaled);
  EXPECT_TRUE(are_same(scaled, times_powers(plain, exponents)));
  // And into what there is: y = y / 2 - M (s x) / 4.
  TpetraVectors sum = times_powers(*x, exponents);
  M.apply(times_powers(*x, exponents), sum, Teuchos::NO_TRANS, -0.25, 0.5);
  TpetraVectors expected(*x, Teuchos::Copy);
  expected.update(-0.25, plain, 0.5);
  EXPECT_TRUE(are_same(sum, times_powers(expected, exponents)));
}

}  // namespace tessera::test
