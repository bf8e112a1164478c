// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The data flow of AmgT (Lu et al., "AmgT: algebraic multigrid solver on tensor cores", SC 24,
/// sections IV.E and V, tables I and II, figures 7, 8 and 10): sparse products and products with
/// vectors of each level, how many and how long, on tiles and on compressed rows, in double and in
/// mixed precision, on the default execution space.
///
/// As there: at most seven levels, one Jacobi sweep before and after, V-cycles as a solver, 50 of
/// them whatever they reach, and the coarsest level solved directly; beside these a solve to a
/// tolerance by a Krylov method around the same multigrid, or around one that `--krylov` changes.
/// `-p KEY=VALUE` sets parameters of all flows; those of the paper are at the end of `--help`.
/// `--out FILE` writes the figures as JSON, after each system.
#include "support/cycles_as_solver.hpp"
#include "support/data_flow_options.hpp"
#include "support/data_flow_report.hpp"
#include "support/data_flow_systems.hpp"
#include "support/device_main.hpp"
#include "support/multigrid_run.hpp"
#include "support/numbered_system.hpp"
#include "support/solve_timing.hpp"
#include "support/tile_conversion.hpp"

#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/kernels/format/select_format.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Space = tessera::DeviceSpace;
using Vectors = tessera::MultiVector<double, Space>;
using Hierarchy = tessera::amg::Hierarchy<double, Space>;
using tessera::perf::LevelCount;
using tessera::perf::SetupCount;
using System = tessera::perf::NumberedSystem;
using Options = tessera::perf::DataFlowOptions;
using Outcome = tessera::perf::FlowOutcome;
using tessera::perf::Flow;
using tessera::perf::flows;

/// Setups, and cycles as a solver.
void time_whole(const Space& exec, const Options& options, const System& system,
                const tessera::amg::Parameters& parameters, const Vectors& b, Outcome& outcome) {
  std::vector<tessera::perf::Timing> runs;
  for (int i = 0; i <= options.repeats; ++i) {
    const auto run = tessera::perf::run_multigrid(exec, system, parameters, b, options.cycles);
    if (i > 0) runs.push_back(run.timing);
  }
  const auto median = tessera::perf::medians(runs);
  outcome.setup_ms = median.setup_ms;
  outcome.solve_ms = median.solve_ms;
  outcome.relative_residual = median.relative_residual;
}

/// The run in the middle by the time that all its products took together.
template <class Runs, class Total>
auto middle(Runs& runs, Total total) {
  std::sort(runs.begin(), runs.end(),
            [&](const auto& a, const auto& b) { return total(a) < total(b); });
  return runs[runs.size() / 2];
}

/// Sparse products and conversions of a setup, products with vectors of a solve: each counted and
/// timed by itself, apart from `time_whole`, which has no fences inside.
void count_calls(const Space& exec, const Options& options, const System& system,
                 const tessera::amg::Parameters& parameters, const Vectors& b, Outcome& outcome) {
  auto one_sweep = parameters;
  int sweeps = 1;
  tessera::amg::for_each_smoother(
      one_sweep, [&](auto& smoother) { sweeps = std::exchange(smoother.sweeps, 1); });
  std::vector<std::vector<SetupCount>> setups;
  std::vector<std::vector<LevelCount>> solves;
  for (int i = 0; i <= options.repeats; ++i) {
    tessera::amg::HierarchyBuilder<double, Space, std::int32_t> builder(one_sweep, false);
    Hierarchy hierarchy;
    std::vector<SetupCount> setup;
    {
      const tessera::perf::SetupCounts counts;
      if (!builder.build_hierarchy(exec, system.A, system.near_nullspace, system.block_size, {},
                                   hierarchy))
        throw std::runtime_error("the hierarchy holds a NaN or an infinity");
      setup = counts.levels();
    }
    outcome.info = hierarchy.info;
    setup.resize(outcome.transitions());
    std::vector<LevelCount> products;
    tessera::perf::count_products(exec, sweeps, hierarchy, products);
    const auto cycle =
        tessera::amg::make_cycle(parameters.cycle, hierarchy, builder.is_symmetric());
    tessera::perf::run_cycles(exec, *hierarchy.levels.front().A, *cycle, b, options.cycles);
    if (i == 0) continue;  // the first warms up
    setups.push_back(setup);
    solves.push_back(products);
  }
  outcome.setup = middle(setups, [](const auto& run) { return sum_of(run).ms; });
  outcome.products = middle(solves, [](const auto& run) { return sum_of(run).ms; });
}

/// One setup and one solve, for iterations and residual.
void solve_by_krylov(const Space& exec, const System& system,
                     const tessera::SolveParameters& parameters, const Vectors& b,
                     tessera::perf::KrylovOutcome& outcome) {
  const auto x = tessera::allocate_multivector<double>(exec, "tessera::perf::x", b.extent(0));
  Kokkos::deep_copy(exec, x, 0.0);
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, system.A, system.near_nullspace, system.block_size);
  outcome.setup_ms = solver.setup_ms();
  outcome.result = solver.solve(exec, b, x);
  outcome.notes = solver.hierarchy().notes;
  for (const auto& known : tessera::solver_names) {
    if (known.value == solver.parameters().solver.name) outcome.method = known.name;
  }
}

Outcome run_flow(const Space& exec, const Options& options, const System& system, const Flow& flow,
                 const Vectors& b) {
  const auto parameters = options.parameters(flow);
  Outcome outcome;
  count_calls(exec, options, system, parameters.amg, b, outcome);
  tessera::perf::require_products(flow, outcome.info);
  time_whole(exec, options, system, parameters.amg, b, outcome);
  solve_by_krylov(exec, system, options.krylov_parameters(flow), b, outcome.krylov);
  return outcome;
}

nlohmann::json run_system(const Space& exec, const Options& options, const System& system) {
  const auto b = tessera::perf::random_vector(exec, system.A.num_rows);
  const auto statistics = tessera::kernels::select_format(exec, system.A.view()).statistics;
  nlohmann::json json{{"system", system.name},
                      {"rows", system.A.num_rows},
                      {"entries", system.A.num_entries()},
                      {"unknowns_per_node", system.block_size},
                      {"entries_per_tile", statistics.entries_per_tile()},
                      {"flows", nlohmann::json::array()},
                      {"skipped", nlohmann::json::array()}};
  for (const Flow& flow : flows) {
    try {
      const Outcome outcome = run_flow(exec, options, system, flow, b);
      print_row(system.name, flow, outcome, options.cycles);
      json["flows"].push_back(to_json(flow, outcome));
    } catch (const std::exception& error) {
      json["skipped"].push_back(tessera::perf::skipped(system.name, flow.name, error.what()));
    }
  }
  try {
    const auto conversion = tessera::perf::measure_conversion(exec, system.A, options.repeats);
    print(system.name, conversion);
    json["conversion"] = to_json(conversion);
  } catch (const std::exception& error) {
    json["skipped"].push_back(tessera::perf::skipped(system.name, "conversion", error.what()));
  }
  return json;
}

void run(const Space& exec, const Options& options) {
  // What is wrong with the settings shows here.
  static_cast<void>(options.krylov_parameters(flows.front()));
  nlohmann::json record{{"space", Space::name()},
                        {"settings", options.settings},
                        {"krylov_settings", options.krylov_settings},
                        {"max_levels", options.max_levels},
                        {"cycles", options.cycles},
                        {"repeats", options.repeats},
                        {"systems", nlohmann::json::array()}};
  tessera::perf::print_flow_header();
  tessera::perf::for_each_system(exec, options, [&](const std::string& name, const auto& make) {
    try {
      record["systems"].push_back(run_system(exec, options, make()));
    } catch (const std::exception& error) {
      nlohmann::json json{{"system", name}, {"flows", nlohmann::json::array()}};
      json["skipped"].push_back(tessera::perf::skipped(name, "system", error.what()));
      record["systems"].push_back(json);
    }
    tessera::perf::write_record(options.out, record);
  });
  record["means"] = tessera::perf::report_means(record["systems"]);
  tessera::perf::write_record(options.out, record);
}

}  // namespace

int main(int argc, char** argv) {
  return tessera::perf::device_main<Options>(
      argc, argv,
      "The data flow of AmgT: sparse products and products with vectors by level, on tiles "
      "and on compressed rows, in double and in mixed precision",
      run);
}
