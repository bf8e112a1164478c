// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tests of smoothers ask of whole hierarchies: iterations, and what one cycle does.
#pragma once

#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test {

template <class Space>
class LevelSolves : public ::testing::Test {
 public:
  Space exec;

  int iterations(const Problem<double, Space>& p, const SolveParameters& parameters) {
    auto solver = set_up(exec, p, parameters);
    const auto result = solve_waves(exec, solver, p.A.num_rows);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    return result.iterations;
  }
  std::vector<double> cycle(Solver<double, Space>& solver, const std::vector<double>& r) {
    const auto n = static_cast<Ordinal>(r.size());
    const auto z = zeros<double>(exec, n);
    solver.preconditioner()->prepare(exec, 1);
    solver.preconditioner()->apply(exec, to_multivector(exec, r, n, 1), z);
    return to_host(z);
  }
};

}  // namespace tessera::test
