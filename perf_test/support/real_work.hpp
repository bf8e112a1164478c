// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The solves of compare_real, and how its processes share them.
#pragma once

#include "support/real_solvers.hpp"
#include "support/real_systems.hpp"

#include <string>
#include <vector>

namespace tessera::perf {

/// Numbers of a case, of a right-hand side and of a solver.
struct RealSolve {
  std::size_t test = 0, rhs = 0, solver = 0;
};

/// Which solvers are to solve which systems: a case's matrix with each right-hand side.
struct RealWork {
  std::vector<RealCase> cases;
  std::vector<std::string> rhs;
  std::vector<FoundSolver> solvers;

  std::size_t num_systems() const { return cases.size() * rhs.size(); }
  std::size_t num_solves() const { return num_systems() * solvers.size(); }
  std::size_t system_of(const RealSolve& solve) const {
    return solve.test * rhs.size() + solve.rhs;
  }
  std::size_t number_of(const RealSolve& solve) const {
    return system_of(solve) * solvers.size() + solve.solver;
  }

  /// An item is what one process takes: a system, for a solver and the variants of it that follow.
  /// Items of a system follow one another.
  std::size_t num_items() const { return num_systems() * groups().size(); }
  std::vector<RealSolve> solves_of(std::size_t item) const {
    const auto all = groups();
    const std::size_t system = item / all.size();
    std::vector<RealSolve> solves;
    for (const std::size_t solver : all[item % all.size()])
      solves.push_back({system / rhs.size(), system % rhs.size(), solver});
    return solves;
  }

 private:
  std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t i = 0; i < solvers.size(); ++i) {
      const std::string& of = solvers[i].solver.of;
      if (all.empty() || solvers[all.back().front()].solver.name != of) all.emplace_back();
      all.back().push_back(i);
    }
    return all;
  }
};

}  // namespace tessera::perf
