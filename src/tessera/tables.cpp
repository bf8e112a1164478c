// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tessera {
namespace {

std::string megabytes(std::size_t bytes) {
  return fmt::format("{:.2f} MB", 1e-6 * static_cast<double>(bytes));
}

/// "csr in float", or nothing where the level has no such matrix.
std::string storage_text(const StorageInfo& stored) {
  if (stored.format.empty()) return "-";
  return stored.format + " in " + stored.storage;
}

/// The kernels of A, P and R, once where they are alike.
std::string kernels_text(const LevelInfo& level) {
  if (level.P.kernel.empty()) return level.A.kernel;
  if (level.P.kernel == level.A.kernel && level.R.kernel == level.A.kernel) return level.A.kernel;
  return fmt::format("A: {}; P: {}; R: {}", level.A.kernel, level.P.kernel, level.R.kernel);
}

/// Memory of a matrix; nothing where the level has none.
std::string memory_text(const StorageInfo& stored) {
  if (stored.format.empty()) return "-";
  if (stored.bytes >= 100000) return megabytes(stored.bytes);
  return fmt::format("{:.1f} kB", 1e-3 * static_cast<double>(stored.bytes));
}

/// How the matrices lie in memory, how much that is, and what kernels multiply them: a line per
/// level. Format and scalar come first and once where all are alike.
std::string storage_text(const std::vector<LevelInfo>& levels) {
  const auto matrices = [](const LevelInfo& level) {
    return std::array<StorageInfo, 3>{level.A, level.P, level.R};
  };
  const std::string first = storage_text(levels.front().A);
  bool alike = true;
  for (const LevelInfo& level : levels) {
    for (const StorageInfo& stored : matrices(level))
      alike = alike && (stored.format.empty() || storage_text(stored) == first);
  }
  const auto formats = [alike](const std::array<std::string, 3>& of) {
    return alike ? std::string() : fmt::format("{:<20}  {:<20}  {:<20}  ", of[0], of[1], of[2]);
  };
  std::string out = alike ? fmt::format("all matrices {}\n", first) : std::string();
  out += fmt::format("{:>5}  {}{:>11}  {:>11}  {:>11}  {}\n", "level", formats({"A", "P", "R"}),
                     "memory of A", "P", "R", "kernels");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const auto [A, P, R] = matrices(levels[l]);
    out += fmt::format("{:>5}  {}{:>11}  {:>11}  {:>11}  {}\n", l,
                       formats({storage_text(A), storage_text(P), storage_text(R)}), memory_text(A),
                       memory_text(P), memory_text(R), kernels_text(levels[l]));
  }
  return out;
}

/// What the levels have of one thing from the finest on, where they differ.
std::string differing_text(const std::vector<LevelInfo>& levels, const char* what,
                           std::string LevelInfo::* member) {
  std::string out;
  bool alike = true;
  for (const LevelInfo& level : levels) {
    if ((level.*member).empty()) continue;
    alike = alike && level.*member == levels.front().*member;
    out += (out.empty() ? fmt::format("{} from level 0 on: ", what) : ", ") + level.*member;
  }
  return alike ? std::string() : out + "\n";
}

std::string convergence_text_line(const ConvergenceLine& line) {
  const std::string rate =
      line.iteration == 0 ? std::string() : fmt::format("  {:>8.4f}", line.rate);
  return fmt::format("{:>9}  {:>12.4e}{}\n", line.iteration, line.relative_residual, rate);
}

}  // namespace

std::string grouped_digits(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::vector<ConvergenceLine> convergence_lines(const SolveResult& result) {
  std::vector<ConvergenceLine> lines;
  for (const double residual : result.residual_history) {
    const double before = lines.empty() ? 0 : lines.back().relative_residual;
    const auto iteration = static_cast<int>(lines.size());
    lines.push_back({iteration, residual, before == 0 ? 0 : residual / before});
  }
  return lines;
}

std::string convergence_table(const SolveResult& result, int shown_at_each_end,
                              const std::string& left_out_note) {
  const std::vector<ConvergenceLine> lines = convergence_lines(result);
  if (lines.empty()) return {};
  const auto shown = static_cast<std::size_t>(std::max(0, shown_at_each_end));
  std::string out = fmt::format("{:>9}  {:>12}  {:>8}\n", "iteration", "residual", "rate");
  const bool condensed = lines.size() > 3 * shown;  // a few lines are shown sooner than counted
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (condensed && i == shown) {
      const std::size_t left_out = lines.size() - 2 * shown;
      out += fmt::format("{:>9}  ({} iterations left out{}{})\n", "...", left_out,
                         left_out_note.empty() ? "" : "; ", left_out_note);
      i += left_out;
    }
    if (i < lines.size()) out += convergence_text_line(lines[i]);
  }
  return out;
}

std::string hierarchy_table(const HierarchyInfo& hierarchy) {
  const std::vector<LevelInfo>& levels = hierarchy.levels;
  std::string notes;
  for (const std::string& note : hierarchy.notes)
    notes += note + "\n";
  if (levels.empty()) return notes;
  std::string out =
      fmt::format("{:>5}  {:>12}  {:>14}  {:>8}  {:>7}  {:<9}  {}\n", "level", "unknowns",
                  "nonzeros", "nnz/row", "c ratio", "precision", "aggregation");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double ratio = l == 0 || levels[l].rows == 0 ? 1.0
                                                       : static_cast<double>(levels[l - 1].rows) /
                                                             static_cast<double>(levels[l].rows);
    out += fmt::format("{:>5}  {:>12}  {:>14}  {:>8.2f}  {:>7}  {:<9}  {}\n", l,
                       grouped_digits(levels[l].rows), grouped_digits(levels[l].entries),
                       levels[l].entries_per_row,
                       l == 0 ? std::string("-") : fmt::format("{:.2f}", ratio),
                       levels[l].precision, levels[l].aggregation);
  }
  out += storage_text(levels);
  out += differing_text(levels, "coarsening", &LevelInfo::coarsening);
  out += differing_text(levels, "smoothers", &LevelInfo::smoother);
  out += fmt::format(
      "operator complexity {:.3f}, grid complexity {:.3f}, memory complexity {:.3f}\n",
      hierarchy.operator_complexity, hierarchy.grid_complexity, hierarchy.memory_complexity);
  out += megabytes(hierarchy.bytes) + " in all";
  if (hierarchy.setup_peak_bytes > 0)
    out += ", " + megabytes(hierarchy.setup_peak_bytes) + " at the peak of setup";
  if (hierarchy.setup_forecast_bytes > 0)
    out += ", forecast " + megabytes(hierarchy.setup_forecast_bytes);
  out += "\n";
  return out + notes;
}

std::vector<SetupTime> setup_times(const HierarchyInfo& hierarchy) {
  double sum = 0;
  for (const auto& [step, ms] : hierarchy.setup_phases_ms)
    sum += ms;
  std::vector<SetupTime> times;
  for (const auto& [step, ms] : hierarchy.setup_phases_ms)
    times.push_back({step, ms, sum > 0 ? ms / sum : 0});
  return times;
}

std::string setup_times_table(const HierarchyInfo& hierarchy) {
  const std::vector<SetupTime> times = setup_times(hierarchy);
  if (times.empty()) return {};
  std::size_t width = 4;
  double sum = 0;
  for (const SetupTime& time : times) {
    width = std::max(width, time.step.size());
    sum += time.ms;
  }
  const auto line = [&](const std::string& step, double ms, double share) {
    return fmt::format("{:<{}}  {:>10.2f}  {:>6.1f}\n", step, width, ms, 100 * share);
  };
  std::string out = fmt::format("{:<{}}  {:>10}  {:>6}\n", "step", width, "ms", "%");
  for (const SetupTime& time : times)
    out += line(time.step, time.ms, time.share);
  return out + line("sum", sum, sum > 0 ? 1 : 0);
}

}  // namespace tessera
