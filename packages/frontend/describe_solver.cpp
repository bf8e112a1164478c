// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <algorithm>
#include <type_traits>

#include "frontend/report.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::frontend {

template <class Scalar, class Space, class Offset>
void describe_solver(const Solver<Scalar, Space, Offset>& solver, SolveReport& report) {
  SolveParameters effective = solver.parameters();
  const parameters::ParameterTree tree(effective);
  report.parameters = tree.values();
  for (const auto& [key, value] : report.parameters) {
    if (key == "solver.name") report.solver = parameters::to_text(value);
    if (key == "preconditioner") report.preconditioner = parameters::to_text(value);
  }
  report.tolerance = effective.solver.tolerance;
  report.absolute_tolerance = effective.solver.absolute_tolerance;
  const auto& levels = solver.hierarchy().levels;
  const bool float_inside = std::any_of(levels.begin(), levels.end(), [](const LevelInfo& level) {
    return level.precision == "float";
  });
  if (std::is_same_v<Scalar, float>)
    report.precision = "float";
  else
    report.precision = float_inside ? "mixed" : "double";
  report.hierarchy = solver.hierarchy();
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, describe_solver)

}  // namespace tessera::frontend
