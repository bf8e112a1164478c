// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The data flow of AmgT (Lu et al., "AmgT: algebraic multigrid solver on tensor cores", SC 24,
/// section IV.E and table II): sparse products and products with vectors of each level, how many
/// and how long, on tiles and on compressed rows, on the default execution space.
///
/// As there: at most seven levels, one Jacobi sweep before and after, V-cycles as a solver, 50 of
/// them whatever they reach, and the coarsest level solved directly. `--out FILE` writes the
/// figures as JSON.
#include "support/data_flow_options.hpp"
#include "support/device_main.hpp"
#include "support/level_counts.hpp"
#include "support/numbered_system.hpp"
#include "support/setup_counts.hpp"
#include "support/solve_timing.hpp"

#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace {

using Space = tessera::DeviceSpace;
using Vectors = tessera::MultiVector<double, Space>;
using Hierarchy = tessera::amg::Hierarchy<double, Space>;
using tessera::perf::LevelCount;
using tessera::perf::ProductCount;
using tessera::perf::SetupCount;
using System = tessera::perf::NumberedSystem;
using Options = tessera::perf::DataFlowOptions;
using tessera::perf::Flow;
using tessera::perf::flows;

double norm(const Vectors& v) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  double sum = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i)
    sum += host(i, 0) * host(i, 0);
  return std::sqrt(sum);
}

struct Solve {
  double ms = 0;
  double relative_residual = 0;
};

/// V-cycles as a solver: x += M (b - A x), `cycles` times from x = 0.
Solve solve(const Space& exec, const tessera::SparseOperator<double, Space>& A,
            tessera::Preconditioner<double, Space>& M, const Vectors& b, int cycles) {
  const Vectors x = tessera::allocate_multivector<double>(exec, "tessera::perf::x", b.extent(0));
  const Vectors r = tessera::allocate_multivector<double>(exec, "tessera::perf::r", b.extent(0));
  const Vectors z = tessera::allocate_multivector<double>(exec, "tessera::perf::z", b.extent(0));
  Kokkos::deep_copy(exec, x, 0.0);
  M.prepare(exec, 1);
  exec.fence("tessera::perf");
  const Kokkos::Timer timer;
  A.residual(exec, b, x, r);
  for (int i = 0; i < cycles; ++i) {
    M.apply(exec, r, z);
    tessera::kernels::axpby<double, Space>(exec, 1.0, z, 1.0, x);
    A.residual(exec, b, x, r);
  }
  exec.fence("tessera::perf");
  const double ms = timer.seconds() * 1e3;
  return {ms, norm(r) / norm(b)};
}

/// Everything of one system with one data flow.
struct Outcome {
  double setup_ms = 0;
  double solve_ms = 0;
  double relative_residual = 0;
  tessera::HierarchyInfo info;
  std::vector<SetupCount> setup;
  std::vector<LevelCount> products;

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

void time_whole(const Space& exec, const Options& options, const System& system, const Flow& flow,
                const Vectors& b, Outcome& outcome) {
  std::vector<tessera::perf::Timing> runs;
  for (int i = 0; i <= options.repeats; ++i) {
    tessera::perf::Timing timing;
    exec.fence("tessera::perf");
    const Kokkos::Timer timer;
    tessera::amg::Multigrid<double, Space> grid(options.parameters(flow));
    grid.setup(exec, system.A, system.near_nullspace, system.block_size);
    exec.fence("tessera::perf");
    timing.setup_ms = timer.seconds() * 1e3;
    const Solve run = solve(exec, *grid.levels().front().A, grid, b, options.cycles);
    timing.solve_ms = run.ms;
    timing.relative_residual = run.relative_residual;
    if (i > 0) runs.push_back(timing);
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
void count_calls(const Space& exec, const Options& options, const System& system, const Flow& flow,
                 const Vectors& b, Outcome& outcome) {
  const auto parameters = options.parameters(flow);
  std::vector<std::vector<SetupCount>> setups;
  std::vector<std::vector<LevelCount>> solves;
  for (int i = 0; i <= options.repeats; ++i) {
    tessera::amg::HierarchyBuilder<double, Space, std::int32_t> builder(parameters, false);
    Hierarchy hierarchy;
    std::vector<SetupCount> setup;
    {
      const tessera::perf::SetupCounts counts;
      if (!builder.build_hierarchy(exec, system.A, system.near_nullspace, system.block_size, {},
                                   hierarchy))
        throw std::runtime_error(system.name + ": the hierarchy holds a NaN or an infinity");
      setup = counts.levels();
    }
    outcome.info = hierarchy.info;
    setup.resize(outcome.transitions());
    std::vector<LevelCount> products;
    tessera::perf::count_products(exec, parameters.smoother, hierarchy, products);
    const auto cycle = tessera::amg::make_cycle(tessera::amg::CycleType::v, hierarchy, true);
    solve(exec, *hierarchy.levels.front().A, *cycle, b, options.cycles);
    if (i == 0) continue;  // the first warms up
    setups.push_back(setup);
    solves.push_back(products);
  }
  outcome.setup = middle(setups, [](const auto& run) { return sum_of(run).ms; });
  outcome.products = middle(solves, [](const auto& run) { return sum_of(run).ms; });
}

nlohmann::json to_json(const ProductCount& count) {
  return {{"calls", count.calls}, {"ms", count.ms}};
}

nlohmann::json to_json(const Flow& flow, const Outcome& outcome) {
  nlohmann::json levels = nlohmann::json::array();
  for (std::size_t l = 0; l < outcome.info.levels.size(); ++l) {
    const auto& level = outcome.info.levels[l];
    nlohmann::json json{{"rows", level.rows},
                        {"entries", level.entries},
                        {"format", level.A.format},
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
  return {{"flow", flow.name},
          {"setup_ms", outcome.setup_ms},
          {"solve_ms", outcome.solve_ms},
          {"relative_residual", outcome.relative_residual},
          {"spgemm", to_json(outcome.spgemm())},
          {"spmv", to_json(outcome.spmv())},
          {"conversions", outcome.conversions()},
          {"notes", outcome.info.notes},
          {"levels", levels}};
}

void print_header() {
  std::printf("%-22s %-22s %6s %6s %7s %6s %7s %9s %9s %9s %9s\n", "system", "flow", "levels",
              "SpGEMM", "AmgT's", "SpMV", "AmgT's", "SpGEMM ms", "setup ms", "SpMV ms", "solve ms");
}

/// Beside the counts that the paper has for that many levels: three sparse products per level (one
/// of them for P, which is smoothed here in one pass without a product), and five products with
/// vectors per level and cycle, beside one on the finest (here four: a sweep from zero needs none).
void print_row(const std::string& name, const Flow& flow, const Outcome& outcome, int cycles) {
  const auto transitions = static_cast<int>(outcome.transitions());
  std::printf("%-22s %-22s %6d %6d %7d %6d %7d %9.2f %9.2f %9.2f %9.2f\n", name.c_str(),
              flow.name.c_str(), transitions + 1, outcome.spgemm().calls, 3 * transitions,
              outcome.spmv().calls, cycles * (5 * transitions + 1) + 1, outcome.spgemm().ms,
              outcome.setup_ms, outcome.spmv().ms, outcome.solve_ms);
  std::fflush(stdout);
}

nlohmann::json run_system(const Space& exec, const Options& options, const System& system) {
  const auto b = tessera::perf::random_vector(exec, system.A.num_rows);
  const auto statistics = tessera::kernels::select_format(exec, system.A.view()).statistics;
  nlohmann::json results = nlohmann::json::array();
  for (const Flow& flow : flows) {
    try {
      Outcome outcome;
      time_whole(exec, options, system, flow, b, outcome);
      count_calls(exec, options, system, flow, b, outcome);
      print_row(system.name, flow, outcome, options.cycles);
      results.push_back(to_json(flow, outcome));
    } catch (const std::exception& error) {
      std::printf("%-22s %-22s %s\n", system.name.c_str(), flow.name.c_str(), error.what());
    }
  }
  return {{"system", system.name},
          {"rows", system.A.num_rows},
          {"entries", system.A.num_entries()},
          {"unknowns_per_node", system.block_size},
          {"entries_per_tile", statistics.entries_per_tile()},
          {"flows", results}};
}

void run(const Space& exec, const Options& options) {
  nlohmann::json systems = nlohmann::json::array();
  print_header();
  for (const std::string& text : options.gallery)
    systems.push_back(
        run_system(exec, options, tessera::perf::numbered_system_of_gallery(exec, text)));
  if (!options.folder.empty()) {
    for (const auto& matrix : tessera::perf::cases_of_folder(options.folder, 0)) {
      const auto& wanted = options.matrices;
      if (std::find(wanted.begin(), wanted.end(), matrix.name) == wanted.end()) continue;
      systems.push_back(
          run_system(exec, options, tessera::perf::numbered_system_of_file(exec, matrix)));
    }
  }
  tessera::perf::write_record(options.out, {{"space", Space::name()},
                                            {"max_levels", options.max_levels},
                                            {"cycles", options.cycles},
                                            {"repeats", options.repeats},
                                            {"systems", systems}});
}

}  // namespace

int main(int argc, char** argv) {
  return tessera::perf::device_main<Options>(
      argc, argv,
      "The data flow of AmgT: sparse products and products with vectors by level, on tiles "
      "and on compressed rows",
      run);
}
