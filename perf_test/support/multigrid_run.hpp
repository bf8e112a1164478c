// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup of multigrid and cycles of it as a solver.
#pragma once

#include "support/cycles_as_solver.hpp"
#include "support/data_flow_options.hpp"
#include "support/numbered_system.hpp"
#include "support/solve_timing.hpp"

#include "tessera/amg/multigrid.hpp"

#include <stdexcept>
#include <string>

namespace tessera::perf {

struct MultigridRun {
  Timing timing;
  HierarchyInfo info;
};

/// Nothing else is at work on the device when a time begins or ends.
inline MultigridRun run_multigrid(const DeviceSpace& exec, const NumberedSystem& system,
                                  const amg::Parameters& parameters,
                                  const MultiVector<double, DeviceSpace>& b, int cycles) {
  MultigridRun run;
  Kokkos::fence("tessera::perf");
  const Kokkos::Timer timer;
  amg::Multigrid<double, DeviceSpace> grid(parameters);
  grid.setup(exec, system.A, system.near_nullspace, system.block_size);
  Kokkos::fence("tessera::perf");
  run.timing.setup_ms = timer.seconds() * 1e3;
  const auto solve = run_cycles(exec, *grid.levels().front().A, grid, b, cycles);
  run.timing.solve_ms = solve.ms;
  run.timing.iterations = cycles;
  run.timing.relative_residual = solve.relative_residual;
  run.info = grid.info();
  return run;
}

/// Products that tiles cannot hold are made in rows, which is another flow.
/// @throws std::runtime_error where the hierarchy is not what `flow` is to make.
inline void require_products(const Flow& flow, const HierarchyInfo& info) {
  for (std::size_t l = 0; l < info.levels.size(); ++l) {
    const std::string& made = info.levels[l].products;
    if (made.empty() || made == flow.products_name()) continue;
    std::string reason = "products of level " + std::to_string(l) + " are in " + made;
    for (const std::string& note : info.notes)
      reason += "; " + note;
    throw std::runtime_error(reason);
  }
}

}  // namespace tessera::perf
