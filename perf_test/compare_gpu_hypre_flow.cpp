// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// AmgT's flow of data beside the peer that the paper has (Lu et al., SC 24, section V, figures 7
/// and 8): hypre on one GPU by cuSPARSE's kernels and by its own, and Tessera's levels in rows and
/// in tiles, in double. Setups and V-cycles as a solver, 50 of them from x = 0 whatever they reach,
/// in turn in one process, medians of alternating runs.
///
/// Components are the paper's on both sides: hypre's are fixed, Tessera's are those of the paper
/// and `-p KEY=VALUE` after them. Assembly and copies are left out. Where hypre ends the process,
/// which an error of cuSPARSE does, the same command with its `--out FILE` goes on after that.
#include "support/data_flow_options.hpp"
#include "support/data_flow_report.hpp"
#include "support/data_flow_systems.hpp"
#include "support/device_main.hpp"
#include "support/gpu_hypre_flow.hpp"
#include "support/host_system.hpp"
#include "support/multigrid_run.hpp"
#include "support/resumed_record.hpp"

#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using Space = tessera::DeviceSpace;
using System = tessera::perf::NumberedSystem;
using tessera::perf::Flow;
using tessera::perf::Timing;

struct Options : tessera::perf::DataFlowOptions {
  void add_to(CLI::App& app) { add_shared_to(app); }
};

const char* const baseline = "hypre on cuSPARSE";
const char* const own_kernels = "hypre's own kernels";

/// Of one run.
struct Made {
  Timing timing;
  int levels = 0;
  std::int64_t coarsest_rows = 0;
  bool coarsest_is_direct = false;
  double operator_complexity = 1;
};

struct Contender {
  std::string name;
  std::function<Made()> run;
  std::vector<Timing> timings = {};
  Made last = {};
  std::string failure = {};
};

Made run_tessera(const Space& exec, const Options& options, const System& system, const Flow& flow,
                 const tessera::MultiVector<double, Space>& b) {
  const auto parameters = options.parameters(flow).amg;
  const auto run = tessera::perf::run_multigrid(exec, system, parameters, b, options.cycles);
  tessera::perf::require_products(flow, run.info);
  const auto& levels = run.info.levels;
  return {run.timing, static_cast<int>(levels.size()), levels.back().rows,
          levels.back().smoother.empty(), run.info.operator_complexity};
}

Made run_hypre(tessera::perf::GpuHypreFlow& flow, tessera::perf::GpuHypreSystem& peer,
               const tessera::perf::HostSystem& host) {
  auto run = flow.run();
  run.timing.relative_residual = host.relative_residual(peer.solution());
  return {run.timing, static_cast<int>(run.rows.size()), run.rows.back(), run.coarsest_is_direct,
          run.operator_complexity};
}

/// What failed once is not run again. Where the device takes no more work the process ends, and the
/// next one goes on without what was running.
void run_one(const std::string& system, bool is_warm_up, tessera::perf::ResumedRecord& record,
             Contender& contender) {
  if (!contender.failure.empty()) return;
  record.begin(system, contender.name);
  try {
    contender.last = contender.run();
    if (!is_warm_up) contender.timings.push_back(contender.last.timing);
  } catch (const std::exception& error) {
    contender.failure = error.what();
    if (cudaDeviceSynchronize() == cudaSuccess) return;
    std::fprintf(stderr, "%s, %s: %s\n", system.c_str(), contender.name.c_str(), error.what());
    std::_Exit(75);
  }
}

nlohmann::json to_json(const Contender& contender) {
  const Timing median = tessera::perf::medians(contender.timings);
  const Made& made = contender.last;
  return {{"flow", contender.name},
          {"setup_ms", median.setup_ms},
          {"solve_ms", median.solve_ms},
          {"total_ms", median.total_ms()},
          {"cycles", median.iterations},
          {"relative_residual", median.relative_residual},
          {"levels", made.levels},
          {"coarsest_rows", made.coarsest_rows},
          {"coarsest_is_direct", made.coarsest_is_direct},
          {"operator_complexity", made.operator_complexity}};
}

void print(const std::string& system, const Contender& contender) {
  const Timing median = tessera::perf::medians(contender.timings);
  const Made& made = contender.last;
  std::printf("%-30s %-20s %6d %8.2f %10.2f %10.2f %10.2f %10.1e%s\n", system.c_str(),
              contender.name.c_str(), made.levels, made.operator_complexity, median.setup_ms,
              median.solve_ms, median.total_ms(), median.relative_residual,
              made.coarsest_is_direct ? "" : " (the coarsest level is smoothed)");
  std::fflush(stdout);
}

nlohmann::json run_system(const Space& exec, const Options& options, const System& system,
                          tessera::perf::ResumedRecord& record) {
  const auto b = tessera::perf::random_vector(exec, system.A.num_rows);
  exec.fence("tessera::perf");
  const auto host = tessera::perf::on_host<Space>(system.A, b);
  tessera::perf::GpuHypreSystem peer(host.A, {host.b.data(), host.b.data() + host.A.num_rows},
                                     system.block_size);
  tessera::perf::GpuHypreFlow vendors(peer, true, options.max_levels, options.cycles);
  tessera::perf::GpuHypreFlow own(peer, false, options.max_levels, options.cycles);
  std::vector<Contender> contenders{{baseline, [&] { return run_hypre(vendors, peer, host); }},
                                    {own_kernels, [&] { return run_hypre(own, peer, host); }}};
  for (const Flow& flow : tessera::perf::flows) {
    if (flow.name == "rows" || flow.name == "tiles")
      contenders.push_back(
          {flow.name, [&] { return run_tessera(exec, options, system, flow, b); }});
  }
  for (Contender& contender : contenders) {
    if (record.has_ended(system.name, contender.name))
      contender.failure = "the process ended while it ran";
  }
  for (int i = 0; i <= options.repeats; ++i) {
    for (Contender& contender : contenders)
      run_one(system.name, i == 0, record, contender);
  }
  nlohmann::json json{{"system", system.name},
                      {"rows", system.A.num_rows},
                      {"entries", system.A.num_entries()},
                      {"unknowns_per_node", system.block_size},
                      {"flows", nlohmann::json::array()},
                      {"skipped", nlohmann::json::array()}};
  for (const Contender& contender : contenders) {
    if (contender.failure.empty()) {
      print(system.name, contender);
      json["flows"].push_back(to_json(contender));
    } else {
      json["skipped"].push_back(
          tessera::perf::skipped(system.name, contender.name, contender.failure));
    }
  }
  return json;
}

/// Over the systems that both have.
nlohmann::json report_means(const nlohmann::json& systems) {
  tessera::perf::RatiosByName ratios;
  for (const auto& system : systems) {
    const auto* const theirs = tessera::perf::find_flow(system, baseline);
    if (theirs == nullptr) continue;
    for (const std::string name : {"rows", "tiles", own_kernels}) {
      if (const auto* const ours = tessera::perf::find_flow(system, name))
        tessera::perf::add_time_ratios(name + " over " + baseline, *theirs, *ours, ratios);
    }
  }
  std::printf("\nTimes as fast, over the systems that have both\n");
  return ratios.report();
}

void run(const Space& exec, const Options& given) {
  Options options = given;
  options.settings = tessera::perf::paper_settings;
  options.settings.insert(options.settings.end(), given.settings.begin(), given.settings.end());
  // What is wrong with the settings shows here.
  static_cast<void>(options.parameters(tessera::perf::flows.front()));
  const tessera::perf::GpuHypre hypre;
  tessera::perf::ResumedRecord record({{"space", Space::name()},
                                       {"hypre_version", HYPRE_RELEASE_VERSION},
                                       {"hypre_settings", tessera::perf::gpu_hypre_flow_settings()},
                                       {"settings", options.settings},
                                       {"max_levels", options.max_levels},
                                       {"cycles", options.cycles},
                                       {"repeats", options.repeats}},
                                      options.out);
  std::printf("%-30s %-20s %6s %8s %10s %10s %10s %10s\n", "system", "flow", "levels", "complex.",
              "setup ms", "cycles ms", "total ms", "residual");
  tessera::perf::for_each_system(exec, options, [&](const std::string& name, const auto& make) {
    if (record.has(name)) return;
    try {
      record.add(run_system(exec, options, make(), record));
    } catch (const std::exception& error) {
      nlohmann::json json{{"system", name}, {"flows", nlohmann::json::array()}};
      json["skipped"].push_back(tessera::perf::skipped(name, "system", error.what()));
      record.add(json);
    }
  });
  record.set("means", report_means(record.systems()));
}

}  // namespace

int main(int argc, char** argv) {
  return tessera::perf::device_main<Options>(
      argc, argv,
      "AmgT's flow of data beside hypre's on one GPU: setups and V-cycles as a solver, hypre on "
      "cuSPARSE and by its own kernels, Tessera in rows and in tiles",
      run);
}
