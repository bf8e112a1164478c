// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/machine.hpp"
#include "app/nearest_name.hpp"
#include "app/output_file.hpp"
#include "app/parameter_json.hpp"
#include "app/report.hpp"
#include "app/solve_run.hpp"
#include "app/system.hpp"
#include "app/terminal.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::app {

namespace {

/// The options, checked, before anything is read or started.
struct Plan {
  std::optional<GalleryParameters> gallery;
  SolveParameters parameters;
  bool single = false;  ///< everything in float
  Place place = Place::host;
  std::optional<OutputFile> solution, report, html;
};

std::optional<GalleryParameters> chosen_problem(const SolveOptions& options) {
  if (options.matrix.empty() && options.problem.name.empty()) {
    throw UsageError("a matrix file or --problem NAME is needed; see 'tessera solve --help'");
  }
  if (options.problem.name.empty()) {
    if (options.problem.settings.empty()) return std::nullopt;
    throw UsageError(fmt::format("option for '{}' of the gallery without --problem NAME",
                                 options.problem.settings.front().first));
  }
  if (!options.matrix.empty()) {
    throw UsageError(fmt::format("both a matrix file ({}) and --problem {}: give one of them",
                                 options.matrix, options.problem.name));
  }
  return gallery_parameters(options.problem, options.seed);
}

SolveParameters chosen_parameters(const SolveOptions& options) {
  SolveParameters parameters;
  ParameterTree tree(parameters);
  if (!options.config.empty()) {
    apply_config(tree, read_json_file(options.config), options.config);
  }
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("-p {}: expected key=value", setting));
    }
    tree.set_text(setting.substr(0, equals), setting.substr(equals + 1), "-p " + setting);
  }
  return parameters;
}

void choose_precision(const SolveOptions& options, Plan& plan) {
  static const std::vector<std::string> known{"auto", "double", "float", "mixed"};
  if (options.precision == "double") {
    plan.parameters.precision = Precision::same;
  } else if (options.precision == "float") {
    plan.parameters.precision = Precision::same;
    plan.single = true;
  } else if (options.precision == "mixed") {
    plan.parameters.precision = Precision::single;
  } else if (options.precision != "auto") {
    throw UsageError(
        fmt::format("--precision {}: expected one of: {}", options.precision, join_names(known)));
  }
}

Plan make_plan(const SolveOptions& options) {
  Plan plan;
  plan.gallery = chosen_problem(options);
  if (!options.near_nullspace.empty() && !options.coordinates.empty()) {
    throw UsageError("both --near-nullspace and --coordinates: give one of them");
  }
  if (options.profile && options.report.empty() && options.html.empty()) {
    throw UsageError("--profile needs --report FILE or --html FILE to write to");
  }
  plan.parameters = chosen_parameters(options);
  choose_precision(options, plan);
  plan.place = choose_place(options.device);
  if (!options.output.empty()) plan.solution.emplace("-o", options.output);
  if (!options.report.empty()) plan.report.emplace("--report", options.report);
  if (!options.html.empty()) plan.html.emplace("--html", options.html);
  return plan;
}

template <class Scalar, class Space>
void write_solution(const Space& exec, const Plan& plan, const MultiVector<Scalar, Space>& x) {
  if (!plan.solution) return;
  try {
    write_vector(exec, plan.solution->path(), x);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) throw;
    throw OutputError(fmt::format("-o {}", error.what()));
  }
}

void write_reports(const Plan& plan, const SolveReport& report) {
  if (plan.report) plan.report->write(report_json(report));
  if (plan.html) plan.html->write(report_html(report));
}

template <class Scalar, class Space, class Offset>
ExitCode finish(const Space& exec, const System<Scalar, Space, Offset>& system,
                const SolveOptions& options, const Plan& plan, Progress& progress,
                SolveReport& report) {
  const auto x = solve_system(exec, system, plan.parameters, options, progress, report);
  if (!options.quiet) fmt::print("{}\n{}", convergence_text(report), result_text(report));
  write_solution(exec, plan, x);
  write_reports(plan, report);
  return exit_code(report.result.status);
}

/// Picks the width of the offsets: 32 bits wherever they do.
template <class Scalar, class Space>
ExitCode solve_in(const SolveOptions& options, const Plan& plan, SolveReport& report) {
  const Space exec;
  const InterruptGuard interrupt;
  Progress progress(!options.quiet);
  const auto load = [&]<class Offset>(std::type_identity<Offset>) {
    return load_system<Scalar, Space, Offset>(exec, options, plan.gallery, progress, report.problem,
                                              report.picks);
  };
  if (plan.gallery || !inspect_matrix(options.matrix).needs_64_bit_offsets()) {
    std::optional<System<Scalar, Space, std::int32_t>> narrow;
    try {
      narrow = load(std::type_identity<std::int32_t>());
    } catch (const Error& error) {
      // How the gallery says that 32 bits do not count a problem's entries.
      if (!plan.gallery || error.kind() != ErrorKind::precondition) throw;
    }
    if (narrow) return finish(exec, *narrow, options, plan, progress, report);
  }
  return finish(exec, load(std::type_identity<std::int64_t>()), options, plan, progress, report);
}

template <class Space>
ExitCode solve_on(const SolveOptions& options, const Plan& plan, SolveReport& report) {
  return plan.single ? solve_in<float, Space>(options, plan, report)
                     : solve_in<double, Space>(options, plan, report);
}

}  // namespace

ExitCode run_solve(const SolveOptions& options) {
  const Plan plan = make_plan(options);
  const KokkosSession kokkos(options.threads);
  SolveReport report;
  report.build = build_info();
  report.machine = machine_info(plan.place);
  report.requested_device = options.device;
#if TESSERA_HAVE_DEVICE
  if (plan.place == Place::device) return solve_on<DeviceSpace>(options, plan, report);
#endif
  return solve_on<HostSpace>(options, plan, report);
}

}  // namespace tessera::app
