// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by Tessera on the host with what it picks by itself, without factors or a dense
/// inverse of the whole matrix if that is asked for; compare_real starts it.
#include "app/machine.hpp"
#include "support/one_solve.hpp"

int main(int argc, char** argv) {
  CLI::App app{"One system by Tessera with its automatic choices"};
  tessera::perf::OneSolve task;
  bool iterative = false;
  task.add_to(app);
  app.add_flag("--iterative", iterative, "neither factors nor a dense inverse of the whole matrix");
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const tessera::HostSpace exec;
  const tessera::perf::HostSystem system = task.read();
  tessera::SolveParameters parameters;
  parameters.solver.tolerance = task.tolerance;
  parameters.solver.max_iterations = task.max_iterations;
  if (iterative) {
    parameters.direct.max_memory_mb = 0;
    parameters.amg.coarse_size = 200;  // what is picked where it is not the whole matrix
  }
  task.run("Tessera " + tessera::app::build_info().version, [&](std::vector<double>& solution) {
    const auto x =
        tessera::allocate_multivector<double>(exec, "tessera::perf::x", system.A.num_rows, 1);
    const auto timing = tessera::perf::run_tessera(exec, system.A, system.b, parameters, x);
    solution.assign(x.data(), x.data() + system.A.num_rows);
    return timing;
  });
}
