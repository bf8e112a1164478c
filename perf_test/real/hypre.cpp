// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by hypre on the host: BoomerAMG as it is set by default on CPUs or on GPUs, under PCG
/// or GMRES; compare_real starts it.
#include "support/hypre_solve.hpp"
#include "support/one_solve.hpp"

using namespace tessera::perf;

int main(int argc, char** argv) {
  CLI::App app{"One system by hypre"};
  OneSolve task;
  std::string defaults = "cpu";
  task.add_to(app);
  app.add_option("--defaults", defaults, "BoomerAMG's on CPUs or on GPUs")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  HypreSystem peer(system, processes);
  const auto which = defaults == "cpu" ? HypreDefaults::cpu : HypreDefaults::gpu;
  const auto solve = task.definite ? run_hypre<HyprePcg> : run_hypre<HypreGmres>;
  task.run("hypre " HYPRE_RELEASE_VERSION, [&](std::vector<double>& x) {
    const Timing timing = solve(peer, which, task.tolerance, task.max_iterations);
    x = peer.solution(processes, system.A.num_rows);
    return timing;
  });
}
