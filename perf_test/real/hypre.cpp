// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by hypre on the host: BoomerAMG as it is set by default on CPUs or on GPUs, under PCG
/// or GMRES, and SuperLU_DIST's factors after it if they are asked for; compare_real starts it.
#include "support/hypre_solve.hpp"
#include "support/one_solve.hpp"
#include "support/then_direct.hpp"

using namespace tessera::perf;

namespace {

template <class Krylov>
void solve(const OneSolve& task, const ThenDirect& then_direct, HypreDefaults defaults,
           const HostSystem& system, const MpiProcesses& processes) {
  HypreSystem peer(system, processes);
  const auto iterate = [&](int max_iterations, std::vector<double>& x) {
    const Timing timing = run_hypre<Krylov>(peer, defaults, task.tolerance, max_iterations);
    x = peer.solution(processes, system.A.num_rows);
    return timing;
  };
  const auto factor = [&](std::vector<double>& x) {
#ifdef HYPRE_USING_DSUPERLU
    const Timing timing = run_hypre_direct<Krylov>(peer, task.tolerance, task.max_iterations);
    x = peer.solution(processes, system.A.num_rows);
    return timing;
#else
    throw std::runtime_error("this hypre was built without SuperLU_DIST");
    return Timing{};
#endif
  };
  task.run("hypre " HYPRE_RELEASE_VERSION, [&](std::vector<double>& x) {
    return then_direct.solve(task, system, x, iterate, factor);
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"One system by hypre"};
  OneSolve task;
  ThenDirect then_direct;
  std::string defaults = "cpu";
  task.add_to(app);
  then_direct.add_to(app);
  app.add_option("--defaults", defaults, "BoomerAMG's on CPUs or on GPUs")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  const auto which = defaults == "cpu" ? HypreDefaults::cpu : HypreDefaults::gpu;
  const auto run = task.definite ? solve<HyprePcg> : solve<HypreGmres>;
  run(task, then_direct, which, system, processes);
}
