// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A peer's iteration, and where some steps of it do not do, factors by a direct solver that its
/// library has: no peer falls back by itself.
#pragma once

#include "support/one_solve.hpp"

#include <Kokkos_Timer.hpp>
#include <exception>
#include <vector>

namespace tessera::perf {

struct ThenDirect {
  int after = 0;

  void add_to(CLI::App& app) {
    app.add_option("--direct-after", after,
                   "iterations after which factors by the library's direct solver take over; 0: "
                   "never");
  }

  /// `iterate(max_iterations, x)` and `factor(x)` set up and solve from x = 0. What both took
  /// counts, whether the first one ended without a solution or by an exception.
  template <class Iterate, class Factor>
  Timing solve(const OneSolve& task, const HostSystem& system, std::vector<double>& x,
               Iterate iterate, Factor factor) const {
    if (after == 0) return iterate(task.max_iterations, x);
    Timing before;
    const Kokkos::Timer timer;
    try {
      before = iterate(after, x);
      if (task.is_solved(system.relative_residual(x))) return before;
    } catch (const std::exception&) {
      before.setup_ms = timer.seconds() * 1e3;
    }
    Timing timing = factor(x);
    timing.setup_ms += before.setup_ms;
    timing.solve_ms += before.solve_ms;
    timing.iterations += before.iterations;
    timing.method = SolveMethod::fallback;
    return timing;
  }
};

}  // namespace tessera::perf
