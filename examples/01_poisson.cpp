// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shortest way to a solution: a model problem, the defaults, and what they picked.
// expect: converged in [0-9]+ iterations
//! [program]
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <iostream>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson3d;
  gallery.n = 40;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);

  tessera::MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  tessera::Solver<double, Space> solver;
  solver.setup(exec, problem.A);
  const tessera::SolveResult result = solver.solve(exec, problem.b, x);

  for (const auto& level : solver.hierarchy().levels) {
    std::cout << level.rows << " rows, " << level.entries << " entries, " << level.aggregation
              << '\n';
  }
  for (const auto& note : solver.hierarchy().notes)
    std::cout << note << '\n';
  std::cout << to_string(result.status) << " in " << result.iterations
            << " iterations, true relative residual " << result.true_relative_residual << '\n';
  return result.converged() ? 0 : 1;
}
//! [program]
