// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera on two threads beside hypre's BoomerAMG-PCG (PMIS, extended+i, l1-Jacobi) on two MPI
/// ranks, in turn in one run: `mpirun -n 2 tessera_perf_compare_hypre`.
///
/// While one of them runs the other waits without spinning. Both solve the same system to the same
/// relative residual from x0 = 0; hypre's assembly is left out of its time.
#include "support/comparison.hpp"
#include "support/hypre_solve.hpp"

using tessera::perf::HostSystem;
using tessera::perf::HypreDefaults;
using tessera::perf::HypreLibrary;
using tessera::perf::HyprePcg;
using tessera::perf::HypreSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::run_hypre;
using tessera::perf::Timing;

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside hypre: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  HypreSystem peer(system, processes);
  comparison.run(processes, system, "hypre (PMIS, ext+i, PCG)", [&] {
    Timing timing =
        run_hypre<HyprePcg>(peer, HypreDefaults::gpu, comparison.options.tolerance, 500);
    timing.relative_residual =
        system.relative_residual(peer.solution(processes, system.A.num_rows));
    return timing;
  });
}
