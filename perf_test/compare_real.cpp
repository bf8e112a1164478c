// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's automatic choices beside the defaults of its peers, on real matrices and on the
/// gallery's hard problems, all on the host.
///
/// Each solve is a process of its own (`real/`), with limits of time and memory: a peer that hangs
/// or crashes costs that solve alone, and peers that cannot share a program (two Kokkos, MPI or
/// none) need not. All get the same matrix and the same random right-hand side from a file and give
/// their solution back by one; what is left of the right-hand side is computed here.
#include "support/child_process.hpp"
#include "support/one_solve.hpp"
#include "support/real_systems.hpp"

#include "tessera/io/binary.hpp"

#include <fmt/format.h>

namespace {

namespace fs = std::filesystem;
using tessera::perf::HostSystem;
using tessera::perf::RealCase;

/// A solver, its program in `real/` and the arguments of that.
struct RealSolver {
  std::string name, program;
  std::vector<std::string> arguments;
  std::string text;
};

const std::vector<RealSolver>& known_solvers() {
  static const std::vector<RealSolver> solvers{
      {"tessera", "tessera", {}, "Tessera, all picked by itself"},
      {"hypre",
       "hypre",
       {"--defaults", "cpu"},
       "BoomerAMG by its defaults (HMIS, extended+i, Gauss-Seidel); PCG or GMRES(30)"},
      {"hypre-gpu",
       "hypre",
       {"--defaults", "gpu"},
       "BoomerAMG by its defaults on GPUs (PMIS, extended+i, l1-Jacobi); PCG or GMRES(30)"},
      {"muelu", "muelu", {}, "MueLu by its defaults; Belos's CG or GMRES(30)"},
      {"petsc", "petsc", {}, "PETSc's GAMG by its defaults; CG or GMRES(30)"},
      {"amgcl", "amgcl", {}, "amgcl's smoothed aggregation with SPAI-0; CG or BiCGSTAB"}};
  return solvers;
}

/// A folder that goes with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = fs::temp_directory_path() / "tessera-compare-real-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + " cannot be made");
    m_path = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  const fs::path& path() const { return m_path; }

 private:
  fs::path m_path;
};

struct Options {
  std::string matrices;
  int min_rows = 1000;
  std::vector<std::string> gallery = tessera::perf::hard_problems();
  bool without_gallery = false;
  std::vector<std::string> only, solvers, programs;
  tessera::perf::OneSolve limits;
  int threads = 1;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--matrices", matrices,
                   "folder of Matrix Market files (.mtx, .mtx.xz) with an INDEX.tsv")
        ->envname("TESSERA_MATRICES")
        ->check(CLI::ExistingDirectory);
    app.add_option("--min-rows", min_rows, "of the folder, matrices with more rows than this");
    app.add_option("--gallery", gallery, "problems as NAME:KEY=VALUE,KEY=VALUE")
        ->capture_default_str();
    app.add_flag("--without-gallery", without_gallery, "the folder's matrices alone");
    app.add_option("--only", only, "only systems whose name contains one of these");
    app.add_option("--solvers", solvers,
                   "only these of tessera, hypre, hypre-gpu, muelu, petsc, amgcl");
    app.add_option("--programs", programs,
                   "more folders with programs of solvers, such as build/serial-trilinos/perf/real "
                   "for MueLu's");
    app.add_option("--tolerance", limits.tolerance, "relative residual");
    app.add_option("--max-iterations", limits.max_iterations, "limit on iterations");
    app.add_option("--limit-s", limits.limit_s, "seconds for one setup and solve")
        ->check(CLI::PositiveNumber);
    app.add_option("--memory-gb", limits.memory_gb, "memory of one solve")
        ->check(CLI::PositiveNumber);
    app.add_option("--threads", threads, "of the solvers that have them; hypre and PETSc have one")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", out, "JSON file; written anew after each system");
  }

  bool wanted(const std::string& name) const {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& part) {
             return name.find(part) != std::string::npos;
           });
  }

  std::vector<RealCase> cases() const {
    std::vector<RealCase> all;
    if (!without_gallery) {
      for (const std::string& text : gallery)
        all.push_back(tessera::perf::gallery_case(text));
    }
    if (!matrices.empty()) {
      for (RealCase& matrix : tessera::perf::cases_of_folder(matrices, min_rows))
        all.push_back(std::move(matrix));
    }
    std::erase_if(all, [&](const RealCase& one) { return !wanted(one.name); });
    return all;
  }
};

/// A solver with where its program lies.
struct FoundSolver {
  RealSolver solver;
  fs::path program;
};

/// The solvers that were asked for and whose programs are there; says which are not.
std::vector<FoundSolver> find_solvers(const Options& options) {
  std::vector<fs::path> folders{fs::read_symlink("/proc/self/exe").parent_path() / "real"};
  folders.insert(folders.end(), options.programs.begin(), options.programs.end());
  std::vector<FoundSolver> found;
  for (const std::string& name : options.solvers) {
    const auto& known = known_solvers();
    if (std::none_of(known.begin(), known.end(), [&](const auto& s) { return s.name == name; })) {
      throw std::invalid_argument("--solvers: " + name + " is none of them; see --help");
    }
  }
  for (const RealSolver& solver : known_solvers()) {
    if (!options.solvers.empty() && std::find(options.solvers.begin(), options.solvers.end(),
                                              solver.name) == options.solvers.end()) {
      continue;
    }
    fs::path program;
    for (const fs::path& folder : folders) {
      const fs::path here = folder / ("tessera_real_" + solver.program);
      if (program.empty() && fs::exists(here)) program = fs::absolute(here);
    }
    if (program.empty()) {
      std::printf("without %s: tessera_real_%s is in none of the folders\n", solver.name.c_str(),
                  solver.program.c_str());
    } else {
      found.push_back({solver, program});
    }
  }
  return found;
}

/// One system in the scratch folder, and its solves.
class SystemRun {
 public:
  SystemRun(const Options& options, const RealCase& test, const fs::path& scratch)
      : m_options(options), m_scratch(scratch) {
    tessera::perf::RealMatrix matrix = test.make(scratch);
    const tessera::HostSpace exec;
    m_symmetric = matrix.symmetric;
    m_definite = matrix.definite;
    m_system.A = matrix.A;
    m_system.b = tessera::perf::random_vector(exec, matrix.A.num_rows);
    exec.fence("tessera::perf");
    tessera::write_binary(
        exec, scratch / "system.tsr", m_system.A,
        std::optional<tessera::MultiVector<double, tessera::HostSpace>>(m_system.b));
  }

  nlohmann::json to_json(const RealCase& test) const {
    return {{"name", test.name},
            {"source", test.file.empty() ? "gallery" : "matrix"},
            {"rows", m_system.A.num_rows},
            {"entries", m_system.A.num_entries()},
            {"symmetric", m_symmetric},
            {"definite", m_definite},
            {"results", nlohmann::json::array()}};
  }

  nlohmann::json solve(const FoundSolver& found) const {
    const std::string log = m_scratch / "log";
    const std::string report = m_scratch / "report";
    fs::remove(report);
    // The program's own alarm counts setup and solve; reading and writing get as long again.
    const auto end =
        tessera::perf::run_child(command(found, report), log, 30 + 2 * m_options.limits.limit_s);
    nlohmann::json result{{"solver", found.solver.name}};
    if (end.timed_out()) {
      result["status"] = "time limit";
    } else if (!end.succeeded()) {
      result["status"] = "crashed";
      result["message"] = end.text() + ": " + tessera::perf::last_line(log);
    } else {
      try {
        judge(report, result);
      } catch (const std::exception& error) {
        result["status"] = "crashed";
        result["message"] = end.text() + " without a report: " + error.what();
      }
    }
    return result;
  }

 private:
  std::vector<std::string> command(const FoundSolver& found, const std::string& report) const {
    const auto& limits = m_options.limits;
    std::vector<std::string> words{found.program,
                                   "--system",
                                   m_scratch / "system.tsr",
                                   "--out",
                                   report,
                                   "--tolerance",
                                   fmt::format("{}", limits.tolerance),
                                   "--max-iterations",
                                   std::to_string(limits.max_iterations),
                                   "--limit-s",
                                   fmt::format("{}", limits.limit_s),
                                   "--memory-gb",
                                   fmt::format("{}", limits.memory_gb)};
    if (m_symmetric) words.push_back("--symmetric");
    if (m_definite) words.push_back("--definite");
    words.insert(words.end(), found.solver.arguments.begin(), found.solver.arguments.end());
    return words;
  }

  /// Solved is what leaves at most the tolerance of b by our own count, and a tenth more: the
  /// residual that a recurrence ends by differs from that.
  void judge(const std::string& report, nlohmann::json& result) const {
    const auto solve = tessera::perf::SolveReport::read(report, m_system.A.num_rows);
    const double residual = m_system.relative_residual(solve.x);
    result["status"] = residual <= 1.1 * m_options.limits.tolerance ? "solved" : "not converged";
    result["setup_ms"] = solve.timing.setup_ms;
    result["solve_ms"] = solve.timing.solve_ms;
    result["total_ms"] = solve.timing.total_ms();
    result["iterations"] = solve.timing.iterations;
    result["true_relative_residual"] = residual;
  }

  const Options& m_options;
  fs::path m_scratch;
  HostSystem m_system;
  bool m_symmetric = false;
  bool m_definite = false;
};

void print_result(const nlohmann::json& result) {
  const std::string solver = result["solver"];
  const std::string status = result["status"];
  if (result.contains("total_ms")) {
    std::printf("  %-10s %-13s %10.1f %10.1f %10.1f ms %6d %10.2e\n", solver.c_str(),
                status.c_str(), result["setup_ms"].get<double>(), result["solve_ms"].get<double>(),
                result["total_ms"].get<double>(), result["iterations"].get<int>(),
                result["true_relative_residual"].get<double>());
  } else {
    std::printf("  %-10s %-13s %s\n", solver.c_str(), status.c_str(),
                result.value("message", "").c_str());
  }
  std::fflush(stdout);
}

nlohmann::json record_of(const Options& options, const std::vector<FoundSolver>& solvers) {
  nlohmann::json record{{"comparison", "real"},
                        {"rhs", "random"},
                        {"tolerance", options.limits.tolerance},
                        {"max_iterations", options.limits.max_iterations},
                        {"limit_s", options.limits.limit_s},
                        {"memory_gb", options.limits.memory_gb},
                        {"solver_threads", options.threads},
                        {"solvers", nlohmann::json::array()},
                        {"systems", nlohmann::json::array()}};
  for (const FoundSolver& found : solvers)
    record["solvers"].push_back({{"name", found.solver.name}, {"text", found.solver.text}});
  return record;
}

void compare(const Options& options) {
  const auto solvers = find_solvers(options);
  const auto cases = options.cases();
  if (cases.empty()) throw std::invalid_argument("no system has such a name");
  const ScratchFolder scratch;
  nlohmann::json record = record_of(options, solvers);
  std::printf("%zu systems, %zu solvers, relative residual %g, %g s a solve\n", cases.size(),
              solvers.size(), options.limits.tolerance, options.limits.limit_s);
  for (const RealCase& test : cases) {
    try {
      const SystemRun run(options, test, scratch.path());
      nlohmann::json system = run.to_json(test);
      std::printf("%s, %d rows, %lld entries%s\n", test.name.c_str(), system["rows"].get<int>(),
                  system["entries"].get<long long>(),
                  system["definite"].get<bool>() ? ", definite" : "");
      for (const FoundSolver& solver : solvers) {
        system["results"].push_back(run.solve(solver));
        print_result(system["results"].back());
      }
      record["systems"].push_back(system);
    } catch (const std::exception& error) {
      std::printf("%s: %s\n", test.name.c_str(), error.what());
      record["systems"].push_back({{"name", test.name}, {"error", error.what()}});
    }
    tessera::perf::write_record(options.out, record);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Tessera beside hypre, MueLu, PETSc and amgcl by their defaults: real matrices and the "
      "gallery's hard problems on the host, each solve in a process of its own"};
  Options options;
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);

  // The solvers inherit these.
  setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_PROC_BIND", "false", 0);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    compare(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  }
}
