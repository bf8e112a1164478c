// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the time of a setup and of a solve over several processes goes: with a wait after each
/// setup step, and after each kernel of the solve, so that both are slower than timed runs.
#pragma once

#include "app/kernel_profiler.hpp"
#include "support/share_of_problem.hpp"
#include "tessera/distributed/solver.hpp"

#include <Kokkos_Timer.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace tessera::perf {

/// By kernel on this process since the last call.
inline std::map<std::string, double> kernels_ms(app::KernelProfiler& profiler) {
  std::map<std::string, double> kernels;
  for (const auto& kernel : profiler.take())
    kernels[kernel.kernel] += kernel.ms;
  return kernels;
}

/// {"setup_steps_ms": {step: ms}, "setup_ms", "setup_kernels_ms": {kernel: ms},
/// "setup_with_kernels_ms", and of the solve "solve_kernels_ms", "solve_ms" and "iterations"}:
/// steps are the slowest process's, kernels process 0's, and what these leave of the time with a
/// wait after each is messages, waits for other processes, and the host's own work. Collective.
inline nlohmann::json distributed_steps(
    const DeviceSpace& exec, const std::shared_ptr<const distributed::Communicator>& processes,
    distributed::Parameters parameters, const ShareOfProblem& share,
    const MultiVector<double, DeviceSpace>& x) {
  parameters.solve.amg.measure_phases = true;
  parameters.solve.graph = false;
  distributed::Solver<DeviceSpace> solver(processes, parameters);
  solver.setup(exec, share.rows(), share.own.near_nullspace);
  nlohmann::json setup;
  for (const auto& [step, ms] : solver.hierarchy().setup_phases_ms)
    setup[step] = processes->maximum_of(ms);
  const double setup_ms = processes->maximum_of(solver.setup_ms());
  Kokkos::deep_copy(exec, x, 0.0);
  solver.solve(exec, share.b, x);  // warms up
  Kokkos::deep_copy(exec, x, 0.0);
  exec.fence("tessera::perf::distributed_steps");
  processes->sum_of(std::int64_t(1));
  app::KernelProfiler profiler;
  const Kokkos::Timer timer;
  const int iterations = solver.solve(exec, share.b, x).iterations;
  const double solve_ms = processes->maximum_of(timer.seconds() * 1e3);
  const auto solve_kernels = kernels_ms(profiler);

  parameters.solve.amg.measure_phases = false;
  distributed::Solver<DeviceSpace> again(processes, parameters);
  again.setup(exec, share.rows(), share.own.near_nullspace);
  return {{"setup_steps_ms", setup},
          {"setup_ms", setup_ms},
          {"setup_kernels_ms", kernels_ms(profiler)},
          {"setup_with_kernels_ms", processes->maximum_of(again.setup_ms())},
          {"solve_ms", solve_ms},
          {"iterations", iterations},
          {"solve_kernels_ms", solve_kernels}};
}

}  // namespace tessera::perf
