// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside MueLu (smoothed aggregation, its defaults) under Belos's CG, in turn in one run
/// and on the same Kokkos, that inside Trilinos: one process, which solves with each.
///
/// Both solve the same system to the same relative residual from x0 = 0; the assembly of the Tpetra
/// matrix is left out of MueLu's time.
#include "support/comparison.hpp"
#include "support/mpi_processes.hpp"
#include "support/muelu_solve.hpp"

using tessera::perf::BelosCg;
using tessera::perf::HostSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::run_muelu;
using tessera::perf::Timing;
using tessera::perf::TpetraSystem;

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside MueLu: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  if (processes.size() != 1) {
    std::fputs("compare_muelu runs as one process\n", stderr);
    return 64;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  const TpetraSystem peer(system);
  comparison.run(processes, system, "MueLu (SA, Belos CG)", [&] {
    Timing timing = run_muelu<BelosCg>(peer, true, comparison.options.tolerance, 500);
    timing.relative_residual = system.relative_residual(peer.solution());
    return timing;
  });
}
