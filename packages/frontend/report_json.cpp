// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "frontend/report.hpp"
#include "tessera/parameters/json.hpp"

namespace tessera::frontend {

using Json = nlohmann::ordered_json;

namespace {

Json build_json(const BuildInfo& build) {
  return {{"version", build.version},
          {"commit", build.commit},
          {"kokkos", build.kokkos_version},
          {"execution_spaces", build.execution_spaces},
          {"compiler", build.compiler}};
}

Json problem_json(const ProblemReport& problem) {
  Json json = {{"name", problem.name},
               {"description", problem.description},
               {"generated", problem.generated},
               {"rows", problem.rows},
               {"entries", problem.entries},
               {"rhs", problem.rhs},
               {"seed", problem.seed},
               {"num_rhs", problem.num_rhs},
               {"num_random_rhs", problem.num_random_rhs},
               {"near_nullspace_vectors", problem.near_nullspace}};
  if (!problem.partition.empty()) {
    json["partition"] = problem.partition;
    json["cut"] = problem.cut;
    json["cut_in_order"] = problem.cut_in_order;
  }
  return json;
}

/// Null for what a level lacks.
Json storage_json(const StorageInfo& stored) {
  if (stored.format.empty()) return nullptr;
  return {{"format", stored.format},
          {"storage", stored.storage},
          {"kernel", stored.kernel},
          {"bytes", stored.bytes}};
}

Json levels_json(const HierarchyInfo& hierarchy) {
  Json levels = Json::array();
  const bool by_several = std::any_of(hierarchy.levels.begin(), hierarchy.levels.end(),
                                      [](const LevelInfo& level) { return level.processes > 1; });
  for (const LevelInfo& level : hierarchy.levels) {
    levels.push_back(
        {{"rows", level.rows},
         {"entries", level.entries},
         {"entries_per_row", level.entries_per_row},
         {"unknowns_per_node", level.unknowns_per_node},
         {"precision", level.precision},
         {"format", level.A.format},
         {"A", storage_json(level.A)},
         {"P", storage_json(level.P)},
         {"R", storage_json(level.R)},
         {"coarsening", level.coarsening.empty() ? Json(nullptr) : Json(level.coarsening)},
         {"aggregation", level.aggregation},
         {"products", level.products.empty() ? Json(nullptr) : Json(level.products)},
         {"smoother", level.smoother.empty() ? Json(nullptr) : Json(level.smoother)},
         {"spectral_radius", level.spectral_radius},
         {"setup_ms", level.setup_ms}});
    if (by_several) levels.back()["processes"] = level.processes;
  }
  return levels;
}

Json columns_json(const SolveResult& result) {
  Json columns = Json::array();
  for (const ColumnResult& column : result.columns) {
    columns.push_back({{"status", to_string(column.status)},
                       {"iterations", column.iterations},
                       {"true_relative_residual", column.true_relative_residual},
                       {"outside_range", column.outside_range},
                       {"by_absolute_tolerance", column.by_absolute_tolerance}});
  }
  return columns;
}

Json phases_json(const HierarchyInfo& hierarchy) {
  Json phases = Json::object();
  for (const auto& [name, ms] : hierarchy.setup_phases_ms)
    phases[name] = ms;
  return phases;
}

Json processes_json(const std::vector<ProcessReport>& processes) {
  Json list = Json::array();
  for (const ProcessReport& process : processes) {
    list.push_back(
        {{"rows", process.rows},
         {"entries", process.entries},
         {"ghost_rows", process.ghost_rows},
         {"setup_ms", process.setup_ms},
         {"solve_ms", process.solve_ms},
         {"peak_memory_bytes",
          process.peak_memory_bytes > 0 ? Json(process.peak_memory_bytes) : Json(nullptr)},
         {"peak_forecast_bytes",
          process.peak_forecast_bytes > 0 ? Json(process.peak_forecast_bytes) : Json(nullptr)}});
  }
  return list;
}

Json kernels_json(const std::vector<KernelTime>& kernels) {
  Json list = Json::array();
  for (const KernelTime& kernel : kernels) {
    list.push_back({{"kernel", kernel.kernel},
                    {"step", kernel.step},
                    {"level", kernel.level < 0 ? Json(nullptr) : Json(kernel.level)},
                    {"calls", kernel.calls},
                    {"ms", kernel.ms}});
  }
  return list;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double mean_rate(const SolveResult& result) {
  if (result.iterations == 0 || result.residual_history.size() < 2) return 0;
  const double first = result.residual_history.front();
  const double last = result.residual_history.back();
  if (!(first > 0)) return 0;
  return std::pow(last / first, 1.0 / static_cast<double>(result.residual_history.size() - 1));
}

double relative_bound(const SolveReport& report) {
  if (report.absolute_tolerance == 0 || report.result.columns.empty()) return report.tolerance;
  double least = std::numeric_limits<double>::infinity();
  for (const ColumnResult& column : report.result.columns) {
    const double reference = column.reference_norm > 0 ? column.reference_norm : 1;
    least = std::min(least, report.absolute_tolerance / reference);
  }
  return std::max(report.tolerance, least);
}

std::string report_json(const SolveReport& report, const AdviceWords& words) {
  Json json;
  json["status"] = report.solved ? Json(to_string(report.result.status)) : Json(nullptr);
  const std::string what_to_try = advice(report, words);
  if (report.solved && !what_to_try.empty()) json["advice"] = what_to_try;
  json["iterations"] = report.result.iterations;
  json["true_relative_residual"] = report.result.true_relative_residual;
  json["outside_range"] = report.result.outside_range;
  json["columns"] = columns_json(report.result);
  json["in_one_kernel"] = report.result.in_one_kernel;
  if (const auto work = report.result.tile_work; work != decltype(work){})
    json["tile_work"] = {{"bypassed", work[0]}, {"fp8", work[1]},  {"half", work[2]},
                         {"bfloat16", work[3]}, {"fp32", work[4]}, {"fp64", work[5]}};
  const auto bytes_or_null = [](std::size_t bytes) {
    return bytes > 0 ? Json(bytes) : Json(nullptr);
  };
  json["solver"] = report.solver;
  json["preconditioner"] = report.preconditioner;
  json["precision"] = report.precision;
  json["problem"] = problem_json(report.problem);
  json["operator_complexity"] = report.hierarchy.operator_complexity;
  json["grid_complexity"] = report.hierarchy.grid_complexity;
  json["memory_complexity"] = report.hierarchy.memory_complexity;
  json["hierarchy_bytes"] = report.hierarchy.bytes;
  json["setup_peak_bytes"] = bytes_or_null(report.hierarchy.setup_peak_bytes);
  json["setup_forecast_bytes"] = bytes_or_null(report.hierarchy.setup_forecast_bytes);
  json["peak_forecast_bytes"] = bytes_or_null(report.hierarchy.peak_forecast_bytes);
  json["levels"] = levels_json(report.hierarchy);
  json["load_ms"] = report.problem.load_ms;
  if (report.warm_up_ms) json["warm_up_ms"] = *report.warm_up_ms;
  json["setup_ms"] = report.setup_ms;
  json["solve_ms"] = report.solve_ms;
  json["setup_phases_ms"] = phases_json(report.hierarchy);
  json["repeats"] = {{"asked", report.runs_asked},
                     {"setup_ms", report.setup_repeats_ms},
                     {"solve_ms", report.solve_repeats_ms}};
  json["mean_rate"] = mean_rate(report.result);
  json["residual_history"] = report.result.residual_history;
  if (report.profile.measured) {
    json["kernels"] = {{"measured", "in a separate run with a fence after each kernel"},
                       {"setup", kernels_json(report.profile.setup)},
                       {"solve", kernels_json(report.profile.solve)}};
  }
  json["notes"] = report.picks;
  for (const std::string& note : report.hierarchy.notes)
    json["notes"].push_back(note);
  json["parameters"] = Json::parse(parameters::to_json(report.parameters));
  json["device"] = {{"requested", report.requested_device},
                    {"space", report.machine.space},
                    {"name", report.machine.name},
                    {"threads", report.machine.threads}};
  if (report.machine.processes > 1) json["device"]["processes"] = report.machine.processes;
  if (report.machine.device_pointers) json["device"]["device_pointers"] = true;
  if (!report.processes.empty()) json["processes"] = processes_json(report.processes);
  json["date"] = report.date;
  if (!report.command_line.empty()) json["command_line"] = report.command_line;
  json["peak_memory_bytes"] =
      report.peak_memory_bytes > 0 ? Json(report.peak_memory_bytes) : Json(nullptr);
  json["version"] = report.build.version;
  json["build"] = build_json(report.build);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera::frontend
