// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by amgcl on the host: smoothed aggregation and SPAI0 under CG or BiCGSTAB, as its
/// examples have it; compare_real starts it.
#include "support/amgcl_solve.hpp"
#include "support/one_solve.hpp"

int main(int argc, char** argv) {
  CLI::App app{"One system by amgcl"};
  tessera::perf::OneSolve task;
  task.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const tessera::perf::HostSystem system = task.read();
  using Backend = tessera::perf::AmgclBackend;
  const auto solve = task.definite ? tessera::perf::run_amgcl<amgcl::solver::cg<Backend>>
                                   : tessera::perf::run_amgcl<amgcl::solver::bicgstab<Backend>>;
  // amgcl's headers do not tell its version.
  task.run("", [&](std::vector<double>& x) {
    return solve(system, task.tolerance, task.max_iterations, x);
  });
}
