// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Times of CG and BiCGSTAB, of whole solves and per iteration: in one kernel, called by itself and
/// through `Solver`, beside `Solver` with an iteration recorded as a graph and without, and beside
/// cuSPARSE and cuBLAS, in one run. All from x = 0 with b = A·1, and all checked by the true
/// residual; ends with 1 where one that says that it has converged has not.
///
/// Each is set up before, and solves once before it is timed. A time begins where the device has
/// nothing left to do, and ends where it has nothing left either: with what a solve copies, the
/// zeros in x among it, and with the wait for its end.
#include "support/device_main.hpp"
#include "support/krylov_system.hpp"
#include "support/persistent_cg_options.hpp"
#include "support/real_systems.hpp"

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/persistent/solve.hpp"
#include "tessera/solve.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_graph_krylov.hpp"
#endif

#include <Kokkos_Timer.hpp>
#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace {

using namespace tessera;
using Space = DeviceSpace;
using Options = perf::PersistentCgOptions;

/// One matrix by one method: a row for each way.
class Table {
 public:
  Table(const Space& exec, const Options& options, const std::string& name,
        const kernels::Csr<double, HostSpace>& A, bool is_cg)
      : m_exec(exec),
        m_options(options),
        m_name(name),
        m_system(exec, name, A, is_cg),
        m_is_cg(is_cg) {
    if (options.preconditioner == "jacobi")
      m_d = kernels::inverse_diagonal(exec, m_system.device.view());
  }

  nlohmann::json run() {
    std::printf("%s, %s, %s: %d rows, %zu entries\n", m_name.c_str(), m_is_cg ? "cg" : "bicgstab",
                m_options.preconditioner.c_str(), m_system.host.num_rows,
                m_system.host.num_entries());
    std::printf("  %-52s %-14s %6s %12s %10s %12s\n", "way", "end", "iter", "residual", "ms",
                "us/iteration");
    kernels::PersistentTuning tuning = m_options.tuning;
    tuning.stage = !m_options.without_stage;
    for (const int lanes : m_options.lanes_per_row) {
      for (const int window : m_options.windows) {
        for (const int entries : m_options.register_entries) {
          tuning.lanes_per_row = lanes;
          tuning.window = window;
          tuning.register_entries = entries;
          one_kernel(tuning);
        }
      }
    }
    by_solver("Solver, one kernel", SingleKernel::on, true);
    by_solver("Solver, automatic", SingleKernel::automatic, true);
    by_solver("graph", SingleKernel::off, true);
    by_solver("launches", SingleKernel::off, false);
    vendor();
    return {{"matrix", m_name},
            {"rows", m_system.host.num_rows},
            {"entries", m_system.host.num_entries()},
            {"method", m_is_cg ? "cg" : "bicgstab"},
            {"preconditioner", m_options.preconditioner},
            {"results", m_rows}};
  }
  bool is_right() const { return m_is_right; }

 private:
  struct End {
    std::string status;
    int iterations;
    int iterations_run = 0;  ///< where the device ran more than were needed
  };

  void one_kernel(const kernels::PersistentTuning& tuning) {
    const std::string way = "one kernel" + m_options.what_differs(tuning);
    kernels::PersistentWorkspace<double, Space> workspace;
    const kernels::PersistentLimits limits{.tolerance = m_options.tolerance,
                                           .max_iterations = m_options.max_iterations};
    kernels::PersistentReport report;
    const auto run = [&](const kernels::PersistentLimits& now) {
      const auto solve = m_is_cg ? kernels::persistent_cg<double, Space, Ordinal>
                                 : kernels::persistent_bicgstab<double, Space, Ordinal>;
      Kokkos::deep_copy(m_exec, m_system.x, 0.0);
      report = solve(m_exec, workspace, m_system.device.view(), m_d, m_system.rhs(),
                     m_system.iterate(), now, 0, tuning);
      return End{perf::word(report.end), report.iterations};
    };
    kernels::PersistentLimits half = limits;
    time(way, [&] { return run(limits); });
    if (m_rows.back().contains("error")) return;
    const nlohmann::json whole = m_rows.back();
    half.max_iterations = report.iterations / 2;
    time(way + ", half of them", [&] { return run(half); });
    if (m_rows.back().contains("error")) return;
    // What an iteration more takes, without the launch, the start and the end.
    const int more = whole["iterations"].get<int>() - report.iterations;
    const double each =
        more > 0 ? (whole["ms"].get<double>() - m_rows.back()["ms"].get<double>()) * 1e3 / more : 0;
    m_rows.back()["us_per_further_iteration"] = each;
    std::printf("  %-52s %.2f us for each further iteration\n", "", each);
    auto& row = m_rows[m_rows.size() - 2];
    row["shares"] = report.shape.shares;
    row["lanes"] = report.shape.lanes;
    row["scratch_bytes"] = report.shape.scratch_bytes;
    row["register_entries"] = report.register_entries;
    row["window"] = report.may_have_window;
    row["lanes_per_row"] = report.lanes_per_row;
    row["in_cluster"] = report.shape.in_cluster;
    std::printf(
        "  %-52s %d blocks of %d threads%s, %zu bytes of shared memory, %d threads per row\n", "",
        report.shape.shares, report.shape.lanes, report.shape.in_cluster ? " in a cluster" : "",
        report.shape.scratch_bytes, report.lanes_per_row);
  }

  void by_solver(const std::string& way, SingleKernel single_kernel, bool graph) {
    SolveParameters p;
    p.preconditioner = m_options.preconditioner == "jacobi" ? PreconditionerKind::jacobi
                                                            : PreconditionerKind::none;
    p.graph = graph;
    p.solver.name = m_is_cg ? SolverName::cg : SolverName::bicgstab;
    p.solver.tolerance = m_options.tolerance;
    p.solver.max_iterations = m_options.max_iterations;
    p.solver.nullspace = NullspaceKind::none;
    p.solver.single_kernel = single_kernel;
    Solver<double, Space> solver(p);
    solver.setup(m_exec, m_system.device);
    bool in_one_kernel = false;
    time(way, [&] {
      Kokkos::deep_copy(m_exec, m_system.x, 0.0);
      const SolveResult result = solver.solve(m_exec, m_system.b, m_system.x);
      in_one_kernel = result.in_one_kernel;
      if (single_kernel == SingleKernel::on && !in_one_kernel)
        throw std::runtime_error("the solve was not one kernel");
      return End{std::string(to_string(result.status)), result.iterations};
    });
    m_rows.back()["in_one_kernel"] = in_one_kernel;
  }

  void vendor() {
#if defined(KOKKOS_ENABLE_CUDA)
    perf::CusparseKrylov krylov(m_exec, m_system.device, m_d);
    time("cuSPARSE + cuBLAS", [&] {
      const int iterations =
          m_is_cg ? krylov.cg(m_system.b, m_system.x, m_options.tolerance, m_options.max_iterations)
                  : krylov.bicgstab(m_system.b, m_system.x, m_options.tolerance,
                                    m_options.max_iterations);
      return End{iterations < m_options.max_iterations ? "ended" : "max_iterations", iterations};
    });
    perf::CusparseGraphKrylov in_graph(m_exec, m_system.device, m_d);
    time("cuSPARSE + cuBLAS in a graph", [&] {
      const perf::GraphEnd end =
          m_is_cg
              ? in_graph.cg(m_system.b, m_system.x, m_options.tolerance, m_options.max_iterations)
              : in_graph.bicgstab(m_system.b, m_system.x, m_options.tolerance,
                                  m_options.max_iterations);
      return End{end.iterations < m_options.max_iterations ? "ended" : "max_iterations",
                 end.iterations, end.iterations_run};
    });
    m_rows.back()["algorithm"] = in_graph.algorithm();
#endif
  }

  void time(const std::string& way, const std::function<End()>& solve) {
    std::vector<double> ms;
    End end;
    try {
      for (int i = 0; i <= m_options.repeats; ++i) {
        m_exec.fence("tessera::perf::start");
        const Kokkos::Timer timer;
        end = solve();
        m_exec.fence("tessera::perf::end");
        if (i > 0) ms.push_back(timer.seconds() * 1e3);
      }
    } catch (const std::exception& error) {
      std::printf("  %-52s %s\n", way.c_str(), error.what());
      m_rows.push_back({{"way", way}, {"error", error.what()}});
      m_is_right = false;
      return;
    }
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2];
    const double residual = m_system.true_residual();
    const int timed = end.iterations_run > 0 ? end.iterations_run : end.iterations;
    const double each = timed > 0 ? median * 1e3 / timed : 0;
    std::printf("  %-52s %-14s %6d %12.3e %10.3f %12.2f\n", way.c_str(), end.status.c_str(),
                end.iterations, residual, median, each);
    if (end.status == "converged" && !(residual <= m_options.tolerance * 1.001)) {
      std::printf("  %-52s wrong: the true residual is above the tolerance\n", "");
      m_is_right = false;
    }
    m_rows.push_back({{"way", way},
                      {"end", end.status},
                      {"iterations", end.iterations},
                      {"true_relative_residual", residual},
                      {"ms", median},
                      {"least_ms", ms.front()},
                      {"sorted_ms", ms},
                      {"us_per_iteration", each}});
    if (end.iterations_run > 0) m_rows.back()["iterations_run"] = end.iterations_run;
  }

  Space m_exec;
  const Options& m_options;
  std::string m_name;
  perf::KrylovSystem m_system;
  bool m_is_cg;
  Array<double, Space> m_d;
  nlohmann::json m_rows = nlohmann::json::array();
  bool m_is_right = true;
};

std::vector<perf::RealCase> cases(const Options& options) {
  std::vector<perf::RealCase> result;
  std::vector<std::string> gallery = options.gallery;
  if (gallery.empty() && options.folder.only.empty())
    gallery = {"poisson3d:n=16",
               "poisson2d:n=64",
               "poisson3d27:n=16",
               "poisson3d:n=24",
               "poisson2d:n=128",
               "poisson3d:n=32",
               "poisson2d:n=256",
               "poisson3d:n=48",
               "poisson3d:n=64",
               "poisson2d:n=512",
               "poisson3d:n=100",
               "poisson2d:n=1000",
               "convdiff2d:n=100,peclet=100"};
  for (const std::string& text : gallery)
    result.push_back(perf::gallery_case(text));
  if (!options.folder.is_asked_for(!options.gallery.empty())) return result;
  for (auto& matrix : perf::cases_of_folder(options.folder.path, 1000)) {
    if (options.folder.has(matrix.name)) result.push_back(std::move(matrix));
  }
  return result;
}

bool g_all_right = true;

void run(const Space& exec, const Options& options) {
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json tables = nlohmann::json::array();
  for (const perf::RealCase& one : cases(options)) {
    const perf::RealMatrix matrix = one.make(scratch);
    if (matrix.A.num_entries() > options.max_entries) continue;
    for (const std::string& method : options.methods) {
      const bool is_cg = method == "cg";
      if (is_cg && !matrix.definite) continue;
      Table table(exec, options, one.name, matrix.A, is_cg);
      tables.push_back(table.run());
      g_all_right = g_all_right && table.is_right();
      // Rewritten after each, so that what was measured is there whatever happens.
      perf::write_record(options.out, {{"tolerance", options.tolerance},
                                       {"max_iterations", options.max_iterations},
                                       {"repeats", options.repeats},
                                       {"tables", tables}});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int code = perf::device_main<Options>(
      argc, argv, "CG and BiCGSTAB in one kernel beside launches, graphs and the vendor's", run);
  return code != 0 ? code : (g_all_right ? 0 : 1);
}
