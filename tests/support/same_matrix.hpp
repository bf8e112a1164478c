// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two matrices on the host, entry by entry.
#pragma once

#include "support/host_matrix.hpp"

#include <gtest/gtest.h>

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

}  // namespace tessera::test
