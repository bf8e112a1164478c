// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera on two threads beside PETSc's CG with GAMG (smoothed aggregation, Chebyshev, its
/// defaults) on two MPI ranks, in turn in one run: `mpirun -n 2 tessera_perf_compare_petsc`.
///
/// While one of them runs the other waits without spinning. Both solve the same system to the same
/// relative residual from x0 = 0; PETSc's assembly is left out of its time.
#include "support/comparison.hpp"
#include "support/petsc_solve.hpp"

using tessera::perf::HostSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::PetscLibrary;
using tessera::perf::PetscSystem;
using tessera::perf::run_petsc;
using tessera::perf::Timing;

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside PETSc: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const PetscLibrary petsc;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  PetscSystem peer(system, processes, true, true);
  comparison.run(processes, system, "PETSc (GAMG, CG)", [&] {
    Timing timing = run_petsc(peer, KSPCG, comparison.options.tolerance, 500);
    timing.relative_residual =
        system.relative_residual(peer.solution(processes, system.A.num_rows));
    return timing;
  });
}
