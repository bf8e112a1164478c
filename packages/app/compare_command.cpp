// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/comparison.hpp"
#include "app/options.hpp"
#include "app/output_file.hpp"

namespace tessera::app {

namespace {

/// The output where its option was given.
std::optional<OutputFile> output_of(const char* option, const std::string& path,
                                    std::vector<OutputFile>& outputs) {
  if (path.empty()) return std::nullopt;
  return outputs.emplace_back(option, path);
}

void check_reports(const std::vector<std::string>& reports) {
  if (reports.size() < 2) {
    throw UsageError(
        "two reports are needed, A.json B.json, as 'tessera solve --report' writes them");
  }
  if (reports.size() > max_compared_runs) {
    throw UsageError(fmt::format("{} reports; at most {} stand side by side", reports.size(),
                                 max_compared_runs));
  }
  if (std::count(reports.begin(), reports.end(), "/dev/stdin") > 1)
    throw UsageError("'-' is given twice; standard input holds one report");
}

}  // namespace

ExitCode run_compare(const CompareOptions& options) {
  check_reports(options.reports);
  std::vector<OutputFile> outputs;
  const auto html = output_of("--html", options.html, outputs);
  const auto json = output_of("--json", options.json, outputs);
  std::vector<InputName> inputs;
  for (const std::string& report : options.reports)
    inputs.push_back({"the report", report});
  check_distinct(inputs, outputs);

  std::vector<SavedRun> runs;
  for (const std::string& report : options.reports)
    runs.push_back(read_saved_run(report));
  if (!options.quiet) fmt::print("{}", comparison_text(runs));
  std::fflush(stdout);  // an output may go there as well, by another way
  write_each({[&] {
                if (html) html->write(comparison_html(runs));
              },
              [&] {
                if (json) json->write(comparison_json(runs));
              }});
  return ExitCode::success;
}

}  // namespace tessera::app
