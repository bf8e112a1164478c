// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by PETSc on the host: GAMG by its defaults under CG or GMRES, and MUMPS' factors after
/// it if they are asked for; compare_real starts it.
#include "support/one_solve.hpp"
#include "support/petsc_solve.hpp"
#include "support/then_direct.hpp"

using namespace tessera::perf;

int main(int argc, char** argv) {
  CLI::App app{"One system by PETSc"};
  OneSolve task;
  ThenDirect then_direct;
  task.add_to(app);
  then_direct.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const PetscLibrary petsc;
  check(PetscPopSignalHandler());  // else a crash becomes an exit with an error
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = task.read();
  PetscSystem peer(system, processes, task.symmetric, task.definite);
  const KSPType type = task.definite ? KSPCG : KSPGMRES;
  const auto take_solution = [&](std::vector<double>& x) {
    x = peer.solution(processes, system.A.num_rows);
  };
  const auto iterate = [&](int max_iterations, std::vector<double>& x) {
    const Timing timing = run_petsc(peer, type, task.tolerance, max_iterations);
    take_solution(x);
    return timing;
  };
  const auto factor = [&](std::vector<double>& x) {
    const Timing timing =
        run_petsc_direct(peer, type, task.symmetric, task.tolerance, task.max_iterations);
    take_solution(x);
    return timing;
  };
  task.run(petsc_version(), [&](std::vector<double>& x) {
    return then_direct.solve(task, system, x, iterate, factor);
  });
}
