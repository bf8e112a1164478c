// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a hierarchy as text.
#include <fmt/format.h>

#include <array>

#include "app/report.hpp"

namespace tessera::app {

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

}  // namespace

std::string hierarchy_text(const SolveReport& report) {
  const std::vector<LevelInfo>& levels = report.hierarchy.levels;
  std::string notes;
  for (const std::string& note : report.hierarchy.notes)
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
  out +=
      fmt::format("operator complexity {:.3f}, grid complexity {:.3f}, memory complexity {:.3f}\n",
                  report.hierarchy.operator_complexity, report.hierarchy.grid_complexity,
                  report.hierarchy.memory_complexity);
  out += megabytes(report.hierarchy.bytes) + " in all";
  if (report.hierarchy.setup_peak_bytes > 0)
    out += ", " + megabytes(report.hierarchy.setup_peak_bytes) + " at the peak of setup";
  out += "\n";
  return out + notes;
}

}  // namespace tessera::app
