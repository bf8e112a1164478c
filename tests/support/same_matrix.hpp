// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two matrices on the host, entry by entry.
#pragma once

#include "support/host_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::test {

/// Fails the running test unless the matrices are the same, entry by entry in order.
template <class Scalar>
void expect_same(const HostMatrix<Scalar>& actual, const HostMatrix<Scalar>& expected) {
  EXPECT_EQ(actual.num_rows, expected.num_rows);
  EXPECT_EQ(actual.num_cols, expected.num_cols);
  EXPECT_EQ(actual.offsets, expected.offsets);
  EXPECT_EQ(actual.columns, expected.columns);
  EXPECT_EQ(actual.values, expected.values);
}

/// The same, with values that are off by `bound` times one more than their magnitude at the most.
template <class Scalar>
void expect_near(const HostMatrix<Scalar>& actual, const HostMatrix<Scalar>& expected,
                 double bound) {
  EXPECT_EQ(actual.num_rows, expected.num_rows);
  EXPECT_EQ(actual.num_cols, expected.num_cols);
  EXPECT_EQ(actual.offsets, expected.offsets);
  ASSERT_EQ(actual.columns, expected.columns);
  for (std::size_t e = 0; e < expected.values.size(); ++e) {
    const auto value = static_cast<double>(expected.values[e]);
    ASSERT_NEAR(static_cast<double>(actual.values[e]), value, bound * (1 + std::abs(value)));
  }
}

}  // namespace tessera::test
