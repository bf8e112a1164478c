// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every coarsening beside hypre's BoomerAMG, in turn in one run on one thread: iterations, and the
/// processor's least time of setup and solve, which other programs on the machine hardly change.
/// What is not named is left to the defaults of either library. Prints a line for each system, and
/// writes a record.
///
///     tessera_perf_compare_hypre_coarsenings --rounds 5 --out FILE quadrilaterals.mtx jump3d:n=40
///     tessera_perf_compare_hypre_coarsenings --ways auto unstructured2d:n=150,epsilon=1e-2
#include "support/hypre_solve.hpp"
#include "support/real_systems.hpp"
#include "support/record.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace tessera::perf {

constexpr double tolerance = 1e-8;
constexpr int max_iterations = 1000;

/// Beyond so many times the fastest's time a way runs once.
constexpr double far_off = 4;

struct Way {
  const char* name;
  void (*set)(amg::Parameters&);
};

constexpr Way ways[] = {
    {"auto", [](amg::Parameters&) {}},
    {"MIS(2)",
     [](amg::Parameters& p) {
       p.coarsening = amg::CoarseningKind::smoothed_aggregation;
       p.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
     }},
    {"groups of 4, K-cycle",
     [](amg::Parameters& p) {
       p.coarsening = amg::CoarseningKind::pairwise;
       p.pairwise.passes = 2;
       p.cycle = amg::CycleType::k;
     }},
    {"classical", [](amg::Parameters& p) { p.coarsening = amg::CoarseningKind::classical; }},
    {"classical, fronts",
     [](amg::Parameters& p) {
       p.coarsening = amg::CoarseningKind::classical;
       p.classical.splitting = amg::PointSplitting::advancing_front;
     }},
    {"classical, fronts, symmetric Gauss-Seidel",
     [](amg::Parameters& p) {
       p.coarsening = amg::CoarseningKind::classical;
       p.classical.splitting = amg::PointSplitting::advancing_front;
       p.smoother.type = SmootherType::gauss_seidel;
       p.smoother.gauss_seidel.symmetric = true;
     }},
    {"classical, aggressive",
     [](amg::Parameters& p) {
       p.coarsening = amg::CoarseningKind::classical;
       p.classical.aggressive_levels = 1;
     }},
    {"reduction", [](amg::Parameters& p) { p.coarsening = amg::CoarseningKind::reduction; }}};

constexpr struct {
  const char* name;
  HypreDefaults choices;
} peers[] = {{"hypre: PMIS, l1-Jacobi", HypreDefaults::gpu},
             {"hypre: HMIS, Gauss-Seidel", HypreDefaults::cpu}};

/// One of several runs, with the least time of all.
class Least {
 public:
  double ms() const { return m_ms; }
  bool is_far_off(double best_ms) const { return m_ms < infinite && m_ms > far_off * best_ms; }
  /// `run` returns a `Timing`.
  template <class Run>
  void add(const Run& run) {
    const std::clock_t before = std::clock();
    m_run = run();
    const double ticks = static_cast<double>(std::clock() - before);
    m_ms = std::min(m_ms, 1e3 * ticks / CLOCKS_PER_SEC);
  }
  nlohmann::json json(const char* way) const {
    const bool converged =
        m_run.iterations < max_iterations && m_run.relative_residual <= 1.01 * tolerance;
    return {{"way", way},
            {"converged", converged},
            {"iterations", m_run.iterations},
            {"processor_ms", m_ms}};
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  Timing m_run;
  double m_ms = infinite;
};

Timing by_tessera(const HostSystem& system, const Way& way) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.solver.tolerance = tolerance;
  p.solver.max_iterations = max_iterations;
  way.set(p.amg);
  return run_tessera(HostSpace(), system.A, system.b, p);
}

Timing by_hypre(const HostSystem& system, HypreSystem& peer, const MpiProcesses& processes,
                HypreDefaults defaults, bool symmetric) {
  Timing timing = symmetric ? run_hypre<HyprePcg>(peer, defaults, tolerance, max_iterations)
                            : run_hypre<HypreGmres>(peer, defaults, tolerance, max_iterations);
  timing.relative_residual = system.relative_residual(peer.solution(processes, system.A.num_rows));
  return timing;
}

/// What `chosen` ways and hypre's take of a system.
nlohmann::json compare(const MpiProcesses& processes, const RealCase& wanted,
                       const std::vector<Way>& chosen, int rounds) {
  const HostSpace exec;
  const RealMatrix matrix = wanted.make(std::filesystem::temp_directory_path());
  const HostSystem system{matrix.A, random_vector(exec, matrix.A.num_rows)};
  exec.fence("tessera::perf");
  HypreSystem peer(system, processes);
  const bool symmetric = wanted.file.empty() ? matrix.symmetric : true;
  std::vector<Least> own(chosen.size()), others(std::size(peers));
  for (int round = 0; round < rounds; ++round) {
    double best_ms = own[0].ms();
    for (const Least& least : own)
      best_ms = std::min(best_ms, least.ms());
    for (std::size_t i = 0; i < own.size(); ++i)
      if (!own[i].is_far_off(best_ms)) own[i].add([&] { return by_tessera(system, chosen[i]); });
    for (std::size_t i = 0; i < others.size(); ++i)
      others[i].add([&] { return by_hypre(system, peer, processes, peers[i].choices, symmetric); });
  }
  nlohmann::json solves = nlohmann::json::array();
  for (std::size_t i = 0; i < own.size(); ++i)
    solves.push_back(own[i].json(chosen[i].name));
  for (std::size_t i = 0; i < others.size(); ++i)
    solves.push_back(others[i].json(peers[i].name));
  return {{"system", wanted.name},
          {"rows", matrix.A.num_rows},
          {"entries", matrix.A.num_entries()},
          {"solves", solves}};
}

/// `NAME: WAY iterations, ms; ...`
void print(const nlohmann::json& result) {
  std::string line = result["system"].get<std::string>() + ":";
  for (const nlohmann::json& solve : result["solves"]) {
    char text[128];
    std::snprintf(
        text, sizeof text, " %s %d%s, %.0f ms;", solve["way"].get_ref<const std::string&>().c_str(),
        solve["iterations"].get<int>(), solve["converged"].get<bool>() ? "" : " (not solved)",
        solve["processor_ms"].get<double>());
    line += text;
  }
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

/// Those named, or all.
std::vector<Way> chosen_ways(const std::vector<std::string>& names) {
  std::vector<Way> chosen;
  for (const Way& way : ways)
    if (names.empty() || std::find(names.begin(), names.end(), way.name) != names.end())
      chosen.push_back(way);
  return chosen;
}

}  // namespace tessera::perf

int main(int argc, char** argv) {
  using namespace tessera::perf;
  CLI::App app{"Every coarsening beside hypre's BoomerAMG, in turn on the host"};
  std::vector<std::string> systems = {"anisotropic2d:n=200,epsilon=1e-2",
                                      "jump3d:n=30,contrast=1e6",
                                      "unstructured3d:n=24,epsilon=1e-2"};
  app.add_option("systems", systems,
                 "problems of the gallery, as jump2d:n=500,contrast=1e6, and symmetric Matrix "
                 "Market files");
  int rounds = 3;
  app.add_option("--rounds", rounds, "runs of each, of which the least times count")
      ->check(CLI::PositiveNumber);
  std::vector<std::string> names;
  for (const Way& way : ways)
    names.push_back(way.name);
  std::vector<std::string> wanted_ways;
  app.add_option("--ways", wanted_ways, "some of them in place of all")
      ->check(CLI::IsMember(names));
  std::string out;
  app.add_option("--out", out, "where the record goes");
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_num_threads(1));
  const std::vector<Way> chosen = chosen_ways(wanted_ways);
  nlohmann::json results = nlohmann::json::array();
  try {
    for (const std::string& system : systems) {
      RealCase wanted;
      if (std::filesystem::exists(system)) {
        wanted.file = system;
        wanted.name = std::filesystem::path(system).stem().string();
      } else {
        wanted = gallery_case(system);
      }
      results.push_back(compare(processes, wanted, chosen, rounds));
      print(results.back());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  }
  write_record(out, {{"hypre", HYPRE_RELEASE_VERSION}, {"rounds", rounds}, {"results", results}});
}
