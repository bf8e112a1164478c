// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by MueLu on the host: its defaults under Belos's CG or GMRES; compare_real starts it.
#include "support/mpi_processes.hpp"
#include "support/muelu_solve.hpp"
#include "support/one_solve.hpp"

#include <Trilinos_version.h>

using namespace tessera::perf;

int main(int argc, char** argv) {
  CLI::App app{"One system by MueLu"};
  OneSolve task;
  task.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  const TpetraSystem peer(system);
  const auto solve = task.definite ? run_muelu<BelosCg> : run_muelu<BelosGmres>;
  task.run("Trilinos " TRILINOS_VERSION_STRING, [&](std::vector<double>& x) {
    const Timing timing = solve(peer, task.symmetric, task.tolerance, task.max_iterations);
    x = peer.solution();
    return timing;
  });
}
