// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Storage and smoothers that differ from level to level: by a list, and by a function of what is
/// known of each level.
// expect: by list: converged.*by function: converged
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <iostream>

using Space = Kokkos::DefaultExecutionSpace;

namespace {

/// Solves and shows how the operator of each level is stored.
bool solve(const tessera::SolveParameters& parameters, const char* how) {
  const Space exec;
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson3d;
  gallery.n = 40;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A);
  const tessera::MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  const auto result = solver.solve(exec, problem.b, x);
  std::cout << "by " << how << ": " << to_string(result.status) << ", " << result.iterations
            << " iterations;";
  for (const auto& level : solver.hierarchy().levels)
    std::cout << ' ' << level.A.format << " in " << level.A.storage;
  std::cout << '\n';
  return result.converged();
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);

  //! [list]
  tessera::SolveParameters parameters;
  parameters.precision = tessera::Precision::same;  // vectors in double on all levels
  auto& levels = parameters.amg.levels;
  levels.assign(3, uniform_choice(parameters.amg));
  levels[0].A.format = tessera::StorageFormat::mbsr;  // the finest, in double
  levels[1].A.scalar = tessera::StorageScalar::float32;
  levels[2].A.scalar = tessera::StorageScalar::half;  // all levels from here on
  //! [list]
  const bool by_list = solve(parameters, "list");

  //! [function]
  levels.clear();
  parameters.amg.choose_level = [](const tessera::amg::LevelFacts& level,
                                   tessera::amg::LevelParameters chosen) {
    if (level.rows < 20000) chosen.A.scalar = tessera::StorageScalar::half;
    if (level.number > 0) chosen.smoother.type = tessera::SmootherType::chebyshev;
    return chosen;
  };
  //! [function]
  const bool by_function = solve(parameters, "function");
  return by_list && by_function ? 0 : 1;
}
