// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's automatic choices beside the defaults of its peers, on real matrices and on the
/// gallery's hard problems, all on the host.
///
/// Each solve is a process of its own (`real/`), with limits of time and memory: a peer that hangs
/// or crashes costs that solve alone, and peers that cannot share a program (two Kokkos, MPI or
/// none) need not. All get the same matrix and the same random right-hand side from a file and give
/// their solution back by one; what is left of the right-hand side is computed here. With `--jobs`
/// several solves run side by side, each process taking the next one when it is free.
#include "support/child_process.hpp"
#include "support/one_solve.hpp"
#include "support/real_record.hpp"
#include "support/real_solvers.hpp"
#include "support/real_systems.hpp"
#include "support/shared_work.hpp"

#include "tessera/io/binary.hpp"

#include <fmt/format.h>

namespace {

namespace fs = std::filesystem;
using tessera::perf::FoundSolver;
using tessera::perf::HostSystem;
using tessera::perf::RealCase;
using tessera::perf::RealWork;

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
  int jobs = 1;
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
    app.add_option("--jobs", jobs, "solves side by side, with enough cores each on its own")
        ->check(CLI::Range(1, 4096));
    app.add_option("--out", out, "JSON file; rewritten after each solve");
  }

  /// OpenMP has read OMP_NUM_THREADS before main.
  Kokkos::InitializationSettings kokkos() const {
    return Kokkos::InitializationSettings().set_num_threads(threads);
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
    return {{"name", test.name},           {"source", test.file.empty() ? "gallery" : "matrix"},
            {"rows", m_system.A.num_rows}, {"entries", m_system.A.num_entries()},
            {"symmetric", m_symmetric},    {"definite", m_definite}};
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
      result["status"] = end.crashed() ? "crashed" : "error";
      result["message"] = end.text() + ": " + tessera::perf::last_line(log).substr(0, 500);
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
  /// residual that a recurrence ends by differs from that. One that is no number becomes null.
  void judge(const std::string& report, nlohmann::json& result) const {
    const auto solve = tessera::perf::SolveReport::read(report, m_system.A.num_rows);
    const double residual = m_system.relative_residual(solve.x);
    result["status"] = residual <= 1.1 * m_options.limits.tolerance ? "solved" : "not converged";
    result["version"] = solve.version;
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

/// The solves that one process takes. Of each it sends the item, and either what the system is and
/// the result, or the error that kept the system from being made.
void solve_items(const Options& options, const RealWork& work,
                 const tessera::perf::SharedWork::Next& next,
                 const tessera::perf::SharedWork::Send& send) {
  const Kokkos::ScopeGuard kokkos(options.kokkos());
  const ScratchFolder scratch;
  setenv("TMPDIR", scratch.path().c_str(), 1);  // what solvers leave behind goes with it
  std::optional<std::size_t> at;
  std::optional<SystemRun> run;
  std::string error;
  while (const auto item = next()) {
    const std::size_t number = work.case_of(*item);
    const RealCase& test = work.cases[number];
    if (at != number) {
      at = number;
      run.reset();
      try {
        run.emplace(options, test, scratch.path());
      } catch (const std::exception& caught) {
        error = caught.what();
      }
    }
    nlohmann::json message{{"item", *item}};
    if (run) {
      message["system"] = run->to_json(test);
      message["result"] = run->solve(work.solvers[work.solver_of(*item)]);
    } else {
      message["error"] = error;
    }
    send(message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

int compare(const Options& options) {
  const RealWork work{options.cases(),
                      tessera::perf::find_solvers(options.solvers, options.programs)};
  if (work.cases.empty()) throw std::invalid_argument("no system has such a name");
  std::printf("%zu systems, %zu solvers, relative residual %g, %g s per solve\n", work.cases.size(),
              work.solvers.size(), options.limits.tolerance, options.limits.limit_s);
  tessera::perf::SharedWork shared(
      work.size(), options.jobs, options.threads,
      [&](const auto& next, const auto& send) { solve_items(options, work, next, send); });
  if (options.jobs > 1 && !shared.bound())
    std::printf("%d jobs of %d threads are more than there are cores: they disturb one another\n",
                options.jobs, options.threads);
  const Kokkos::ScopeGuard kokkos(options.kokkos());  // the record asks it for the machine
  tessera::perf::RealRecord record({{"comparison", "real"},
                                    {"rhs", "random"},
                                    {"tolerance", options.limits.tolerance},
                                    {"max_iterations", options.limits.max_iterations},
                                    {"limit_s", options.limits.limit_s},
                                    {"memory_gb", options.limits.memory_gb},
                                    {"solver_threads", options.threads},
                                    {"side_by_side", options.jobs},
                                    {"bound_to_cores", shared.bound()}},
                                   work, options.out);
  shared.receive([&](const std::string& message) { record.add(message); });
  if (record.num_missing() == 0) return 0;
  std::fprintf(stderr, "%zu solves are missing: a process that should do them ended early\n",
               record.num_missing());
  return 70;
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
  try {
    return compare(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  }
}
