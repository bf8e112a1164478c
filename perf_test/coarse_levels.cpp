// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse levels in one kernel beside kernel by kernel: a V-cycle in float for each level from
/// which on they are in one, and that kernel alone for ways of sharing its steps out to blocks. On
/// the default execution space; cycles are replayed as graphs where it has them.
#include "support/device_main.hpp"
#include "support/run_options.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/single_kernel.hpp"
#include "tessera/core/captured_preconditioner.hpp"
#include "tessera/gallery/problem.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <vector>

namespace {

using Space = tessera::DeviceSpace;
using Grid = tessera::amg::Multigrid<float, Space>;
using Vectors = tessera::MultiVector<float, Space>;

struct Options {
  std::vector<std::string> cases{"poisson2d:1024", "poisson3d:96", "poisson3d:128",
                                 "poisson3d27:128"};
  std::vector<std::size_t> one_block{0, 4096, 16384, 65536};
  std::vector<std::size_t> each_block{2048, 4096, 8192, 16384, 32768};
  int applications = 200;
  int repeats = 5;
  std::vector<std::string> settings;

  void add_to(CLI::App& app) {
    app.add_option("--cases", cases, "problems of the gallery as NAME:N")->capture_default_str();
    app.add_option("--one-block", one_block, "most entries of a step that one block runs")
        ->capture_default_str();
    app.add_option("--each-block", each_block, "entries of the largest step for each block")
        ->capture_default_str();
    app.add_option("--applications", applications, "in one time")->check(CLI::PositiveNumber);
    app.add_option("--repeats", repeats, "times of which the middle is shown")
        ->check(CLI::PositiveNumber);
    app.add_option("-p", settings, "a parameter of Tessera, KEY=VALUE, as `tessera solve` has it");
  }
};

/// Microseconds of one call.
template <class Call>
double time_us(const Space& exec, const Options& options, const Call& call) {
  std::vector<double> times;
  for (int i = 0; i <= options.repeats; ++i) {
    exec.fence("tessera::perf");
    const Kokkos::Timer timer;
    for (int j = 0; j < options.applications; ++j)
      call();
    exec.fence("tessera::perf");
    if (i > 0) times.push_back(1e6 * timer.seconds() / options.applications);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void run_case(const Space& exec, const Options& options, const std::string& text) {
  const auto colon = text.find(':');
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::perf::problem_of_name(text.substr(0, colon));
  if (colon != std::string::npos)
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), gallery.n);
  const auto problem = tessera::make_problem<float, Space>(exec, gallery);
  const std::size_t n = problem.A.num_rows;
  const auto b = tessera::allocate_multivector<float>(exec, "tessera::perf::b", n);
  const auto x = tessera::allocate_multivector<float>(exec, "tessera::perf::x", n);
  Kokkos::deep_copy(exec, b, 1.0F);
  tessera::perf::RunOptions run;
  run.settings = options.settings;
  tessera::amg::Parameters parameters = run.parameters().amg;

  std::printf("%s\n  %-34s %12s\n", text.c_str(), "V-cycle", "us");
  std::vector<std::int64_t> rows;
  for (std::size_t first = 0; first == 0 || first <= rows.size(); ++first) {
    parameters.single_kernel_rows = first == 0 ? 0 : static_cast<int>(rows[rows.size() - first]);
    auto grid = std::make_shared<Grid>(parameters);
    grid->setup(exec, problem.A, {}, problem.block_size);
    if (first == 0) {
      for (const auto& level : grid->info().levels)
        rows.push_back(level.rows);
    }
    const auto& levels = grid->info().levels;
    const auto in_one = std::find_if(levels.begin(), levels.end(), [](const auto& level) {
      return level.A.kernel == "in one kernel";
    });
    if (first > 0 && in_one == levels.end()) continue;
    tessera::CapturedPreconditioner<float, Space> cycle(grid);
    const double us = time_us(exec, options, [&] { cycle.apply(exec, b, x); });
    const std::string name = in_one == levels.end()
                                 ? "kernel by kernel"
                                 : "level " + std::to_string(in_one - levels.begin()) + " on, " +
                                       std::to_string(in_one->rows) + " rows";
    std::printf("  %-34s %12.2f\n", name.c_str(), us);
  }

  std::printf("  %-10s %10s %10s %8s %8s %9s %12s\n", "from level", "one block", "each block",
              "steps", "blocks", "barriers", "us");
  parameters.single_kernel_rows = 0;
  Grid grid(parameters);
  grid.setup(exec, problem.A, {}, problem.block_size);
  for (std::size_t level = rows.size() - 1; level-- > 0;) {
    const int limit = static_cast<int>(rows[level]);
    const int first = tessera::amg::first_level_in_one_kernel(exec, tessera::amg::CycleType::v,
                                                              grid.hierarchy(), limit);
    // Beyond that a kernel is bound by memory, not by barriers.
    if (first > static_cast<int>(level) || limit > 200000) break;
    for (const std::size_t one_block : options.one_block) {
      for (const std::size_t each_block : options.each_block) {
        auto program = tessera::amg::coarse_program(tessera::amg::CycleType::v, grid.hierarchy(),
                                                    level, false, {one_block, each_block});
        program.prepare(exec);
        const double us = time_us(exec, options, [&] { program.run(exec, b.data(), x.data()); });
        std::printf("  %-10zu %10zu %10zu %8zu %8d %9d %12.2f\n", level, one_block, each_block,
                    program.steps().size(), program.num_blocks(), program.num_grid_barriers(), us);
      }
    }
  }
  std::fflush(stdout);
}

void run(const Space& exec, const Options& options) {
  for (const std::string& text : options.cases)
    run_case(exec, options, text);
}

}  // namespace

int main(int argc, char** argv) {
  return tessera::perf::device_main<Options>(
      argc, argv, "Coarse levels of a V-cycle in one kernel and kernel by kernel", run);
}
