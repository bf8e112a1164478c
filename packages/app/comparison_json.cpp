// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A comparison as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <variant>

#include "app/comparison.hpp"

namespace tessera::app {

using Json = nlohmann::ordered_json;

namespace {

/// `first` is the time that the ratio is to.
Json time_json(const MeasuredTime& time, const MeasuredTime& first) {
  return {{"ms", time.ms},
          {"min_ms", time.min_ms()},
          {"max_ms", time.max_ms()},
          {"runs", std::max<std::size_t>(1, time.repeats_ms.size())},
          {"ratio_to_first", first.ms > 0 ? Json(time.ms / first.ms) : Json(nullptr)}};
}

Json saved_run_json(const SavedRun& run, const SavedRun& first) {
  return {{"file", run.file},
          {"date", run.date},
          {"command_line", run.command_line},
          {"problem",
           {{"name", run.problem},
            {"description", run.description},
            {"rows", run.rows},
            {"entries", run.entries},
            {"rhs", run.rhs},
            {"num_rhs", run.num_rhs},
            {"seed", run.seed}}},
          {"device",
           {{"space", run.space},
            {"name", run.machine},
            {"threads", run.threads},
            {"processes", run.processes}}},
          {"build", {{"version", run.version}, {"commit", run.commit}}},
          {"solver", run.solver},
          {"preconditioner", run.preconditioner},
          {"precision", run.precision},
          {"status", run.status},
          {"iterations", run.iterations},
          {"true_relative_residual", run.true_relative_residual},
          {"setup", time_json(run.setup, first.setup)},
          {"solve", time_json(run.solve, first.solve)},
          {"total", time_json(run.total, first.total)},
          {"levels", run.num_levels},
          {"operator_complexity", run.operator_complexity},
          {"hierarchy_bytes", run.hierarchy_bytes}};
}

Json parameter_json(const parameters::ParameterValue* value) {
  if (value == nullptr) return nullptr;
  return std::visit([](const auto& v) { return Json(v); }, *value);
}

}  // namespace

std::string comparison_json(const std::vector<SavedRun>& runs) {
  Json json = {{"warnings", comparison_warnings(runs)},
               {"notes", comparison_notes(runs)},
               {"runs", Json::array()},
               {"parameters", Json::object()},
               {"setup_phases_ms", Json::object()}};
  for (const SavedRun& run : runs)
    json["runs"].push_back(saved_run_json(run, runs[0]));
  for (const std::string& key : differing_parameters(runs)) {
    for (const SavedRun& run : runs)
      json["parameters"][key].push_back(parameter_json(run.parameter(key)));
  }
  for (const std::string& name : differing_phases(runs)) {
    for (const SavedRun& run : runs) {
      const double ms = run.setup_phase_ms(name);
      json["setup_phases_ms"][name].push_back(ms < 0 ? Json(nullptr) : Json(ms));
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera::app
