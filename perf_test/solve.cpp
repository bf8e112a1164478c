// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setup and solve of AMG-PCG on the default execution space: medians for a list of model problems.
#include "support/named_problem.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/warm_up.hpp"

#include <algorithm>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::Timing;

/// What row and column i are multiplied by in a round: 1 to 1.06.
KOKKOS_INLINE_FUNCTION double factor(tessera::Ordinal i, int round) {
  return 1 + 0x1p-36 * tessera::kernels::hash32(static_cast<std::uint32_t>(i + 7919 * round));
}

/// Other values of A in its pattern: D A D, each round with another D.
void rescale(const Space& exec, const tessera::kernels::Csr<double, Space>& A, int round) {
  Kokkos::parallel_for(
      "tessera::perf::rescale", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const tessera::Ordinal i) {
        for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
          A.values(e) *= factor(i, round) * factor(A.columns(e), round);
      });
  exec.fence("tessera::perf");
}

/// Setup with new values in the same pattern, after one setup: the median. A is another one
/// afterwards.
double update_ms(const Space& exec, const tessera::Problem<double, Space>& problem,
                 const tessera::SolveParameters& parameters, int repeats) {
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
  std::vector<Timing> updates;
  for (int i = 0; i <= repeats; ++i) {
    rescale(exec, problem.A, i);
    const Kokkos::Timer timer;
    solver.update_values(exec);
    exec.fence("tessera::perf");
    // The first warms up.
    if (i > 0) updates.push_back({.setup_ms = timer.seconds() * 1e3});
  }
  return tessera::perf::medians(updates).setup_ms;
}

/// What a setup, which is not timed, says of the hierarchy's memory.
tessera::HierarchyInfo memory_of(const Space& exec, const tessera::Problem<double, Space>& problem,
                                 tessera::SolveParameters parameters) {
  parameters.amg.measure_memory = true;
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
  return solver.hierarchy();
}

void print_phases(const tessera::HierarchyInfo& info) {
  for (const auto& [phase, ms] : info.setup_phases_ms) {
    std::printf("    %-24s %9.3f ms\n", phase.c_str(), ms);
  }
}

void print_levels(const tessera::HierarchyInfo& info) {
  for (std::size_t i = 0; i < info.levels.size(); ++i) {
    const auto& level = info.levels[i];
    std::printf("    level %zu %10lld rows %12lld entries %8.3f ms  vectors in %s  %s\n", i,
                static_cast<long long>(level.rows), static_cast<long long>(level.entries),
                level.setup_ms, level.precision.c_str(), level.aggregation.c_str());
    for (const auto& [name, stored] :
         {std::pair("A", &level.A), {"P", &level.P}, {"R", &level.R}}) {
      if (!stored->format.empty()) {
        std::printf("        %s: %s in %s, %.2f MB, %s\n", name, stored->format.c_str(),
                    stored->storage.c_str(), 1e-6 * static_cast<double>(stored->bytes),
                    stored->kernel.c_str());
      }
    }
  }
  for (const std::string& note : info.notes)
    std::printf("    %s\n", note.c_str());
  std::printf("    operator complexity %.3f, grid complexity %.3f\n", info.operator_complexity,
              info.grid_complexity);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"AMG-PCG on the default execution space: setup, solve and total, medians"};
  std::vector<std::string> cases{"poisson2d:1024", "poisson2d:2048", "poisson3d:96",
                                 "poisson3d:128",  "poisson3d:256",  "poisson3d27:128"};
  tessera::perf::RunOptions options;
  bool phases = false;
  bool first = false;
  bool warm_up = false;
  app.add_option("--cases", cases, tessera::perf::case_help);
  app.add_flag("--phases", phases, "print the setup's phases and levels");
  app.add_flag("--first", first,
               "print the first run of each case, too: cold in a process of one case");
  app.add_flag("--warm-up", warm_up, "call tessera::warm_up before the cases, and time it");
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::keep_freed_memory(std::max(Kokkos::device_id(), 0));
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  std::printf("%s, relative residual %g, right-hand side %s, preconditioner %s\n", Space::name(),
              options.tolerance, options.rhs.c_str(), options.precision.c_str());
  double warm_up_ms = 0;
  if (warm_up) {
    tessera::WarmUpOptions warm;
    warm.parameters = options.parameters();
    const Kokkos::Timer timer;
    tessera::warm_up(exec, warm);
    warm_up_ms = timer.seconds() * 1e3;
    std::printf("warm-up %.2f ms\n", warm_up_ms);
  }
  tessera::perf::print_header();
  for (const auto& text : cases) {
    const auto problem = tessera::perf::named_problem(exec, text);
    const auto& A = problem.A;
    const auto b = options.make_rhs(exec, A);
    const auto x = tessera::allocate_multivector<double>(exec, "tessera::perf::x", A.num_rows, 1);
    const auto setup_and_solve = [&](const tessera::SolveParameters& parameters) {
      return tessera::perf::run_tessera(exec, A, b, parameters, x, problem.near_nullspace,
                                        problem.block_size);
    };
    std::vector<Timing> runs;
    Timing first_run;
    for (int i = 0; i <= options.repeats; ++i) {
      const Timing run = setup_and_solve(options.parameters());
      if (i > 0) {
        runs.push_back(run);
        continue;
      }
      // The first warms up.
      first_run = run;
      if (first) tessera::perf::print_row(text + ", first", run);
    }
    tessera::perf::print_row(text, tessera::perf::medians(runs));
    results.push_back(tessera::perf::to_json(text, tessera::perf::medians(runs)));
    const auto info = memory_of(exec, problem, options.parameters());
    std::printf("    hierarchy %.2f MB, peak of setup %.2f MB\n", 1e-6 * info.bytes,
                1e-6 * info.setup_peak_bytes);
    results.back()["operator_complexity"] = info.operator_complexity;
    results.back()["grid_complexity"] = info.grid_complexity;
    results.back()["memory_complexity"] = info.memory_complexity;
    results.back()["hierarchy_bytes"] = info.bytes;
    results.back()["setup_peak_bytes"] = info.setup_peak_bytes;
    if (first) results.back()["first"] = tessera::perf::to_json(text, first_run);
    if (phases) {
      auto measured = options.parameters();
      measured.amg.measure_phases = true;
      tessera::Solver<double, Space> solver(measured);
      solver.setup(exec, A, problem.near_nullspace, problem.block_size);
      print_phases(solver.hierarchy());
      print_levels(solver.hierarchy());
      if (measured.amg.reuse != tessera::amg::Reuse::none) {
        solver.update_values(exec);
        std::printf("    of new values:\n");
        print_phases(solver.hierarchy());
      }
    }
    if (options.parameters().amg.reuse != tessera::amg::Reuse::none) {
      auto parameters = options.parameters();
      parameters.amg.reuse = tessera::amg::Reuse::none;
      std::vector<Timing> without_reuse(static_cast<std::size_t>(options.repeats));
      for (auto& run : without_reuse)
        run = setup_and_solve(parameters);
      results.back()["setup_without_reuse_ms"] = tessera::perf::medians(without_reuse).setup_ms;
      const double ms = update_ms(exec, problem, options.parameters(), options.repeats);
      std::printf("    new values: %.2f ms\n", ms);
      results.back()["update_ms"] = ms;
    }
  }
  nlohmann::json json = options.to_json();
  json["space"] = Space::name();
  json["results"] = results;
  if (warm_up) json["warm_up_ms"] = warm_up_ms;
  tessera::perf::write_record(options.out, json);
}
