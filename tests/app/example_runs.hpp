// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A run to compare.
#pragma once

#include <string>

#include "app/comparison.hpp"

namespace tessera::app::comparison_test {

/// As a report of that name would give it: three iterations of CG.
inline SavedRun example(const std::string& file) {
  SavedRun run;
  run.file = file;
  run.date = "2026-01-31T12:34:56Z";
  run.command_line = "tessera solve A.mtx --report " + file;
  run.problem = "folder/A.mtx";
  run.rows = 1000;
  run.entries = 5000;
  run.rhs = "ones";
  run.space = "openmp";
  run.machine = "a <fast> processor";
  run.threads = 2;
  run.version = "1.2.3";
  run.commit = "abc";
  run.solver = "cg";
  run.preconditioner = "amg";
  run.precision = "double";
  run.parameters = {{"solver.name", std::string("cg")},
                    {"solver.tolerance", 1e-8},
                    {"amg.smoother.type", std::string("l1_jacobi")}};
  run.status = "converged";
  run.iterations = 3;
  run.true_relative_residual = 1e-9;
  run.residual_history = {1, 1e-3, 1e-6, 1e-9};
  run.setup = {10, {10}};
  run.solve = {20, {20}};
  run.total = {30, {30}};
  run.setup_phases_ms = {{"strength", 1}, {"aggregation", 2}, {"galerkin", 7}};
  run.num_levels = 3;
  run.operator_complexity = 1.25;
  run.hierarchy_bytes = 1500000;
  return run;
}

}  // namespace tessera::app::comparison_test
