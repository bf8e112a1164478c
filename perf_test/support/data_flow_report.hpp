// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What data_flow finds, as lines of a table, as JSON, and as means over all systems.
#pragma once

#include "support/data_flow_options.hpp"
#include "support/level_counts.hpp"
#include "support/ratios_by_name.hpp"
#include "support/setup_counts.hpp"

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/operator/solve_result.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// One solve by a Krylov method around the flow's multigrid.
struct KrylovOutcome {
  std::string method;
  double setup_ms = 0;
  SolveResult result;
  std::vector<std::string> notes;
};

/// Everything of one system with one data flow.
struct FlowOutcome {
  double setup_ms = 0;
  double solve_ms = 0;
  double relative_residual = 0;
  HierarchyInfo info;
  std::vector<SetupCount> setup;
  std::vector<LevelCount> products;
  KrylovOutcome krylov;

  std::size_t transitions() const { return info.levels.size() - 1; }
  ProductCount spgemm() const { return sum_of(setup); }
  ProductCount spmv() const { return sum_of(products); }
  int conversions() const {
    int sum = 0;
    for (const SetupCount& level : setup)
      sum += level.rows_to_tiles + level.tiles_to_rows;
    return sum;
  }
};

inline nlohmann::json to_json(const ProductCount& count) {
  return {{"calls", count.calls}, {"ms", count.ms}};
}

inline nlohmann::json to_json(const KrylovOutcome& krylov) {
  return {{"method", krylov.method},
          {"setup_ms", krylov.setup_ms},
          {"solve_ms", krylov.result.solve_ms},
          {"iterations", krylov.result.iterations},
          {"status", std::string(to_string(krylov.result.status))},
          {"true_relative_residual", krylov.result.true_relative_residual},
          {"notes", krylov.notes}};
}

inline nlohmann::json levels_json(const FlowOutcome& outcome) {
  nlohmann::json levels = nlohmann::json::array();
  for (std::size_t l = 0; l < outcome.info.levels.size(); ++l) {
    const auto& level = outcome.info.levels[l];
    nlohmann::json json{{"rows", level.rows},
                        {"entries", level.entries},
                        {"format", level.A.format},
                        {"storage", level.A.storage},
                        {"products", level.products},
                        {"spmv_A", to_json(outcome.products[l].A)},
                        {"spmv_P", to_json(outcome.products[l].P)},
                        {"spmv_R", to_json(outcome.products[l].R)}};
    if (l < outcome.setup.size()) {
      const SetupCount& setup = outcome.setup[l];
      json["spgemm_AP"] = to_json(setup.first);
      json["spgemm_RAP"] = to_json(setup.second);
      json["rows_to_tiles"] = setup.rows_to_tiles;
      json["tiles_to_rows"] = setup.tiles_to_rows;
    }
    levels.push_back(json);
  }
  return levels;
}

inline nlohmann::json to_json(const Flow& flow, const FlowOutcome& outcome) {
  return {{"flow", flow.name},
          {"precision", flow.is_mixed ? "mixed" : "double"},
          {"setup_ms", outcome.setup_ms},
          {"solve_ms", outcome.solve_ms},
          {"relative_residual", outcome.relative_residual},
          {"spgemm", to_json(outcome.spgemm())},
          {"spmv", to_json(outcome.spmv())},
          {"conversions", outcome.conversions()},
          {"krylov", to_json(outcome.krylov)},
          {"notes", outcome.info.notes},
          {"levels", levels_json(outcome)}};
}

inline void print_flow_header() {
  std::printf("%-22s %-22s %6s %6s %7s %6s %7s %9s %9s %9s %9s %9s  %s\n", "system", "flow",
              "levels", "SpGEMM", "AmgT's", "SpMV", "AmgT's", "SpGEMM ms", "setup ms", "SpMV ms",
              "solve ms", "residual", "Krylov method, iterations, status, true residual");
}

/// Beside the counts that the paper has for that many levels: three sparse products per level (one
/// of them for P, which is smoothed here in one pass without a product), and five products with
/// vectors per level and cycle, beside one on the finest (here four: a sweep from zero needs none).
inline void print_row(const std::string& name, const Flow& flow, const FlowOutcome& outcome,
                      int cycles) {
  const auto transitions = static_cast<int>(outcome.transitions());
  std::printf("%-22s %-22s %6d %6d %7d %6d %7d %9.2f %9.2f %9.2f %9.2f %9.1e ", name.c_str(),
              flow.name.c_str(), transitions + 1, outcome.spgemm().calls, 3 * transitions,
              outcome.spmv().calls, cycles * (5 * transitions + 1) + 1, outcome.spgemm().ms,
              outcome.setup_ms, outcome.spmv().ms, outcome.solve_ms, outcome.relative_residual);
  const SolveResult& krylov = outcome.krylov.result;
  std::printf(" %-8s %4d %-14s %9.1e\n", outcome.krylov.method.c_str(), krylov.iterations,
              std::string(to_string(krylov.status)).c_str(), krylov.true_relative_residual);
  std::fflush(stdout);
}

/// Of one of `systems` in the record; null where it was skipped.
inline const nlohmann::json* find_flow(const nlohmann::json& system, const std::string& name) {
  const auto& all = system.at("flows");
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const nlohmann::json& flow) { return flow["flow"] == name; });
  return found == all.end() ? nullptr : &*found;
}

/// How many times as fast `ours` is as `theirs`, under "`what`: " and the step.
inline void add_time_ratios(const std::string& what, const nlohmann::json& theirs,
                            const nlohmann::json& ours, RatiosByName& ratios) {
  const auto ms = [](const nlohmann::json& of, const char* key) { return of[key].get<double>(); };
  const double setups[] = {ms(theirs, "setup_ms"), ms(ours, "setup_ms")};
  const double solves[] = {ms(theirs, "solve_ms"), ms(ours, "solve_ms")};
  ratios.add(what + ": setup", setups[0], setups[1]);
  ratios.add(what + ": solve", solves[0], solves[1]);
  ratios.add(what + ": total", setups[0] + solves[0], setups[1] + solves[1]);
}

/// The same with the products of both steps.
inline void add_ratios(const std::string& what, const nlohmann::json& theirs,
                       const nlohmann::json& ours, RatiosByName& ratios) {
  add_time_ratios(what, theirs, ours, ratios);
  for (const auto& [name, key] : {std::pair{"SpGEMM", "spgemm"}, std::pair{"SpMV", "spmv"}})
    ratios.add(what + ": " + name, theirs[key]["ms"].get<double>(), ours[key]["ms"].get<double>());
}

/// Says that there are no figures of `what`, and why, for the record.
inline nlohmann::json skipped(const std::string& system, const std::string& what,
                              const std::string& reason) {
  std::printf("%-22s %-22s skipped: %s\n", system.c_str(), what.c_str(), reason.c_str());
  std::fflush(stdout);
  return {{"what", what}, {"reason", reason}};
}

/// Prints, and returns for the record, geometric means over the systems that have both flows.
inline nlohmann::json report_means(const nlohmann::json& systems) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"tiles", "rows"}, {"rows, mixed", "rows"}, {"tiles, mixed", "tiles"}};
  RatiosByName ratios;
  for (const auto& system : systems) {
    for (const auto& pair : pairs) {
      const nlohmann::json* const ours = find_flow(system, pair.first);
      const nlohmann::json* const theirs = find_flow(system, pair.second);
      if (ours != nullptr && theirs != nullptr)
        add_ratios(pair.first + " over " + pair.second, *theirs, *ours, ratios);
    }
    if (!system.contains("conversion")) continue;
    ratios.add("time of a conversion over SpMV on tiles",
               system["conversion"]["conversion_ms"].get<double>(),
               system["conversion"]["spmv_tiles_ms"].get<double>());
  }
  std::printf("\nTimes as fast, over the systems that have both\n");
  return ratios.report();
}

}  // namespace tessera::perf
