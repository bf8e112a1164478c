// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/saved_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/report.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::app {

using Json = nlohmann::ordered_json;

namespace {

/// Of a file: a pipe or a device may never end. A million residuals are a tenth of that.
constexpr std::size_t max_report_bytes = std::size_t{256} << 20U;

constexpr const char* how_reports_are_made =
    "'tessera solve MATRIX --report r.json' writes a report";

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::bad_input, message); }

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> piece{};
  while (file && text.size() <= max_report_bytes) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > max_report_bytes) {
    refuse(fmt::format("{}: it does not end within {} MiB, as a report does; {}", path,
                       max_report_bytes >> 20U, how_reports_are_made));
  }
  if (!file.eof() || file.bad()) {
    refuse(fmt::format("{}: cannot be read: {}; {}", path, std::strerror(errno),
                       how_reports_are_made));
  }
  return text;
}

Json report_of(const std::string& text, const std::string& path) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(fmt::format("{}: the file is empty; {}", path, how_reports_are_made));
  if (text.starts_with("<!doctype html"))
    refuse(path + ": this is a page of --html; give the JSON that --report wrote");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto byte = static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), text.begin() + byte, '\n');
    refuse(fmt::format("{}:{}: this is not JSON, or only a part of it; {}", path, line,
                       how_reports_are_made));
  } catch (const Json::out_of_range&) {
    refuse(path + ": it holds a number that no double holds, as no report does");
  }
}

/// Members of a report, or of an object in it, by name and with their types checked.
class ReportReader {
 public:
  ReportReader(const Json& object, std::string path, std::string prefix = "")
      : m_object(object), m_path(std::move(path)), m_prefix(std::move(prefix)) {
    if (!m_object.is_object()) {
      if (m_prefix.empty()) no_report(fmt::format("it holds {}", m_object.type_name()));
      wrong_type("", m_object, "an object");
    }
  }

  bool has(const char* key) const { return m_object.contains(key); }

  /// @throws Error where there is no such member
  const Json& at(const char* key) const {
    const auto found = m_object.find(key);
    if (found == m_object.end()) no_report(fmt::format("it has no '{}{}'", m_prefix, key));
    return *found;
  }

  ReportReader object(const char* key) const {
    return {at(key), m_path, fmt::format("{}{}.", m_prefix, key)};
  }

  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) wrong_type(key, value, "text");
    return value.get<std::string>();
  }

  bool flag(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) wrong_type(key, value, "true or false");
    return value.get<bool>();
  }

  /// A number of things, so not below 0.
  std::int64_t count(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() > 9e18)
      wrong_type(key, value, "a whole number from 0 on");
    return value.get<std::int64_t>();
  }

  /// NaN for null, as JSON has no other word for it.
  double number_or_null(const char* key) const { return number_in(key, at(key)); }

  /// A time or a ratio, of which sums are finite.
  double positive(const char* key) const {
    const double value = number_in(key, at(key));
    if (!is_positive(value)) wrong_type(key, at(key), "a number from 0 to 1e15");
    return value;
  }

  std::vector<double> numbers(const char* key) const {
    const Json& array = at(key);
    if (!array.is_array()) wrong_type(key, array, "a list of numbers");
    std::vector<double> values;
    for (const Json& value : array)
      values.push_back(number_in(key, value));
    return values;
  }

  std::vector<double> positives(const char* key) const {
    const std::vector<double> values = numbers(key);
    if (!std::all_of(values.begin(), values.end(), is_positive))
      wrong_type(key, at(key), "numbers from 0 to 1e15");
    return values;
  }

  std::size_t length(const char* key) const {
    const Json& array = at(key);
    if (!array.is_array()) wrong_type(key, array, "a list");
    return array.size();
  }

  const Json& json() const { return m_object; }

  [[noreturn]] void wrong_type(const std::string& key, const Json& found,
                               const char* expected) const {
    std::string name = m_prefix + key;
    if (name.ends_with('.')) name.pop_back();
    refuse(
        fmt::format("{}: '{}' is {}; reports of this version of Tessera have {} there. Solve "
                    "again with --report",
                    m_path, name, words_for(found), expected));
  }

 private:
  static bool is_positive(double value) { return value >= 0 && value <= 1e15; }

  /// The value where it is short, else its type.
  static std::string words_for(const Json& found) {
    if (found.is_structured()) return fmt::format("an {}", found.type_name());
    const std::string text = found.dump();
    return text.size() <= 40 ? text : std::string(found.type_name());
  }

  [[noreturn]] void no_report(const std::string& why) const {
    refuse(fmt::format("{}: JSON, but no report of a solve: {}; {}", m_path, why,
                       how_reports_are_made));
  }

  double number_in(const char* key, const Json& value) const {
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) wrong_type(key, value, "a number");
    return value.get<double>();
  }

  const Json& m_object;
  std::string m_path;
  std::string m_prefix;
};

/// The leaves below `value`, whose dotted key is `key`.
void collect_parameters(const ReportReader& reader, const Json& value, const std::string& key,
                        int depth, SavedRun& run) {
  constexpr int max_depth = 16;
  if (depth > max_depth) reader.wrong_type(key, value, "a parameter");
  if (value.is_structured()) {
    std::size_t number = 0;
    for (const auto& item : value.items()) {
      const std::string name = value.is_array() ? fmt::format("{}", number++) : item.key();
      collect_parameters(reader, item.value(), key.empty() ? name : fmt::format("{}.{}", key, name),
                         depth + 1, run);
    }
    return;
  }
  parameters::ParameterValue leaf;
  if (value.is_boolean()) {
    leaf = value.get<bool>();
  } else if (value.is_number_integer() &&
             std::abs(value.get<double>()) <= std::numeric_limits<int>::max()) {
    leaf = value.get<int>();
  } else if (value.is_number()) {
    leaf = value.get<double>();
  } else if (value.is_string()) {
    leaf = value.get<std::string>();
  } else {
    reader.wrong_type(key, value, "a parameter");
  }
  run.parameters.emplace_back(key, std::move(leaf));
}

void read_problem(const ReportReader& problem, SavedRun& run) {
  run.problem = problem.text("name");
  run.description = problem.text("description");
  run.generated = problem.flag("generated");
  run.rows = problem.count("rows");
  run.entries = problem.count("entries");
  run.rhs = problem.text("rhs");
  run.num_rhs = problem.count("num_rhs");
  run.seed = problem.count("seed");
}

void read_device(const ReportReader& device, SavedRun& run) {
  run.space = device.text("space");
  run.machine = device.text("name");
  run.threads = device.count("threads");
  if (device.has("processes")) run.processes = device.count("processes");
}

void read_times(const ReportReader& report, SavedRun& run) {
  const ReportReader repeats = report.object("repeats");
  run.setup = {report.positive("setup_ms"), repeats.positives("setup_ms")};
  run.solve = {report.positive("solve_ms"), repeats.positives("solve_ms")};
  run.total.ms = run.setup.ms + run.solve.ms;
  if (run.setup.repeats_ms.size() == run.solve.repeats_ms.size()) {
    for (std::size_t i = 0; i < run.setup.repeats_ms.size(); ++i)
      run.total.repeats_ms.push_back(run.setup.repeats_ms[i] + run.solve.repeats_ms[i]);
    if (run.total.repeated()) run.total.ms = median(run.total.repeats_ms);
  }
  const ReportReader phases = report.object("setup_phases_ms");
  for (const auto& item : phases.json().items())
    run.setup_phases_ms.emplace_back(item.key(), phases.positive(item.key().c_str()));
}

}  // namespace

double MeasuredTime::min_ms() const {
  return repeated() ? *std::min_element(repeats_ms.begin(), repeats_ms.end()) : ms;
}

double MeasuredTime::max_ms() const {
  return repeated() ? *std::max_element(repeats_ms.begin(), repeats_ms.end()) : ms;
}

const parameters::ParameterValue* SavedRun::parameter(const std::string& key) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& parameter) { return parameter.first == key; });
  return found == parameters.end() ? nullptr : &found->second;
}

double SavedRun::setup_phase_ms(const std::string& name) const {
  const auto found = std::find_if(setup_phases_ms.begin(), setup_phases_ms.end(),
                                  [&](const auto& phase) { return phase.first == name; });
  return found == setup_phases_ms.end() ? -1 : found->second;
}

SavedRun parse_saved_run(const std::string& text, const std::string& path) {
  const Json json = report_of(text, path);
  const ReportReader report(json, path);
  SavedRun run;
  run.file = path;
  run.status = report.text("status");
  run.iterations = report.count("iterations");
  run.true_relative_residual = report.number_or_null("true_relative_residual");
  run.residual_history = report.numbers("residual_history");
  run.solver = report.text("solver");
  run.preconditioner = report.text("preconditioner");
  run.precision = report.text("precision");
  read_problem(report.object("problem"), run);
  read_device(report.object("device"), run);
  read_times(report, run);
  run.operator_complexity = report.positive("operator_complexity");
  run.num_levels = report.length("levels");
  run.hierarchy_bytes = report.count("hierarchy_bytes");
  const ReportReader build = report.object("build");
  run.version = build.text("version");
  run.commit = build.text("commit");
  collect_parameters(report, report.object("parameters").json(), "", 0, run);
  if (report.has("date")) run.date = report.text("date");
  if (report.has("command_line")) run.command_line = report.text("command_line");
  return run;
}

SavedRun read_saved_run(const std::string& path) { return parse_saved_run(whole_file(path), path); }

}  // namespace tessera::app
