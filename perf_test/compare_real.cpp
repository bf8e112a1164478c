// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's automatic choices beside the defaults of its peers, on real matrices and on the
/// gallery's hard problems, all on the host.
///
/// Each solve is a process of its own (`real/`), with limits of time and memory: a peer that hangs
/// or crashes costs that solve alone, and peers that cannot share a program (two Kokkos, MPI or
/// none) need not. All get the same matrix and the same right-hand side from a file and give their
/// solution back by one; what is left of the right-hand side is computed here. With `--jobs`
/// several solves run side by side, each process taking the next one when it is free.
///
/// Results say by which method a system was solved. Variants of solvers tell what factors of the
/// whole matrix are worth: some never take them, others take them where iterations do not do. Where
/// a variant would repeat what its solver did, it has that result.
#include "support/real_record.hpp"
#include "support/shared_work.hpp"
#include "support/system_run.hpp"

namespace {

namespace fs = std::filesystem;
using tessera::perf::FoundSolver;
using tessera::perf::RealCase;
using tessera::perf::RealRecord;
using tessera::perf::RealSolve;
using tessera::perf::RealWork;
using tessera::perf::SharedWork;
using tessera::perf::SystemRun;

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
  long long max_entries = std::numeric_limits<long long>::max();
  std::vector<std::string> gallery = tessera::perf::hard_problems();
  bool without_gallery = false;
  std::vector<std::string> rhs{"random", "ones"};
  std::vector<std::string> only, solvers, programs;
  tessera::perf::OneSolve limits;
  int threads = 1;
  int jobs = 1;
  double seconds = 1e9;
  std::string out;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  void add_to(CLI::App& app) {
    app.add_option("--matrices", matrices,
                   "folder of Matrix Market files (.mtx, .mtx.xz) with an INDEX.tsv")
        ->envname("TESSERA_MATRICES")
        ->check(CLI::ExistingDirectory);
    app.add_option("--min-rows", min_rows, "of the folder, matrices with more rows than this");
    app.add_option("--max-entries", max_entries,
                   "of the folder, matrices with no more entries than this");
    app.add_option("--gallery", gallery, "problems as NAME:KEY=VALUE,KEY=VALUE")
        ->capture_default_str();
    app.add_flag("--without-gallery", without_gallery, "the folder's matrices alone");
    app.add_option("--rhs", rhs, "right-hand sides: random numbers, and A times ones")
        ->check(CLI::IsMember({"random", "ones"}))
        ->capture_default_str();
    app.add_option("--only", only, "only systems whose name contains one of these");
    app.add_option("--solvers", solvers, "only these of " + tessera::perf::solver_names());
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
    app.add_option("--seconds", seconds, "after which no other solve begins")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", out,
                   "JSON file; rewritten after each solve, and what it holds is not done again");
  }

  /// OpenMP has read OMP_NUM_THREADS before main.
  Kokkos::InitializationSettings kokkos() const {
    return Kokkos::InitializationSettings().set_num_threads(threads);
  }

  bool time_is_over() const {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
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
      for (RealCase& matrix :
           tessera::perf::cases_of_folder(matrices, min_rows, false, max_entries))
        all.push_back(std::move(matrix));
    }
    std::erase_if(all, [&](const RealCase& one) { return !wanted(one.name); });
    return all;
  }
};

/// The solves that one process takes. Of each it sends its numbers, and either what the system is
/// and the result, or the error that kept the system from being made.
class Solves {
 public:
  Solves(const Options& options, const RealWork& work, const RealRecord& record,
         const SharedWork::Send& send)
      : m_options(options), m_work(work), m_record(record), m_send(send) {
    setenv("TMPDIR", m_scratch.path().c_str(), 1);  // what solvers leave behind goes with it
  }

  /// Those of an item that the record has not, as long as there is time for another one.
  void run(std::size_t item) {
    nlohmann::json base;
    for (const RealSolve& solve : m_work.solves_of(item)) {
      nlohmann::json result = m_record.result(solve);
      if (result.is_null()) {
        if (m_options.time_is_over()) return;
        result = run(solve, base);
      }
      if (m_work.solvers[solve.solver].solver.of.empty()) base = result;
    }
  }

 private:
  /// `base`: of the solver that this one may be a variant of, or null.
  nlohmann::json run(const RealSolve& solve, const nlohmann::json& base) {
    nlohmann::json message{{"test", solve.test}, {"rhs", solve.rhs}, {"solver", solve.solver}};
    take(solve);
    if (m_error.empty()) {
      message["system"] = m_run->description();
      message["result"] = result_of(m_work.solvers[solve.solver], base);
    } else {
      message["error"] = m_error;
    }
    m_send(message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return message.value("result", nlohmann::json());
  }

  nlohmann::json result_of(const FoundSolver& found, const nlohmann::json& base) const {
    if (!found.solver.repeats(base)) return m_run->solve(found);
    nlohmann::json result = base;
    result["solver"] = found.solver.name;
    result["as"] = found.solver.of;
    return result;
  }

  /// The system of `solve`, or what is wrong with it.
  void take(const RealSolve& solve) {
    if (m_system == m_work.system_of(solve)) return;
    m_error.clear();
    m_system = m_work.system_of(solve);
    try {
      if (m_test != solve.test) {
        m_test.reset();
        m_run.reset();
        m_run = std::make_unique<SystemRun>(m_options.limits, m_work.cases[solve.test],
                                            m_scratch.path());
        m_test = solve.test;
      }
      m_run->take_rhs(m_work.rhs[solve.rhs]);
    } catch (const std::exception& caught) {
      m_error = caught.what();
    }
  }

  const Options& m_options;
  const RealWork& m_work;
  const RealRecord& m_record;
  const SharedWork::Send& m_send;
  ScratchFolder m_scratch;
  std::optional<std::size_t> m_test, m_system;
  std::unique_ptr<SystemRun> m_run;
  std::string m_error;
};

int compare(const Options& options) {
  const RealWork work{options.cases(), options.rhs,
                      tessera::perf::find_solvers(options.solvers, options.programs)};
  if (work.cases.empty()) throw std::invalid_argument("no system has such a name");
  const bool bound = SharedWork::binds(options.jobs, options.threads);
  RealRecord record({{"comparison", "real"},
                     {"rhs", options.rhs},
                     {"tolerance", options.limits.tolerance},
                     {"max_iterations", options.limits.max_iterations},
                     {"limit_s", options.limits.limit_s},
                     {"memory_gb", options.limits.memory_gb},
                     {"solver_threads", options.threads},
                     {"side_by_side", options.jobs},
                     {"bound_to_cores", bound}},
                    work, options.out);
  std::printf("%zu systems, %zu solvers, relative residual %g, %g s per solve\n",
              work.num_systems(), work.solvers.size(), options.limits.tolerance,
              options.limits.limit_s);
  const std::size_t missing = record.num_missing();
  if (missing < work.num_solves())
    std::printf("%zu of %zu solves are in the record\n", work.num_solves() - missing,
                work.num_solves());
  SharedWork shared(work.num_items(), options.jobs, options.threads,
                    [&](const auto& next, const auto& send) {
                      const Kokkos::ScopeGuard kokkos(options.kokkos());
                      Solves solves(options, work, record, send);
                      while (const auto item = next())
                        solves.run(*item);
                    });
  if (options.jobs > 1 && !bound)
    std::printf("%d jobs of %d threads are more than there are cores: they disturb one another\n",
                options.jobs, options.threads);
  const Kokkos::ScopeGuard kokkos(options.kokkos());  // the record asks it for the machine
  shared.receive([&](const std::string& message) { record.add(message); });
  if (record.num_missing() == 0) return 0;
  std::fprintf(stderr, "%zu solves are missing: %s\n", record.num_missing(),
               options.time_is_over() ? "time was over; the same command goes on from its record"
                                      : "a process that should do them ended early");
  return options.time_is_over() ? 75 : 70;
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
  // Each is alone with its MPI: Open MPI looks for networks for a second otherwise.
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  try {
    return compare(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  }
}
