// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What mille_feuille's rows come to: for each of our ways, how many times as fast as a reference.
///
/// Two ways have done the same work where both end at the tolerance, by their true residuals, with
/// at most a tenth more iterations than the other: then times are compared. Over all matrices on
/// which both iterate it is times per iteration, whether they converge or not, as in the paper,
/// whose figures are of a fixed number of iterations. A right-hand side of zero counts nowhere.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tessera::perf {

/// Ratios whose mean is the geometric one.
class Ratios {
 public:
  void add(double ratio, const std::string& matrix) {
    if (!(ratio > 0) || !std::isfinite(ratio)) return;
    ++m_count;
    m_sum += std::log(ratio);
    if (m_count == 1 || ratio > m_most) m_most_at = matrix;
    if (m_count == 1 || ratio < m_least) m_least_at = matrix;
    m_most = m_count == 1 ? ratio : std::max(m_most, ratio);
    m_least = m_count == 1 ? ratio : std::min(m_least, ratio);
  }
  nlohmann::json json() const {
    nlohmann::json result{{"count", m_count}};
    if (m_count == 0) return result;
    result["geometric_mean"] = std::exp(m_sum / m_count);
    result["most"] = m_most;
    result["most_at"] = m_most_at;
    result["least"] = m_least;
    result["least_at"] = m_least_at;
    return result;
  }

 private:
  int m_count = 0;
  double m_sum = 0, m_most = 0, m_least = 0;
  std::string m_most_at, m_least_at;
};

inline bool has_iterated(const nlohmann::json& row) {
  return row.contains("iterations") && row["iterations"].get<int>() > 0;
}

inline bool same_work(const nlohmann::json& a, const nlohmann::json& b) {
  if (!a["met_tolerance"].get<bool>() || !b["met_tolerance"].get<bool>()) return false;
  const double x = a["iterations"].get<int>();
  const double y = b["iterations"].get<int>();
  return std::max(x, y) <= 1.1 * std::min(x, y);
}

/// A line of the summary, where there are systems for it.
inline void add_line(nlohmann::json& summary, const nlohmann::json& matrices,
                     const std::string& preconditioner, const std::string& method,
                     const std::string& way, const std::string& reference) {
  Ratios each, whole, iterations;
  int converged = 0, reference_converged = 0, systems = 0;
  for (const auto& matrix : matrices) {
    if (matrix["method"] != method || matrix["preconditioner"] != preconditioner) continue;
    const nlohmann::json* ours = nullptr;
    const nlohmann::json* theirs = nullptr;
    for (const auto& row : matrix["results"]) {
      if (row["way"] == way) ours = &row;
      if (row["way"] == reference) theirs = &row;
    }
    if (ours == nullptr || theirs == nullptr || !has_iterated(*ours) || !has_iterated(*theirs))
      continue;
    ++systems;
    converged += (*ours)["met_tolerance"].get<bool>() ? 1 : 0;
    reference_converged += (*theirs)["met_tolerance"].get<bool>() ? 1 : 0;
    const auto name = matrix["matrix"].get<std::string>();
    const auto value = [](const nlohmann::json& row, const char* key) {
      return row[key].get<double>();
    };
    each.add(value(*theirs, "us_per_iteration") / value(*ours, "us_per_iteration"), name);
    if (same_work(*ours, *theirs)) whole.add(value(*theirs, "ms") / value(*ours, "ms"), name);
    if ((*ours)["met_tolerance"].get<bool>() && (*theirs)["met_tolerance"].get<bool>())
      iterations.add(value(*ours, "iterations") / value(*theirs, "iterations"), name);
  }
  if (systems == 0) return;
  summary.push_back({{"method", method},
                     {"preconditioner", preconditioner},
                     {"way", way},
                     {"reference", reference},
                     {"systems", systems},
                     {"converged", converged},
                     {"reference_converged", reference_converged},
                     {"speedup_of_an_iteration", each.json()},
                     {"speedup_of_the_same_work", whole.json()},
                     {"ratio_of_iterations", iterations.json()}});
}

/// For each method, preconditioner, way and reference way: ratios of time, and of iterations.
inline nlohmann::json krylov_summary(const nlohmann::json& matrices) {
  nlohmann::json summary = nlohmann::json::array();
  std::vector<std::string> ways, preconditioners;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& matrix : matrices) {
    note(preconditioners, matrix["preconditioner"].get<std::string>());
    for (const auto& row : matrix["results"])
      note(ways, row["way"].get<std::string>());
  }
  for (const std::string& preconditioner : preconditioners) {
    for (const std::string method : {"cg", "bicgstab"}) {
      for (const std::string& way : ways) {
        for (const std::string& reference : ways) {
          if (way != reference) add_line(summary, matrices, preconditioner, method, way, reference);
        }
      }
    }
  }
  return summary;
}

inline void print_summary(const nlohmann::json& summary) {
  std::printf(
      "\nTimes as fast, geometric means (largest): by iteration over all, by time where both"
      " did the same work\n");
  for (const auto& line : summary) {
    const auto text = [&](const char* key) {
      const auto& ratios = line[key];
      if (ratios["count"].get<int>() == 0) return std::string("none");
      char buffer[96];
      std::snprintf(buffer, sizeof buffer, "%.2f (%.2f) of %d",
                    ratios["geometric_mean"].get<double>(), ratios["most"].get<double>(),
                    ratios["count"].get<int>());
      return std::string(buffer);
    };
    std::printf(
        "  %-9s %-12s %-18s over %-18s %-22s %-22s iterations %s\n",
        line["method"].get<std::string>().c_str(),
        line["preconditioner"].get<std::string>().c_str(), line["way"].get<std::string>().c_str(),
        line["reference"].get<std::string>().c_str(), text("speedup_of_an_iteration").c_str(),
        text("speedup_of_the_same_work").c_str(), text("ratio_of_iterations").c_str());
  }
}

}  // namespace tessera::perf
