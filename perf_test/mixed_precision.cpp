// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Precision by level as in chapter 6 of the Ginkgo thesis (Yu-Hsiang Tsai, "Portable mixed
/// precision algebraic multigrid"): table 6.2 and figures 6.5 to 6.8, iterations and times beside
/// double throughout, on the default execution space. `--out FILE` writes the table as JSON.
#include "support/device_main.hpp"
#include "support/precision_configurations.hpp"
#include "support/real_systems.hpp"
#include "support/run_options.hpp"

#include <algorithm>
#include <optional>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::PrecisionConfiguration;
using tessera::perf::Timing;

struct Options {
  std::vector<std::string> problems{"beam:order=3,refine=3", "lshape:order=3,refine=7"};
  std::vector<std::string> smoothers{"jacobi", "chebyshev"};
  std::vector<std::string> only, settings;
  std::string rhs = "own";
  std::string coarsest = "direct";
  std::string matching = "default";
  int repeats = 5;
  int warm_ups = 2;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--problems", problems, "of the gallery, as NAME:KEY=VALUE,KEY=VALUE")
        ->capture_default_str();
    app.add_option("--smoothers", smoothers,
                   "jacobi (weight 0.9; figures 6.5 and 6.7) and chebyshev (figures 6.6 and 6.8)")
        ->delimiter(';')
        ->check(CLI::IsMember({"jacobi", "chebyshev"}));
    app.add_option("--only", only, "configurations by name, such as '(DP, HP)'; the first always")
        ->delimiter(';');
    app.add_option("--rhs", rhs,
                   "own (the problem's, as the thesis has it), row-sums (b = A 1) or random")
        ->check(CLI::IsMember({"own", "row-sums", "random"}));
    app.add_option("--coarsest", coarsest,
                   "direct, or relaxed as in the thesis (4 sweeps; once by Chebyshev)")
        ->check(CLI::IsMember({"direct", "relaxed"}));
    app.add_option("--matching", matching,
                   "default, or as in the thesis: its rounds, and stored zeros couple")
        ->check(CLI::IsMember({"default", "thesis"}));
    app.add_option("-p", settings, "a parameter for all configurations, KEY=VALUE");
    app.add_option("--repeats", repeats, "runs of each that count")->check(CLI::PositiveNumber);
    app.add_option("--warm-ups", warm_ups,
                   "runs of each before them; 0 where only iterations count")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--out", out, "JSON file");
  }

  bool wants(const std::string& name) const {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  }
};

void set(tessera::parameters::ParameterTree& tree, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos) throw std::invalid_argument(setting + " is not KEY=VALUE");
    tree.set_text(setting.substr(0, equals), setting.substr(equals + 1), setting);
  }
}

/// All parameters of one configuration. Levels copy what holds for all levels when they are added,
/// so theirs come last.
tessera::SolveParameters parameters_of(const Options& options, const std::string& smoother,
                                       const PrecisionConfiguration& configuration) {
  tessera::SolveParameters parameters;
  tessera::parameters::ParameterTree tree(parameters);
  set(tree, tessera::perf::thesis_settings());
  set(tree, tessera::perf::smoother_settings(smoother));
  if (options.coarsest == "relaxed") set(tree, tessera::perf::thesis_coarsest(smoother));
  if (options.matching == "thesis") set(tree, tessera::perf::thesis_matching());
  set(tree, options.settings);
  set(tree, configuration.settings);
  return parameters;
}

/// One configuration's result.
struct Outcome {
  Timing timing;
  std::string status;
  tessera::HierarchyInfo info;
};

template <class Problem, class Vectors>
Outcome measure(const Space& exec, const Problem& problem, const Vectors& b,
                const tessera::SolveParameters& parameters, const Options& options) {
  Outcome outcome;
  std::vector<Timing> runs;
  const auto x =
      tessera::allocate_multivector<double>(exec, "tessera::perf::x", problem.A.num_rows, 1);
  for (int i = -options.warm_ups; i < options.repeats; ++i) {
    Kokkos::deep_copy(exec, x, 0.0);
    exec.fence("tessera::perf");
    Timing timing;
    Kokkos::Timer timer;
    tessera::Solver<double, Space> solver(parameters);
    solver.setup(exec, problem.A);
    exec.fence("tessera::perf");
    timing.setup_ms = timer.seconds() * 1e3;
    const auto result = solver.solve(exec, b, x);
    timing.solve_ms = result.solve_ms;
    timing.iterations = result.iterations;
    timing.relative_residual = result.true_relative_residual;
    if (i >= 0) runs.push_back(timing);
    outcome.status = std::string(to_string(result.status));
    outcome.info = solver.hierarchy();
  }
  outcome.timing = tessera::perf::medians(runs);
  return outcome;
}

/// The scalars that the levels' operators came to be stored in, such as "double, float, half": the
/// last one holds for those below. A scalar that does not hold a matrix has given way to a wider.
std::string storage_of(const tessera::HierarchyInfo& info) {
  std::vector<std::string> names;
  for (const auto& level : info.levels) {
    if (!level.smoother.empty()) names.push_back(level.A.storage);
  }
  while (names.size() > 1 && names.back() == names[names.size() - 2])
    names.pop_back();
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

nlohmann::json to_json(const PrecisionConfiguration& configuration, const Outcome& outcome,
                       double speedup, int thesis) {
  nlohmann::json json = tessera::perf::to_json(configuration.name, outcome.timing);
  json["status"] = outcome.status;
  json["speedup"] = speedup;
  json["levels"] = outcome.info.levels.size();
  json["stored"] = storage_of(outcome.info);
  json["settings"] = configuration.settings;
  json["notes"] = outcome.info.notes;
  if (!configuration.remark.empty()) json["remark"] = configuration.remark;
  if (thesis > 0) json["thesis_iterations"] = thesis;
  return json;
}

/// Of table 6.2, for its two problems that the gallery has; 0 for others.
int thesis_iterations(const PrecisionConfiguration& configuration, const std::string& problem) {
  if (problem == "beam:order=3,refine=3") return configuration.beam;
  return problem == "lshape:order=3,refine=7" ? configuration.lshape : 0;
}

/// All configurations of one problem with one smoother.
template <class Problem, class Vectors>
nlohmann::json run_table(const Space& exec, const Options& options, const std::string& name,
                         const Problem& problem, const Vectors& b, const std::string& smoother) {
  nlohmann::json rows = nlohmann::json::array();
  std::optional<double> reference_ms;
  std::printf("%s, %s: %d rows, %zu entries\n", name.c_str(), smoother.c_str(), problem.A.num_rows,
              problem.A.num_entries());
  std::printf("%-20s %6s %6s %10s %9s %9s %9s %8s %s\n", "(vectors, matrices)", "iter", "thesis",
              "residual", "setup ms", "solve ms", "ms/iter", "speedup", "stored");
  for (const auto& configuration : tessera::perf::precision_configurations()) {
    if (reference_ms && !options.wants(configuration.name)) continue;
    Outcome outcome;
    try {
      outcome = measure(exec, problem, b, parameters_of(options, smoother, configuration), options);
    } catch (const std::exception& error) {
      std::printf("%-20s not in this build: %s\n", configuration.name.c_str(), error.what());
      continue;
    }
    const Timing& t = outcome.timing;
    if (!reference_ms) reference_ms = t.solve_ms;
    const int thesis = smoother == "jacobi" ? thesis_iterations(configuration, name) : 0;
    std::printf("%-20s %6d %6s %10.2e %9.1f %9.1f %9.3f %8.2f %s%s\n", configuration.name.c_str(),
                t.iterations, thesis > 0 ? std::to_string(thesis).c_str() : "", t.relative_residual,
                t.setup_ms, t.solve_ms, t.iterations > 0 ? t.solve_ms / t.iterations : 0.0,
                *reference_ms / t.solve_ms, storage_of(outcome.info).c_str(),
                outcome.status == "converged" ? "" : (", " + outcome.status).c_str());
    std::fflush(stdout);
    rows.push_back(to_json(configuration, outcome, *reference_ms / t.solve_ms, thesis));
  }
  return {{"problem", name},
          {"smoother", smoother},
          {"rows", problem.A.num_rows},
          {"entries", problem.A.num_entries()},
          {"configurations", rows}};
}

void run(const Space& exec, const Options& options) {
  nlohmann::json tables = nlohmann::json::array();
  for (const std::string& name : options.problems) {
    const auto gallery =
        tessera::app::gallery_parameters(tessera::perf::gallery_case(name).problem);
    const auto problem = tessera::make_problem<double, Space>(exec, gallery);
    const auto b = options.rhs == "own" ? problem.b
                   : options.rhs == "random"
                       ? tessera::perf::random_vector(exec, problem.A.num_rows)
                       : tessera::perf::row_sums(exec, problem.A);
    for (const std::string& smoother : options.smoothers)
      tables.push_back(run_table(exec, options, name, problem, b, smoother));
  }
  tessera::perf::write_record(options.out, {{"space", Space::name()},
                                            {"rhs", options.rhs},
                                            {"coarsest", options.coarsest},
                                            {"matching", options.matching},
                                            {"repeats", options.repeats},
                                            {"warm_ups", options.warm_ups},
                                            {"thesis_settings", tessera::perf::thesis_settings()},
                                            {"settings", options.settings},
                                            {"tables", tables}});
}

}  // namespace

int main(int argc, char** argv) {
  return tessera::perf::device_main<Options>(
      argc, argv,
      "Precision by level as in chapter 6 of the Ginkgo thesis: AMG-CG by pairwise "
      "aggregation, iterations and times beside double",
      run);
}
