// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system of compare_real, and its solves by programs of their own.
#pragma once

#include "support/child_process.hpp"
#include "support/one_solve.hpp"
#include "support/real_solvers.hpp"
#include "support/real_systems.hpp"

#include "tessera/io/binary.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// One system in the scratch folder, and its solves.
class SystemRun {
 public:
  SystemRun(const OneSolve& limits, const RealCase& test, std::filesystem::path scratch)
      : m_limits(limits), m_scratch(std::move(scratch)), m_matrix(test.make(m_scratch)) {
    m_system.A = m_matrix.A;
    m_description = {{"name", test.name},
                     {"source", test.file.empty() ? "gallery" : "matrix"},
                     {"rows", m_matrix.A.num_rows},
                     {"entries", m_matrix.A.num_entries()},
                     {"symmetric", m_matrix.symmetric},
                     {"definite", m_matrix.definite}};
  }

  /// Solves from now on are for `rhs`: numbers at random, or A times ones.
  /// @throws std::runtime_error where that is zero.
  void take_rhs(const std::string& rhs) {
    if (m_description.value("rhs", "") == rhs) return;
    m_description["rhs"] = rhs;
    const HostSpace exec;
    m_system.b =
        rhs == "ones" ? row_sums(exec, m_system.A) : random_vector(exec, m_system.A.num_rows);
    exec.fence("tessera::perf");
    if (!m_system.has_rhs()) throw std::runtime_error("the right-hand side is zero");
    write_binary(exec, m_scratch / "system.tsr", m_system.A,
                 std::optional<MultiVector<double, HostSpace>>(m_system.b));
  }

  const nlohmann::json& description() const { return m_description; }

  nlohmann::json solve(const FoundSolver& found) const {
    const std::string log = m_scratch / "log";
    const std::string report = m_scratch / "report";
    std::filesystem::remove(report);
    // The program's own alarm counts setup and solve; reading and writing get as long again.
    const auto end = run_child(command(found, report), log, 30 + 2 * m_limits.limit_s);
    nlohmann::json result{{"solver", found.solver.name}};
    if (end.timed_out()) {
      result["status"] = "time limit";
    } else if (!end.succeeded()) {
      result["status"] = end.crashed() ? "crashed" : "error";
      result["message"] = end.text() + ": " + last_line(log).substr(0, 500);
    } else {
      try {
        judge(report, result);
      } catch (const std::exception& error) {
        result["status"] = "crashed";
        result["message"] = end.text() + " without a report: " + error.what();
      }
    }
    return result;
  }

 private:
  std::vector<std::string> command(const FoundSolver& found, const std::string& report) const {
    std::vector<std::string> words{found.program,
                                   "--system",
                                   m_scratch / "system.tsr",
                                   "--out",
                                   report,
                                   "--tolerance",
                                   fmt::format("{}", m_limits.tolerance),
                                   "--max-iterations",
                                   std::to_string(m_limits.max_iterations),
                                   "--limit-s",
                                   fmt::format("{}", m_limits.limit_s),
                                   "--memory-gb",
                                   fmt::format("{}", m_limits.memory_gb)};
    if (m_matrix.symmetric) words.push_back("--symmetric");
    if (m_matrix.definite) words.push_back("--definite");
    words.insert(words.end(), found.solver.arguments.begin(), found.solver.arguments.end());
    return words;
  }

  /// A residual that is no number becomes null.
  void judge(const std::string& report, nlohmann::json& result) const {
    const auto solve = SolveReport::read(report, m_system.A.num_rows);
    const double residual = m_system.relative_residual(solve.x);
    result["status"] = m_limits.is_solved(residual) ? "solved" : "not converged";
    result["version"] = solve.version;
    result["setup_ms"] = solve.timing.setup_ms;
    result["solve_ms"] = solve.timing.solve_ms;
    result["total_ms"] = solve.timing.total_ms();
    result["iterations"] = solve.timing.iterations;
    result["method"] = solve.timing.method;
    result["true_relative_residual"] = residual;
  }

  const OneSolve& m_limits;
  std::filesystem::path m_scratch;
  RealMatrix m_matrix;
  HostSystem m_system;
  nlohmann::json m_description;
};

}  // namespace tessera::perf
