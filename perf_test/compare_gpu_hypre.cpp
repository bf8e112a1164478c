// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside hypre's BoomerAMG on one GPU: setup and solve of model problems in turn, in one
/// process, medians of alternating runs.
///
/// hypre's parameters are those of its GPU builds. Of two strength thresholds and two kernels of
/// the product, what takes least in total on a problem is timed. Both start from x = 0 and end at
/// the same relative residual; the true one of both is computed here. hypre's assembly is left out.
#include "support/gpu_hypre.hpp"
#include "support/host_system.hpp"
#include "support/named_problem.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"

#include <algorithm>
#include <cmath>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::GpuHypreChoice;
using tessera::perf::GpuHypreSystem;
using tessera::perf::Timing;

/// What takes least in total, of two runs each, the first of which warms up.
GpuHypreChoice best_choice(GpuHypreSystem& system, bool symmetric, double tolerance,
                           int max_iterations) {
  GpuHypreChoice best{};
  double least = HUGE_VAL;
  for (const double theta : {0.25, 0.5}) {
    for (const bool cusparse : {false, true}) {
      const GpuHypreChoice choice{theta, cusparse};
      system.run(choice, symmetric, tolerance, max_iterations);
      const Timing timing = system.run(choice, symmetric, tolerance, max_iterations);
      // One that stops at the limit is none, unless all do.
      const double total = timing.total_ms() + (timing.iterations < max_iterations ? 0 : 1e9);
      std::printf("    hypre, %s: %.1f ms, %d iterations\n", choice.name().c_str(),
                  timing.total_ms(), timing.iterations);
      if (total < least) {
        least = total;
        best = choice;
      }
    }
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside hypre on one GPU: setup and solve, medians of alternating runs"};
  std::vector<std::string> cases{"poisson2d:1024", "poisson2d:2048", "poisson3d:96",
                                 "poisson3d:128",  "poisson3d:256",  "poisson3d27:128"};
  int max_iterations = 500;
  tessera::perf::RunOptions options;
  app.add_option("--cases", cases, tessera::perf::case_help);
  app.add_option("--max-iterations", max_iterations, "limit for hypre");
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::keep_freed_memory(std::max(Kokkos::device_id(), 0));
  const tessera::perf::GpuHypre hypre;
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  tessera::perf::print_header();
  for (const auto& text : cases) {
    const auto problem = tessera::perf::named_problem(exec, text);
    const auto b = options.make_rhs(exec, problem.A);
    const auto x =
        tessera::allocate_multivector<double>(exec, "tessera::perf::x", problem.A.num_rows, 1);
    exec.fence("tessera::perf");
    const auto host = tessera::perf::on_host<Space>(problem.A, b);
    const auto num_rows = static_cast<std::size_t>(host.A.num_rows);
    GpuHypreSystem system(host.A, {host.b.data(), host.b.data() + num_rows},
                          std::max(problem.block_size, 1));
    const auto choice = best_choice(system, problem.symmetric, options.tolerance, max_iterations);
    std::vector<Timing> mine, peer;
    for (int i = 0; i <= options.repeats; ++i) {
      const Timing one = tessera::perf::run_tessera(exec, problem.A, b, options.parameters(), x,
                                                    problem.near_nullspace, problem.block_size);
      const Timing other = system.run(choice, problem.symmetric, options.tolerance, max_iterations);
      // The first warms up.
      if (i == 0) continue;
      mine.push_back(one);
      peer.push_back(other);
    }
    Timing median = tessera::perf::medians(mine);
    const auto x_on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    median.relative_residual =
        host.relative_residual(std::vector<double>(x_on_host.data(), x_on_host.data() + num_rows));
    Timing peers = tessera::perf::medians(peer);
    peers.relative_residual = host.relative_residual(system.solution());
    tessera::perf::print_row(text + ", tessera", median);
    tessera::perf::print_row(text + ", hypre", peers);
    std::printf("    total, tessera / hypre: %.3f\n", median.total_ms() / peers.total_ms());
    std::fflush(stdout);
    auto hypre_row = tessera::perf::to_json("hypre", peers);
    hypre_row["choice"] = choice.name();
    hypre_row["krylov"] = problem.symmetric ? "PCG" : "GMRES(30)";
    results.push_back({{"name", text},
                       {"rows", host.A.num_rows},
                       {"entries", host.A.num_entries()},
                       {"tessera", tessera::perf::to_json("tessera", median)},
                       {"hypre", hypre_row},
                       {"total_ratio", median.total_ms() / peers.total_ms()}});
    // Rewritten after each, so that what was measured is there whatever happens.
    nlohmann::json json = options.to_json();
    json["space"] = Space::name();
    json["hypre_version"] = HYPRE_RELEASE_VERSION;
    json["max_iterations"] = max_iterations;
    json["results"] = results;
    tessera::perf::write_record(options.out, json);
  }
}
