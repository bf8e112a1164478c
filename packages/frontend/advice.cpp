// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What to try where a solve did not converge: the table of docs/guide/errors.md, for this solve.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/report.hpp"

namespace tessera::frontend {

namespace {

/// The effective value of a parameter as text; empty where the report has none.
std::string parameter(const SolveReport& report, const std::string& key) {
  const auto found = std::find_if(report.parameters.begin(), report.parameters.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == report.parameters.end() ? std::string() : parameters::to_text(found->second);
}

bool is_gmres(const SolveReport& report) {
  return report.solver == "gmres" || report.solver == "fgmres";
}

/// A matrix that is not symmetric, by the method picked or given, under a smoother that knows no
/// direction: where convection dominates, ILU(0) takes a few iterations and these take hundreds.
bool relaxes_only_points(const SolveReport& report) {
  const auto& levels = report.hierarchy.levels;
  if (!is_gmres(report) || levels.empty()) return false;
  const std::string& smoother = levels.front().smoother;
  return smoother == "jacobi" || smoother == "l1_jacobi" || smoother == "chebyshev" ||
         smoother == "spai0";
}

/// Several unknowns per node, of which coarse levels keep the constants alone.
bool lacks_near_nullspace(const SolveReport& report) {
  const auto& levels = report.hierarchy.levels;
  return !levels.empty() && levels.front().unknowns_per_node > 1 &&
         report.problem.near_nullspace == 0;
}

std::string try_near_nullspace(const AdviceWords& words) {
  return fmt::format("try {}, where this is elasticity, else near-nullspace vectors ({})",
                     words.coordinates, words.near_nullspace);
}

std::string after_iteration_limit(const SolveReport& report, const AdviceWords& words) {
  const std::string limit = fmt::format("a limit above solver.max_iterations={}",
                                        parameter(report, "solver.max_iterations"));
  if (report.preconditioner != "amg" && report.preconditioner_picked) {
    return (is_gmres(report) ? "try a larger solver.gmres.restart, or "
                             : "try solver.name=gmres, or ") +
           limit;
  }
  if (report.preconditioner != "amg") return "try preconditioner=amg, or " + limit;
  if (relaxes_only_points(report)) return "try amg.smoother.type=ilu, or " + limit;
  if (is_gmres(report)) return "try a larger solver.gmres.restart, another smoother, or " + limit;
  if (lacks_near_nullspace(report))
    return fmt::format("{}, or {}", try_near_nullspace(words), limit);
  return fmt::format(
      "try another smoother, such as amg.smoother.type=chebyshev, near-nullspace vectors ({}), or "
      "{}",
      words.both, limit);
}

/// From here on a digit takes ten iterations; multigrid that suits its matrix takes two to four.
constexpr double slow_rate = 0.8;
/// Fewer are over before anybody looks.
constexpr int slow_iterations = 30;

/// Multigrid that converged, but slowly; empty for any other solve.
std::string after_slow_convergence(const SolveReport& report, const AdviceWords& words) {
  const SolveResult& result = report.result;
  if (report.preconditioner != "amg" || result.iterations < slow_iterations ||
      mean_rate(result) < slow_rate)
    return {};
  if (relaxes_only_points(report)) return "try amg.smoother.type=ilu: this converged slowly";
  if (lacks_near_nullspace(report))
    return fmt::format("{}: this converged slowly", try_near_nullspace(words));
  return {};
}

std::string after_stagnation(const SolveReport& report, const AdviceWords& words) {
  if (report.precision == "float")
    return fmt::format("try {}, or a larger solver.tolerance", words.double_precision);
  return "try a larger solver.tolerance; for a singular matrix a right-hand side in its range and "
         "solver.nullspace";
}

}  // namespace

std::string advice(const SolveReport& report, const AdviceWords& words) {
  const bool gmres = is_gmres(report);
  switch (report.result.status) {
    case SolveStatus::converged:
      return after_slow_convergence(report, words);
    case SolveStatus::interrupted:
      break;
    case SolveStatus::least_squares:
      return "try a right-hand side in the matrix's range, if it is to have a solution: where rows "
             "of a connected part sum to zero, one whose entries there do too";
    case SolveStatus::max_iterations:
      return after_iteration_limit(report, words);
    case SolveStatus::time_limit:
      return fmt::format(
          "try a limit above solver.time_limit_s={}, or what makes iterations fewer: "
          "another preconditioner or smoother",
          parameter(report, "solver.time_limit_s"));
    case SolveStatus::stagnated:
      return after_stagnation(report, words);
    case SolveStatus::diverged:
      return gmres ? "try another smoother, such as amg.smoother.type=l1_jacobi"
                   : "try solver.name=gmres, or another smoother, such as "
                     "amg.smoother.type=l1_jacobi";
    case SolveStatus::not_a_number:
      return fmt::format("try {}", words.after_nan);
    case SolveStatus::breakdown:
      if (gmres) return "try another smoother or preconditioner: this one may be singular";
      return report.solver == "cg" ? "try solver.name=gmres, which needs no positive definite "
                                     "matrix; or another smoother, if the matrix is one"
                                   : "try solver.name=gmres, which divides by no such product";
  }
  return {};
}

}  // namespace tessera::frontend
