// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the last solve of a solver ended.
#include <algorithm>

#include <fmt/format.h>

#include "c/solver_handle.hpp"

namespace tessera::c {

namespace {

constexpr frontend::AdviceWords advice_words{
    "tessera_set_coordinates", "tessera_set_near_nullspace",
    "tessera_set_near_nullspace, tessera_set_coordinates", "values in double",
    "right-hand sides and guesses without a NaN or an infinity, and a "
    "setup without TESSERA_TRUSTED, which checks the matrix"};

frontend::SolveReport report_of(tessera_solver& solver) {
  const Engine& engine = engine_of(solver);
  frontend::SolveReport report;
  report.build = frontend::build_info();
  report.machine = frontend::machine_info(frontend::choose_place("device", solver.device));
  report.requested_device = solver.device;
  report.date = frontend::date_text();
  report.peak_memory_bytes = frontend::peak_memory_bytes();
  report.problem.name = report.problem.rhs = "arrays of the caller";
  engine.describe(report);
  report.solved = solver.result.has_value();
  if (solver.result) {
    report.result = *solver.result;
    report.problem.num_rhs = static_cast<int>(solver.result->columns.size());
    report.solve_ms = solver.result->solve_ms;
    report.solve_repeats_ms = {report.solve_ms};
  }
  return report;
}

/// What the last error says of a solve that is not as good as asked.

}  // namespace

const SolveResult& result_of(tessera_solver& solver) {
  require_argument(solver.result.has_value(), [] {
    return std::string("there is no solve since the last setup; call tessera_solve first");
  });
  return *solver.result;
}

std::string shortfall(tessera_solver& solver) {
  const SolveResult& result = result_of(solver);
  const std::string advised = advice(report_of(solver), advice_words);
  return fmt::format(
      "the solve ended as {} after {} iterations with a relative residual of {:.3g}{}{}",
      to_string(result.status), result.iterations, result.true_relative_residual,
      advised.empty() ? "" : "; ", advised);
}

}  // namespace tessera::c

using namespace tessera::c;

tessera_status tessera_result(tessera_solver* solver, int32_t* iterations,
                              double* relative_residual, double* setup_ms, double* solve_ms) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    const tessera::SolveResult& result = result_of(s);
    if (iterations != nullptr) *iterations = result.iterations;
    if (relative_residual != nullptr) *relative_residual = result.true_relative_residual;
    if (setup_ms != nullptr) *setup_ms = engine_of(s).setup_ms();
    if (solve_ms != nullptr) *solve_ms = result.solve_ms;
  });
}

tessera_status tessera_column_result(tessera_solver* solver, int32_t column, tessera_status* status,
                                     int32_t* iterations, double* relative_residual) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    const auto& columns = result_of(s).columns;
    require_argument(column >= 0 && static_cast<std::size_t>(column) < columns.size(), [&] {
      return fmt::format("column is {}; the last solve had {}, from 0 on", column, columns.size());
    });
    const tessera::ColumnResult& result = columns[static_cast<std::size_t>(column)];
    if (status != nullptr) *status = status_of(result.status);
    if (iterations != nullptr) *iterations = result.iterations;
    if (relative_residual != nullptr) *relative_residual = result.true_relative_residual;
  });
}

tessera_status tessera_history(tessera_solver* solver, double* residuals, int64_t capacity,
                               int64_t* count) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_argument(capacity >= 0,
                     [&] { return fmt::format("capacity is {}; expected 0 or more", capacity); });
    if (capacity > 0) require_pointer(residuals, "residuals");
    const auto& history = result_of(s).residual_history;
    const auto length = static_cast<std::int64_t>(history.size());
    std::copy_n(history.begin(), std::min(capacity, length), residuals);
    if (count != nullptr) *count = length;
  });
}

tessera_status tessera_report(tessera_solver* solver, const char** json) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(json, "json");
    s.json = report_json(report_of(s), advice_words);
    *json = s.json.c_str();
  });
}
