// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several right-hand sides beside each one alone.
#pragma once

#include "support/device.hpp"

#include "tessera/operator/linear_operator.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test {

/// That `M` makes of the columns of `r` (n by k, column after column) at once what it makes of each
/// alone, each entry to `tolerance`.
template <class Scalar, class Space>
void expect_columns_as_alone(const Space& exec, Preconditioner<Scalar, Space>& M,
                             const std::vector<Scalar>& r, std::size_t n, double tolerance) {
  const std::size_t k = r.size() / n;
  const auto together = allocate_multivector<Scalar>(exec, "tessera::test", n, k);
  M.apply(exec, to_multivector(exec, r, n, k), together);
  const auto all = to_host(together);
  for (std::size_t j = 0; j < k; ++j) {
    const std::vector<Scalar> column(r.begin() + j * n, r.begin() + (j + 1) * n);
    const auto alone = allocate_multivector<Scalar>(exec, "tessera::test", n, 1);
    M.apply(exec, to_multivector(exec, column, n, 1), alone);
    const auto one = to_host(alone);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR(all[j * n + i], one[i], tolerance) << i << " of column " << j;
  }
}

}  // namespace tessera::test
