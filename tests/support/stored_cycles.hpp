// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A cycle on levels in every format beside the same cycle on compressed rows.
#pragma once

#include "support/storage_formats.hpp"
#include "support/systems.hpp"

#include <set>
#include <string>

namespace tessera::test {

/// That the cycle of `parameters`, whose finest level is relaxed as `smoother` says, is the same in
/// every format, and with values stored in float close to it.
template <class Space>
void expect_same_cycle_in_every_format(const Space& exec, const kernels::Csr<double, Space>& A,
                                       SolveParameters parameters, const std::string& smoother) {
  parameters.equilibration = Equilibration::none;
  parameters.amg.products = amg::Products::csr;  // one order of sums in the coarse operators
  std::vector<double> expected;
  for (const auto scalar : {StorageScalar::same, StorageScalar::float32}) {
    std::set<std::string> formats;
    for (const StorageFormat format : storage_formats_to_choose()) {
      parameters.amg.storage.format = format;
      parameters.amg.storage.scalar = scalar;
      Solver<double, Space> solver(parameters);
      solver.setup(exec, A);
      const auto& levels = solver.hierarchy().levels;
      ASSERT_GE(levels.size(), 3U);
      SCOPED_TRACE(levels[0].A.format + " in " + levels[0].A.storage);
      EXPECT_EQ(levels[0].smoother, smoother);
      formats.insert(levels[0].A.format);
      const auto cycle = preconditioned_waves(exec, solver, A.num_rows);
      if (expected.empty()) expected = cycle;
      const double difference = relative_difference(cycle, expected);
      EXPECT_LT(difference, scalar == StorageScalar::same ? 1e-12 : 1e-5);
      EXPECT_EQ(difference > 1e-12, scalar != StorageScalar::same);
    }
    EXPECT_GE(formats.size(), 5U);
  }
}

}  // namespace tessera::test
