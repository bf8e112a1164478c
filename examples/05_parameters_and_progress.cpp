// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Choosing solver, smoother and coarsening, watching the iterations, several right-hand sides,
/// tables.
// expect: level +unknowns.*Galerkin product.*3 right-hand sides: converged
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"
#include "tessera/tables.hpp"

#include <iostream>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson2d;
  gallery.n = 200;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);

  //! [parameters]
  tessera::SolveParameters parameters;
  parameters.solver.name = tessera::SolverName::cg;
  parameters.solver.tolerance = 1e-10;
  parameters.amg.smoothed_aggregation.aggregation = tessera::amg::Aggregation::mis2;
  parameters.amg.smoother.type = tessera::SmootherType::chebyshev;
  parameters.amg.measure_phases = true;  // for a table of setup's times
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A);
  //! [parameters]

  //! [logger]
  solver.set_logger([](const tessera::IterationInfo& info) {
    std::cout << info.iteration << "  " << info.relative_residual << '\n';
    return true;  // false would stop the solve
  });
  //! [logger]

  //! [several]
  const int k = 3;
  tessera::MultiVector<double, Space> b("b", problem.A.num_rows, k);
  tessera::MultiVector<double, Space> x("x", problem.A.num_rows, k);
  for (int j = 0; j < k; ++j) {
    Kokkos::deep_copy(exec, Kokkos::subview(b, Kokkos::ALL, j), j + 1.0);
  }
  const auto result = solver.solve(exec, b, x);
  //! [several]

  //! [tables]
  std::cout << tessera::hierarchy_table(solver.hierarchy()) << '\n'
            << tessera::setup_times_table(solver.hierarchy()) << '\n'
            << tessera::convergence_table(result) << '\n';
  for (const tessera::ConvergenceLine& line : tessera::convergence_lines(result)) {
    if (line.rate > 0.8) std::cout << "iteration " << line.iteration << " gained little\n";
  }
  //! [tables]

  std::cout << k << " right-hand sides: " << to_string(result.status) << " in " << result.iterations
            << " iterations\n";
  return result.converged() ? 0 : 1;
}
