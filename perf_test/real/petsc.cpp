// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by PETSc on the host: GAMG by its defaults under CG or GMRES; compare_real starts it.
#include "support/one_solve.hpp"
#include "support/petsc_solve.hpp"

using namespace tessera::perf;

int main(int argc, char** argv) {
  CLI::App app{"One system by PETSc"};
  OneSolve task;
  task.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const PetscLibrary petsc;
  check(PetscPopSignalHandler());  // else a crash becomes an exit with an error
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  PetscSystem peer(system, processes, task.symmetric, task.definite);
  task.run(tessera::perf::petsc_version(), [&](std::vector<double>& x) {
    const Timing timing =
        run_petsc(peer, task.definite ? KSPCG : KSPGMRES, task.tolerance, task.max_iterations);
    x = peer.solution(processes, system.A.num_rows);
    return timing;
  });
}
