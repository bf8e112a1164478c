// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves after one setup, each with a right-hand side of its own, as a time stepper makes them:
/// the first, and those that find their iterations recorded, beside solves launch by launch.
#include "app/settings.hpp"
#include "support/median.hpp"
#include "support/real_systems.hpp"
#include "support/run_options.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>

namespace {

using Space = tessera::DeviceSpace;
using Solver = tessera::Solver<double, Space>;

/// Hashed values in [-1, 1), others in each solve.
void fill(const Space& exec, const tessera::MultiVector<double, Space>& b, int solve) {
  Kokkos::parallel_for(
      "tessera::perf::random", Kokkos::RangePolicy<Space>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const tessera::Ordinal i) {
        b(i, 0) = 0x1p-31 * tessera::kernels::hash32(static_cast<std::uint32_t>(i),
                                                     static_cast<std::uint32_t>(solve)) -
                  1.0;
      });
}

/// What `solves` of one solver took, the last of them.
struct Series {
  std::vector<double> ms;
  std::vector<int> iterations;
  tessera::SolveResult last;

  /// Of an iteration, by the solves from `begin` on.
  double us_per_iteration(std::size_t begin) const {
    std::vector<double> us;
    for (std::size_t i = begin; i < ms.size(); ++i)
      us.push_back(1e3 * ms[i] / std::max(1, iterations[i]));
    return tessera::perf::median_of(std::move(us));
  }
};

Series solve(const Space& exec, const tessera::Problem<double, Space>& problem,
             const tessera::SolveParameters& parameters, int solves) {
  Solver solver(parameters);
  solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
  const tessera::Ordinal n = problem.A.num_rows;
  const auto b = tessera::allocate_multivector<double>(exec, "tessera::perf::b", n, 1);
  const auto x = tessera::allocate_multivector<double>(exec, "tessera::perf::x", n, 1);
  Series series;
  for (int i = 0; i < solves; ++i) {
    fill(exec, b, i);
    Kokkos::deep_copy(exec, x, 0.0);
    exec.fence("tessera::perf");
    const Kokkos::Timer timer;
    series.last = solver.solve(exec, b, x);
    exec.fence("tessera::perf");
    series.ms.push_back(1e3 * timer.seconds());
    series.iterations.push_back(series.last.iterations);
  }
  return series;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Solves one after another after one setup, with recordings and launch by launch"};
  std::vector<std::string> cases{"poisson3d:n=64", "convdiff3d:n=60", "beam:order=2,refine=4"};
  std::vector<std::string> methods{"cg", "gmres", "fgmres", "bicgstab", "richardson"};
  int solves = 16;
  tessera::perf::RunOptions options;
  options.rhs = "random";
  app.add_option("--cases", cases, "problems as NAME:KEY=VALUE,KEY=VALUE");
  app.add_option("--methods", methods, "as solver.name has them");
  app.add_option("--solves", solves, "after one setup; the last half is the steady state")
      ->check(CLI::Range(2, 10000));
  options.add_to(app);
  app.remove_option(app.get_option("--rhs"));  // random ones, each another
  app.remove_option(app.get_option("--repeats"));
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::keep_freed_memory(std::max(Kokkos::device_id(), 0));
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  for (const auto& text : cases) {
    const auto gallery =
        tessera::app::gallery_parameters(tessera::perf::gallery_case(text).problem);
    const auto problem = tessera::make_problem<double, Space>(exec, gallery);
    std::printf("%s\n", text.c_str());
    for (const std::string& method : methods) {
      double launched_us = 0;
      for (const bool graph : {false, true}) {
        auto with_method = options;
        with_method.settings.push_back("solver.name=" + method);
        with_method.settings.push_back(std::string("graph=") + (graph ? "true" : "false"));
        const auto parameters = with_method.parameters();
        solve(exec, problem, parameters, 2);  // finds cold caches
        const Series series = solve(exec, problem, parameters, solves);
        const std::size_t half = series.ms.size() / 2;
        const double us = series.us_per_iteration(half);
        if (!graph) launched_us = us;
        const std::string status(tessera::to_string(series.last.status));
        std::printf("  %-10s %-10s first %9.3f ms, later %9.3f ms, %7.1f us per iteration",
                    method.c_str(), graph ? "recorded" : "launched", series.ms.front(),
                    tessera::perf::median_of(
                        {series.ms.begin() + static_cast<std::ptrdiff_t>(half), series.ms.end()}),
                    us);
        if (graph) std::printf(" (%.2f)", us / launched_us);
        std::printf(", %d iterations, %s\n", series.iterations.back(), status.c_str());
        std::fflush(stdout);
        results.push_back({{"name", text},
                           {"method", method},
                           {"graph", graph},
                           {"solve_ms", series.ms},
                           {"iterations", series.iterations},
                           {"us_per_iteration", us},
                           {"status", status},
                           {"true_relative_residual", series.last.true_relative_residual}});
      }
    }
  }
  nlohmann::json json = options.to_json();
  json.erase("repeats");
  json["solves"] = solves;
  json["space"] = Space::name();
  json["results"] = results;
  tessera::perf::write_record(options.out, json);
}
