// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by MueLu on the host: its defaults under Belos's CG or GMRES, and the factors that it
/// takes on its coarsest level after it if they are asked for; compare_real starts it.
#include "support/mpi_processes.hpp"
#include "support/muelu_solve.hpp"
#include "support/one_solve.hpp"
#include "support/then_direct.hpp"

#include <Trilinos_version.h>

using namespace tessera::perf;

int main(int argc, char** argv) {
  CLI::App app{"One system by MueLu"};
  OneSolve task;
  ThenDirect then_direct;
  int coarse_rows = 0;
  task.add_to(app);
  then_direct.add_to(app);
  app.add_option("--coarse-rows", coarse_rows, "of a level that is factored; 0: MueLu's default");
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  const TpetraSystem peer(system);
  const auto solve = task.definite ? run_muelu<BelosCg> : run_muelu<BelosGmres>;
  const auto run = [&](int max_iterations, int rows, std::vector<double>& x) {
    const Timing timing = solve(peer, task.symmetric, task.tolerance, max_iterations, rows);
    x = peer.solution();
    return timing;
  };
  const auto iterate = [&](int max_iterations, std::vector<double>& x) {
    return run(max_iterations, coarse_rows, x);
  };
  const auto factor = [&](std::vector<double>& x) {
    return run(task.max_iterations, system.A.num_rows, x);
  };
  task.run("Trilinos " TRILINOS_VERSION_STRING, [&](std::vector<double>& x) {
    return then_direct.solve(task, system, x, iterate, factor);
  });
}
