// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "app/report.hpp"

namespace tessera::app {

namespace {

std::string milliseconds(double ms) {
  return ms < 10000 ? fmt::format("{:.2f} ms", ms) : fmt::format("{:.2f} s", ms / 1000);
}

/// Three decimals, or one digit of a rate too small for them.
std::string rate_text(double rate) {
  return rate == 0 || rate >= 0.0005 ? fmt::format("{:.3f}", rate) : fmt::format("{:.0e}", rate);
}

/// Why a divisor vanished, as far as the method tells.
std::string breakdown_reason(const std::string& solver) {
  if (solver == "cg") return "it needs a positive definite matrix and preconditioner";
  if (solver == "bicgstab") return "its shadow residual is orthogonal to what it is divided by";
  return "the matrix or the preconditioner is singular to working precision";
}

std::string why_no_solution(const SolveReport& report) {
  if (report.problem.entries == 0) return "the matrix has no entries, so that A x is 0 for every x";
  return "the matrix is singular and the right-hand side not in its range";
}

std::string stagnation_reason(const SolveReport& report) {
  const SolveResult& result = report.result;
  // What no x reduces is no sign of either.
  const double reducible = std::sqrt(std::max(
      0.0, std::pow(result.true_relative_residual, 2) - std::pow(result.outside_range, 2)));
  constexpr double half_of_the_digits = 1e-4;
  return reducible < half_of_the_digits
             ? "the limit of this precision"
             : "the matrix is singular, or too ill-conditioned for this precision";
}

/// With which right-hand sides met the absolute tolerance alone.
std::string converged_sentence(const SolveResult& result) {
  const std::vector<ColumnResult>& columns = result.columns;
  const auto by_absolute =
      std::count_if(columns.begin(), columns.end(),
                    [](const ColumnResult& column) { return column.by_absolute_tolerance; });
  if (by_absolute == 0) return "converged";
  if (columns.size() == 1) return "converged by the absolute tolerance";
  return fmt::format("converged, {} of {} columns by the absolute tolerance", by_absolute,
                     columns.size());
}

std::string status_sentence(const SolveReport& report) {
  const SolveStatus status = report.result.status;
  switch (status) {
    case SolveStatus::converged:
      return converged_sentence(report.result);
    case SolveStatus::least_squares:
      return fmt::format(
          "LEAST SQUARES: {}; x is the least-squares solution, and no other x has less than a "
          "relative residual of {:.3e}",
          why_no_solution(report), report.result.outside_range);
    case SolveStatus::max_iterations:
      return "NOT converged: the iteration limit came first";
    case SolveStatus::time_limit:
      return "NOT converged: the time limit came first";
    case SolveStatus::stagnated:
      return "NOT converged: the residual stagnates above the tolerance: " +
             stagnation_reason(report);
    case SolveStatus::diverged:
      return "DIVERGED: the residual grew past the limit";
    case SolveStatus::not_a_number:
      return "FAILED: a NaN or an infinity appeared";
    case SolveStatus::breakdown:
      return fmt::format("BREAKDOWN: {} divided by nearly zero; {}", report.solver,
                         breakdown_reason(report.solver));
    case SolveStatus::interrupted:
      return "INTERRUPTED: what follows is the best iterate so far";
  }
  return std::string(to_string(status));
}

/// How each right-hand side ended, where there are several: the range where all have converged,
/// else a line for each that has not.
std::string columns_text(const SolveResult& result) {
  constexpr int max_lines = 20;
  const std::vector<ColumnResult>& columns = result.columns;
  if (columns.size() < 2) return {};
  if (result.converged()) {
    const auto [least, most] = std::minmax_element(
        columns.begin(), columns.end(),
        [](const ColumnResult& a, const ColumnResult& b) { return a.iterations < b.iterations; });
    const std::string range = least->iterations == most->iterations
                                  ? fmt::format("{}", most->iterations)
                                  : fmt::format("{} to {}", least->iterations, most->iterations);
    return fmt::format("{} columns: {} iterations each\n", columns.size(), range);
  }
  std::string out;
  int failed = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnResult& column = columns[j];
    if (column.status == SolveStatus::converged || ++failed > max_lines) continue;
    out += fmt::format(
        "column {}: {}, {}, true relative residual {:.3e}\n", j, to_string(column.status),
        counted(column.iterations, "iteration", "iterations"), column.true_relative_residual);
  }
  if (failed > max_lines) {
    out += fmt::format("({} more that did not converge; --report lists all)\n", failed - max_lines);
  }
  const std::size_t converged = columns.size() - static_cast<std::size_t>(failed);
  return out + fmt::format("{} of {} columns converged\n", converged, columns.size());
}

}  // namespace

std::string counted(std::int64_t number, const char* one, const char* many) {
  return grouped_digits(number) + " " + (number == 1 ? one : many);
}

std::string rhs_text(const ProblemReport& problem) {
  if (problem.num_rhs == 1) return problem.rhs;
  const int random = problem.num_random_rhs;
  if (random == 0) return fmt::format("{}, {} columns", problem.rhs, problem.num_rhs);
  return fmt::format("{}, and {} random {}: {} columns", problem.rhs, random,
                     random == 1 ? "one" : "ones", problem.num_rhs);
}

std::string header_text(const SolveReport& report) {
  const ProblemReport& problem = report.problem;
  const auto line = [](const char* what, const std::string& text) {
    return fmt::format("{:<16}{}\n", what, text);
  };
  std::string out;
  out += line("matrix",
              fmt::format("{}{}{}, {}, {}", problem.name, problem.description.empty() ? "" : ": ",
                          problem.description, counted(problem.rows, "unknown", "unknowns"),
                          counted(problem.entries, "entry", "entries")));
  out += line("right-hand side", rhs_text(problem));
  const int processes = report.machine.processes;
  out += line("device", fmt::format("{} ({}), {}{}", report.machine.space, report.machine.name,
                                    processes > 1 ? fmt::format("{} processes of ", processes) : "",
                                    counted(report.machine.threads, "thread", "threads")));
  const std::string absolute = report.absolute_tolerance > 0
                                   ? fmt::format(" or {} absolute", report.absolute_tolerance)
                                   : "";
  out += line("method", fmt::format("{} with {}, {} precision, tolerance {}{}", report.solver,
                                    report.preconditioner == "none" ? "no preconditioner"
                                                                    : report.preconditioner,
                                    report.precision, report.tolerance, absolute));
  for (const std::string& pick : report.picks)
    out += line("", pick);
  return out;
}

std::string hierarchy_text(const SolveReport& report) { return hierarchy_table(report.hierarchy); }

std::string convergence_text(const SolveReport& report) {
  constexpr int shown_at_each_end = 12;
  return convergence_table(report.result, shown_at_each_end, "--report lists all");
}

namespace {

/// In what products have read tiles (`solver.tiles`), most bits first; empty where there are none.
std::string tiles_text(const SolveResult& result) {
  constexpr std::array<const char*, 6> names{"bypassed", "fp8", "half", "bfloat16", "fp32", "fp64"};
  const auto& work = result.tile_work;
  const auto all = static_cast<double>(std::accumulate(work.begin(), work.end(), std::int64_t(0)));
  if (all == 0) return {};
  std::string out;
  for (std::size_t k = names.size(); k-- > 0;) {
    if (work[k] == 0) continue;
    out += fmt::format("{}{:.1f} % {}", out.empty() ? "tiles read: " : ", ",
                       100 * static_cast<double>(work[k]) / all, names[k]);
  }
  return out + "\n";
}

}  // namespace

std::string result_text(const SolveReport& report) {
  const SolveResult& result = report.result;
  std::string out = fmt::format("{}, {}, true relative residual {:.3e}", status_sentence(report),
                                counted(result.iterations, "iteration", "iterations"),
                                result.true_relative_residual);
  // One iteration, such as a direct solve's, has no mean, and GMRES of Belos's no history.
  if (result.iterations > 1 && result.residual_history.size() > 1)
    out += fmt::format(", mean rate {}", rate_text(mean_rate(result)));
  out += "\n" + columns_text(result) + tiles_text(result);
  const std::string what_to_try = advice(report);
  if (!what_to_try.empty()) out += what_to_try + "\n";
  out += fmt::format("{} {}, ", report.problem.generated ? "generate" : "read",
                     milliseconds(report.problem.load_ms));
  if (report.warm_up_ms) out += fmt::format("warm-up {}, ", milliseconds(*report.warm_up_ms));
  out += fmt::format("setup {}, solve {}", milliseconds(report.setup_ms),
                     milliseconds(report.solve_ms));
  if (result.iterations > 0) {
    out += fmt::format(", {} per iteration", milliseconds(report.solve_ms / result.iterations));
  }
  out += "\n";
  if (!report.hierarchy.setup_phases_ms.empty()) {
    out += "setup by step: ";
    for (std::size_t i = 0; i < report.hierarchy.setup_phases_ms.size(); ++i) {
      const auto& [name, ms] = report.hierarchy.setup_phases_ms[i];
      out += fmt::format("{}{} {}", i == 0 ? "" : ", ", name, milliseconds(ms));
    }
    out += "\n";
  }
  if (report.solve_repeats_ms.size() > 1) {
    const auto extremes = [](const std::vector<double>& times) {
      const auto [least, most] = std::minmax_element(times.begin(), times.end());
      return fmt::format("{} to {}", milliseconds(*least), milliseconds(*most));
    };
    out += fmt::format("times are medians of {} runs: setup {}, solve {}\n",
                       report.solve_repeats_ms.size(), extremes(report.setup_repeats_ms),
                       extremes(report.solve_repeats_ms));
  }
  const auto runs = static_cast<int>(report.solve_repeats_ms.size());
  if (runs < report.runs_asked && result.status != SolveStatus::interrupted) {
    out += fmt::format("interrupted after {} of {} runs; this is the last whole one\n", runs,
                       report.runs_asked);
  }
  return out;
}

}  // namespace tessera::app
