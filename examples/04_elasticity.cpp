// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Elasticity needs its rigid body modes: the same solve without and with them.
// expect: with 6 rigid body modes: converged
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

int solve(const Space& exec, const tessera::Problem<double, Space>& problem, bool with_modes) {
  tessera::MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  //! [near_nullspace]
  tessera::SolveParameters parameters;
  parameters.preconditioner = tessera::PreconditionerKind::amg;
  parameters.solver.max_iterations = 500;
  tessera::Solver<double, Space> solver(parameters);
  if (with_modes) {
    solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
  } else {
    solver.setup(exec, problem.A);
  }
  const auto result = solver.solve(exec, problem.b, x);
  //! [near_nullspace]
  std::cout << (with_modes ? "with 6 rigid body modes: " : "without: ") << to_string(result.status)
            << " in " << result.iterations << " iterations\n";
  return result.iterations;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::elasticity3d;
  gallery.n = 12;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);
  const int without = solve(exec, problem, false);
  const int with = solve(exec, problem, true);
  return with < without ? 0 : 1;
}
