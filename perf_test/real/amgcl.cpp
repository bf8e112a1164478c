// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by amgcl on the host: smoothed aggregation and SPAI0 under CG or BiCGSTAB, as its
/// examples have it, and its skyline factors after it if they are asked for; compare_real starts
/// it.
#include "support/amgcl_solve.hpp"
#include "support/one_solve.hpp"
#include "support/then_direct.hpp"

int main(int argc, char** argv) {
  CLI::App app{"One system by amgcl"};
  tessera::perf::OneSolve task;
  tessera::perf::ThenDirect then_direct;
  unsigned coarse_rows = 0;
  task.add_to(app);
  then_direct.add_to(app);
  app.add_option("--coarse-rows", coarse_rows, "of a level that is factored; 0: amgcl's default");
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const tessera::perf::HostSystem system = task.read();
  using Backend = tessera::perf::AmgclBackend;
  const auto solve = task.definite ? tessera::perf::run_amgcl<amgcl::solver::cg<Backend>>
                                   : tessera::perf::run_amgcl<amgcl::solver::bicgstab<Backend>>;
  const auto iterate = [&](int max_iterations, std::vector<double>& x) {
    return solve(system, task.tolerance, max_iterations, x, coarse_rows);
  };
  const auto factor = [&](std::vector<double>& x) {
    const auto all_rows = static_cast<unsigned>(system.A.num_rows);
    return solve(system, task.tolerance, task.max_iterations, x, all_rows);
  };
  // amgcl's headers do not tell its version.
  task.run("", [&](std::vector<double>& x) {
    return then_direct.solve(task, system, x, iterate, factor);
  });
}
