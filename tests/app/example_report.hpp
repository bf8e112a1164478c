// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A report to show, and what is looked for in it.
#pragma once

#include "app/report.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app::report_test {

inline nlohmann::json json_of(const SolveReport& report) {
  return nlohmann::json::parse(report_json(report));
}

/// How often `part` occurs.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// A solve of two levels that converged.
inline SolveReport example() {
  SolveReport report;
  report.build = {"1.2.3", "abc", "5.0.0", {"openmp"}, "gcc"};
  report.machine = {"openmp", "a <fast> processor", 2};
  report.problem.name = "A & B.mtx";
  report.problem.rows = 1234567;
  report.problem.entries = 7654321;
  report.problem.rhs = "ones";
  report.parameters = {
      {"solver.name", std::string("cg")}, {"solver.tolerance", 1e-8}, {"amg.max_levels", 7}};
  report.solver = "cg";
  report.preconditioner = "amg";
  report.precision = "double";
  report.tolerance = 1e-8;
  const StorageInfo tiles{"mbsr packed", "half", "staged, 4 lanes per tile row", 25500000};
  const StorageInfo rows{"csr", "float", "rows", 76004};
  report.hierarchy.levels = {
      {1234567, 7654321, 6.2, 1, "double", tiles, rows, rows, "MIS(2)", 1.9, 3.5},
      {1000, 9000, 9.0, 1, "float", rows, {}, {}, "dense", 0, 0.5}};
  report.hierarchy.bytes = 25728012;
  report.hierarchy.operator_complexity = 1.25;
  report.hierarchy.memory_complexity = 1.125;
  report.hierarchy.setup_peak_bytes = 50500000;
  report.hierarchy.setup_phases_ms = {{"strength", 1.0}, {"galerkin", 2.0}};
  report.result.status = SolveStatus::converged;
  report.result.iterations = 3;
  report.result.residual_history = {1, 1e-3, 1e-6, 1e-9};
  report.result.true_relative_residual = 1e-9;
  report.setup_ms = 4;
  report.solve_ms = 5;
  report.solve_repeats_ms = {5};
  report.setup_repeats_ms = {4};
  return report;
}

}  // namespace tessera::app::report_test
