// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The comparison of Mille-feuille (SC'24, section IV) with our ways: all symmetric positive
/// definite matrices of a folder by CG and all others by BiCGSTAB, from x = 0 with b = A·1, to
/// 1e-10 or 1,000 iterations, each way in one run, and every final residual recomputed. Ends
/// with 1 where one that says that it has converged has not.
///
/// A whole folder fits into a given time by two limits: `--matrix-seconds` ends the solves of a
/// matrix and leaves out the ways that have not begun, `--seconds` leaves out the largest matrices.
/// What was left out, and why, is printed and recorded.
#include "support/device_main.hpp"
#include "support/krylov_summary.hpp"
#include "support/krylov_variants.hpp"
#include "support/matrix_folder.hpp"
#include "support/real_systems.hpp"

#include <Kokkos_Timer.hpp>
#include <cmath>
#include <limits>

namespace {

using namespace tessera;

struct Options {
  std::vector<std::string> gallery;
  perf::MatrixFolder folder;
  std::vector<std::string> variants;
  std::vector<std::string> preconditioners{"none"};
  std::string factor_mode = "auto";
  perf::VariantOptions mode;
  std::size_t max_entries = 30'000'000;
  int repeats = 5;
  double repeats_ms = 1e9;
  double seconds = 1e9;
  double matrix_seconds = std::numeric_limits<double>::infinity();
  /// Of figure 12, and others like them that are there.
  std::vector<std::string> histories{"minsurf", "m3plates", "poisson3Da", "bcsstm07", "arc130"};
  bool in_double = false;
  bool without_stage = false;
  std::string neighbour_waits = "on";
  std::string out;

  void add_to(CLI::App& app) {
    folder.add_to(app);
    app.add_option("--gallery", gallery, "problems of the gallery, NAME:n=N");
    std::vector<std::string> names;
    for (const auto& mode : perf::known_variants())
      names.push_back(mode.name);
    variants = names;
    app.add_option("--ways", variants, "which ways")->check(CLI::IsMember(names));
    app.add_option("--preconditioner", preconditioners, "one or more of them")
        ->check(CLI::IsMember({"none", "jacobi", "block_jacobi", "ilu", "amg"}));
    app.add_option("--factor-way", factor_mode,
                   "of ilu in one kernel: auto, one_block or synchronization_free")
        ->check(CLI::IsMember({"auto", "one_block", "synchronization_free"}));
    app.add_option("--block-rows", mode.block_rows, "of block_jacobi")->check(CLI::Range(1, 16));
    app.add_flag("--double", in_double, "multigrid in double");
    app.add_option("--one-block-entries", mode.one_block_entries,
                   "steps of multigrid of so many entries or fewer are run by one block");
    app.add_option("--tolerance", mode.tolerance, "relative residual");
    app.add_option("--max-iterations", mode.max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--repeats", repeats, "timed solves; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeats-ms", repeats_ms, "no further timed solve after so long");
    app.add_option("--seconds", seconds,
                   "no further matrix after so long; what was measured stays");
    app.add_option("--matrix-seconds", matrix_seconds,
                   "no further way of a matrix after so long, with each of its preconditioners, "
                   "and none of our solves goes on beyond");
    app.add_option("--histories", histories, "matrices whose residual histories are recorded");
    app.add_option("--shares", mode.tuning.shares, "blocks of the one kernel; 0: chosen");
    app.add_option("--lanes", mode.tuning.lanes, "threads of a block; 0: chosen");
    app.add_option("--lanes-per-row", mode.tuning.lanes_per_row, "1, 2, … or 32; 0: chosen");
    app.add_flag("--without-stage", without_stage, "nothing in shared memory");
    app.add_option("--neighbour-waits", neighbour_waits,
                   "whether blocks wait between steps of multigrid for those alone with which they "
                   "share vectors: on or off")
        ->check(CLI::IsMember({"on", "off"}));
    app.add_option("--out", out, "JSON file");
  }
  perf::VariantOptions variant_options(const std::string& preconditioner) const {
    perf::VariantOptions result = mode;
    result.preconditioner = preconditioner;
    result.factor_mode = factor_mode == "one_block" ? kernels::FactorMode::one_block
                         : factor_mode == "synchronization_free"
                             ? kernels::FactorMode::synchronization_free
                             : kernels::FactorMode::automatic;
    result.cycle_in_float = !in_double;
    result.tuning.stage = !without_stage;
    result.tuning.neighbour_waits = neighbour_waits == "on";
    return result;
  }
};

bool g_all_right = true;

/// One system by one way: a row of the record.
nlohmann::json measured(const DeviceSpace& exec, perf::KrylovSystem& system,
                        const perf::VariantMaker& maker, const Options& options,
                        perf::VariantOptions asked, const Kokkos::Timer& of_matrix) {
  nlohmann::json row{{"way", maker.name}};
  const auto seconds_left = [&] { return options.matrix_seconds - of_matrix.seconds(); };
  if (seconds_left() <= 0) {
    std::printf("  %-28s left out: --matrix-seconds\n", maker.name);
    row["error"] = "left out: --matrix-seconds";
    return row;
  }
  // Both the solve that warms up and a timed one are wanted.
  if (std::isfinite(seconds_left())) asked.time_limit_s = seconds_left() / 2;
  const bool keeps_history = std::find(options.histories.begin(), options.histories.end(),
                                       system.name) != options.histories.end();
  try {
    exec.fence("tessera::perf::setup");
    const Kokkos::Timer setup;
    const auto mode = maker.make(exec, system, asked);
    exec.fence("tessera::perf::setup");
    row["setup_ms"] = setup.seconds() * 1e3;
    std::vector<double> ms;
    perf::VariantEnd end;
    double total = 0;
    const auto has_time = [&] { return total < options.repeats_ms && seconds_left() > 0; };
    for (int i = 0; i <= options.repeats && (i < 2 || has_time()); ++i) {
      exec.fence("tessera::perf::start");
      const Kokkos::Timer timer;
      end = mode->solve(system);
      exec.fence("tessera::perf::end");
      total += timer.seconds() * 1e3;
      if (i > 0) ms.push_back(timer.seconds() * 1e3);
    }
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2];
    const double residual = system.true_residual();
    const bool met = residual <= options.mode.tolerance * 1.001;
    row["end"] = end.status;
    row["iterations"] = end.iterations;
    row["true_relative_residual"] = residual;
    row["met_tolerance"] = met;
    row["ms"] = median;
    row["least_ms"] = ms.front();
    row["timed"] = ms.size();
    const int timed = end.timed_iterations();
    const double us_per_iteration = timed > 0 ? median * 1e3 / timed : 0;
    if (timed > 0) row["us_per_iteration"] = us_per_iteration;
    if (end.iterations_run > 0) row["iterations_run"] = end.iterations_run;
    if (keeps_history && !end.history.empty()) row["history"] = end.history;
    row.update(mode->more());
    std::printf("  %-28s %-14s %6d %12.3e %10.3f %12.2f\n", maker.name, end.status.c_str(),
                end.iterations, residual, median, us_per_iteration);
    if (end.status == "converged" && !met) {
      std::printf("  %-28s wrong: the true residual is above the tolerance\n", "");
      g_all_right = false;
    }
  } catch (const std::exception& error) {
    std::printf("  %-28s %s\n", maker.name, error.what());
    row["error"] = error.what();
  }
  return row;
}

nlohmann::json compare(const DeviceSpace& exec, perf::KrylovSystem& system, const Options& options,
                       const std::string& preconditioner) {
  const char* const method = system.is_definite ? "cg" : "bicgstab";
  const auto entries = system.host.num_entries();
  std::printf("%s, %s, %s: %d rows, %zu entries\n", system.name.c_str(), method,
              preconditioner.c_str(), system.host.num_rows, entries);
  std::printf("  %-28s %-14s %6s %12s %10s %12s\n", "way", "end", "iter", "true resid.", "ms",
              "us/iteration");
  nlohmann::json rows = nlohmann::json::array();
  const Kokkos::Timer timer;
  for (const auto& maker : perf::known_variants()) {
    if (std::find(options.variants.begin(), options.variants.end(), maker.name) !=
        options.variants.end())
      rows.push_back(
          measured(exec, system, maker, options, options.variant_options(preconditioner), timer));
  }
  std::fflush(stdout);
  return {{"matrix", system.name},
          {"rows", system.host.num_rows},
          {"entries", entries},
          {"csr_bytes", entries * (sizeof(double) + sizeof(Ordinal)) +
                            (static_cast<std::size_t>(system.host.num_rows) + 1) * sizeof(Ordinal)},
          {"definite", system.is_definite},
          {"method", method},
          {"preconditioner", preconditioner},
          {"results", rows}};
}

void run(const DeviceSpace& exec, const Options& options) {
  std::vector<perf::RealCase> cases;
  for (const std::string& text : options.gallery)
    cases.push_back(perf::gallery_case(text));
  if (options.folder.is_asked_for(!cases.empty())) {
    auto files = perf::cases_of_folder(options.folder.path, 0, true);
    std::erase_if(files, [&](const auto& one) { return !options.folder.has(one.name); });
    // Small ones first: those are what a limit of time leaves.
    std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
      return std::filesystem::file_size(a.file) < std::filesystem::file_size(b.file);
    });
    std::move(files.begin(), files.end(), std::back_inserter(cases));
  }
  if (cases.empty()) throw std::runtime_error("no matrices: --matrices DIR or --gallery NAME:n=N");
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json record{{"comparison", "mille_feuille"},
                        {"tolerance", options.mode.tolerance},
                        {"max_iterations", options.mode.max_iterations},
                        {"preconditioners", options.preconditioners},
                        {"repeats", options.repeats},
                        {"matrices", nlohmann::json::array()},
                        {"left_out", nlohmann::json::array()}};
  const auto leave_out = [&](const std::string& name, const char* why) {
    std::printf("%s left out: %s\n", name.c_str(), why);
    record["left_out"].push_back({{"matrix", name}, {"why", why}});
    perf::write_record(options.out, record);
  };
  const Kokkos::Timer timer;
  for (const perf::RealCase& one : cases) {
    if (timer.seconds() > options.seconds) {
      leave_out(one.name, "--seconds");
      continue;
    }
    const perf::RealMatrix matrix = one.make(scratch);
    if (matrix.A.num_entries() > options.max_entries) {
      leave_out(one.name, "--max-entries");
      continue;
    }
    perf::KrylovSystem system(exec, one.name, matrix.A, matrix.definite);
    for (const std::string& preconditioner : options.preconditioners)
      record["matrices"].push_back(compare(exec, system, options, preconditioner));
    // Rewritten after each, so that what was measured is there whatever happens.
    record["summary"] = perf::krylov_summary(record["matrices"]);
    perf::write_record(options.out, record);
  }
  perf::print_summary(record["summary"]);
}

}  // namespace

int main(int argc, char** argv) {
  const int code = perf::device_main<Options>(
      argc, argv, "CG and BiCGSTAB in one kernel over a folder of matrices, as Mille-feuille's",
      run);
  return code != 0 ? code : (g_all_right ? 0 : 1);
}
