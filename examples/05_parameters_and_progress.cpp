// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Choosing solver, smoother and coarsening, watching the iterations, several right-hand sides.
// expect: 3 right-hand sides: converged
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

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

  std::cout << k << " right-hand sides: " << to_string(result.status) << " in " << result.iterations
            << " iterations\n";
  return result.converged() ? 0 : 1;
}
