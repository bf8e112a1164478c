// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters by name: from JSON, from text, and listed with their ranges; an absolute tolerance.
// expect: did you mean 'amg.smoother.chebyshev.degree'[^\n]*\n.*converged.*converged in [0-9]+
// iterations to 1e-6
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

#include <iostream>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  //! [set]
  tessera::SolveParameters parameters;
  tessera::parameters::ParameterTree tree(parameters);  // sets what it refers to
  set_from_json(tree, R"({"solver": {"tolerance": 1e-10},
                          "amg": {"smoother": {"type": "chebyshev"}}})",
                "in-line");
  tree.set_text("amg.smoother.chebyshev.degree", "3", "command line");
  //! [set]

  //! [wrong]
  try {
    tree.set_text("amg.smoother.chebyshev.degre", "3", "command line");
  } catch (const tessera::Error& error) {
    std::cout << error.what() << '\n';  // names the nearest parameter
  }
  //! [wrong]

  //! [json]
  const auto settings = tessera::parameters::parameters_from_json<tessera::SolveParameters>(
      R"({"solver": {"tolerance": 0, "absolute_tolerance": 1e-6}, "amg.cycle": "w"})");
  tessera::Solver<double, Space> absolute(settings);
  //! [json]

  //! [list]
  for (const auto& parameter : tree.parameters()) {
    if (!parameter.key.starts_with("amg.smoother.")) continue;
    std::cout << parameter.key << " = " << tessera::parameters::to_text(parameter.get()) << ": "
              << parameter.text << "; " << parameter.expectation() << '\n';
  }
  //! [list]

  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson2d;
  gallery.n = 100;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A);
  tessera::MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  const auto result = solver.solve(exec, problem.b, x);
  std::cout << to_string(result.status) << " in " << result.iterations << " iterations\n";

  absolute.setup(exec, problem.A);
  Kokkos::deep_copy(exec, x, 0.0);
  const auto rough = absolute.solve(exec, problem.b, x);
  std::cout << to_string(rough.status) << " in " << rough.iterations << " iterations to 1e-6\n";
  return result.converged() && rough.converged() ? 0 : 1;
}
