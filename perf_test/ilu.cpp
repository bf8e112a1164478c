// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// ILU(0): triangular solves by each algorithm, and CG and BiCGSTAB preconditioned by them, beside
/// cuSPARSE (csrilu02, SpSV, SpMV) and cuBLAS in one run. Solves start from x = 0 with b = A·1, and
/// are checked by the true residual; ends with 1 where one that says that it has converged has not.
#include "support/device_main.hpp"
#include "support/ilu_options.hpp"
#include "support/krylov_system.hpp"
#include "support/ratios_by_name.hpp"
#include "support/timed_runs.hpp"

#include "tessera/smoother/ilu_smoother.hpp"
#include "tessera/solve.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_ilu.hpp"
#include "support/cusparse_krylov.hpp"
#endif

#include <cmath>
#include <functional>

namespace {

using namespace tessera;
using Space = DeviceSpace;
using Options = perf::IluOptions;

struct End {
  std::string status;
  int iterations;
};

/// All measurements of one matrix.
class Table {
 public:
  Table(const Space& exec, const Options& options, const std::string& name,
        const perf::RealMatrix& matrix, perf::RatiosByName& ratios)
      : m_exec(exec),
        m_options(options),
        m_system(exec, name, matrix.A, matrix.definite),
        m_ratios(ratios) {}

  nlohmann::json run(bool by_cg, bool by_bicgstab) {
    std::printf("%s: %d rows, %zu entries\n", m_system.name.c_str(), m_system.host.num_rows,
                m_system.host.num_entries());
    factors();
    if (m_is_factored) {
      vendor_factors();
      if (by_cg) krylov(true);
      if (by_bicgstab) krylov(false);
    }
    return {{"matrix", m_system.name},
            {"rows", m_system.host.num_rows},
            {"entries", m_system.host.num_entries()},
            {"lower_levels", m_lower_levels},
            {"small_pivots", m_small_pivots},
            {"results", m_rows}};
  }
  bool is_right() const { return m_is_right; }

 private:
  using Ilu = IluPreconditioner<double, Space>;

  double median_ms(const std::function<void()>& work, int runs) const {
    return perf::median_ms(m_exec, m_options.repeats, runs, work);
  }

  void add_row(const std::string& what, const std::string& who, double ms) {
    std::printf("  %-14s %-26s %12.3f ms\n", what.c_str(), who.c_str(), ms);
    m_rows.push_back({{"what", what}, {"who", who}, {"ms", ms}});
  }

  /// Ours: what setup takes, and the two triangular solves by each algorithm.
  void factors() {
    constexpr std::pair<SptrsvAlgorithm, const char*> algorithms[] = {
        {SptrsvAlgorithm::automatic, "auto"},
        {SptrsvAlgorithm::levels, "levels"},
        {SptrsvAlgorithm::counters, "counters"},
        {SptrsvAlgorithm::recursive, "recursive"}};
    for (const auto& [algorithm, name] : algorithms) {
      IluParameters p;
      p.solve = algorithm;
      Ilu ilu(p);
      const double initialize = median_ms([&] { ilu.initialize(m_exec, m_system.device); }, 1);
      if (!ilu.compute(m_exec, m_system.device.view())) {
        std::printf("  no factors of finite numbers: row %d\n", ilu.report().first_row);
        return;
      }
      const double solve =
          median_ms([&] { ilu.apply(m_exec, m_system.b, m_system.x); }, m_options.applications);
      add_row("L and U", name, solve);
      m_solve_ms[name] = solve;
      auto& row = m_rows.back();
      row["description"] = ilu.description();
      row["estimated_us"] = ilu.solves().lower().estimated_us + ilu.solves().upper().estimated_us;
      row["analysis_ms"] = initialize;
      if (algorithm != SptrsvAlgorithm::automatic) continue;
      std::printf("  %-14s %s\n", "", ilu.description().c_str());
      m_is_factored = true;
      m_lower_levels = kernels::find_levels(m_exec, ilu.factors().lower()).num_levels;
      m_small_pivots = ilu.report().num_small;
      add_row("analysis", "ours", initialize);
      const double factor = median_ms(
          [&] { m_is_factored = ilu.compute(m_exec, m_system.device.view()) && m_is_factored; }, 1);
      add_row("factor", "ours", factor);
      IluParameters swept;
      swept.method = IluMethod::fixed_point;
      Ilu by_sweeps(swept);
      by_sweeps.initialize(m_exec, m_system.device);
      add_row("factor", "ours, 5 sweeps",
              median_ms([&] { (void)by_sweeps.compute(m_exec, m_system.device.view()); }, 1));
      m_factor_ms = factor;
      m_analysis_ms = initialize;
      m_solved = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_system.x);
      m_factors = ilu.factors();
    }
  }

  /// The vendor's on the same pattern. Triangles are solved with our factors: theirs have no
  /// shifts.
  void vendor_factors() {
#if defined(KOKKOS_ENABLE_CUDA)
    try {
      const auto& pattern = m_factors.pattern;
      m_vendor_A = {pattern.num_rows, pattern.num_rows, pattern.offsets, pattern.columns,
                    allocate<double>(m_exec, "tessera::perf::values", pattern.num_entries())};
      const auto fill = [&] {
        kernels::fill_ilu_values(m_exec, pattern, m_system.device.view(), m_vendor_A.values);
      };
      try {
        const double factor = median_ms(
            [&] {
              fill();
              perf::cusparse_ilu(m_cusparse, m_vendor_A);
            },
            1);
        add_row("factor", "cuSPARSE, with analysis", factor);
        m_ratios.add("analysis and factors", factor, m_analysis_ms + m_factor_ms);
      } catch (const std::exception& error) {
        std::printf("  %-14s %-26s %s\n", "factor", "cuSPARSE", error.what());
      }
      Kokkos::deep_copy(m_exec, m_vendor_A.values, m_factors.values);
      m_between = allocate_multivector<double>(m_exec, "tessera::perf::between", pattern.num_rows);
      add_row(
          "analysis", "cuSPARSE SpSV",
          median_ms(
              [&] {
                m_lower.emplace(m_cusparse, m_vendor_A, true, m_system.b.data(), m_between.data());
                m_upper.emplace(m_cusparse, m_vendor_A, false, m_between.data(), m_system.x.data());
              },
              1));
      const double solve = median_ms(
          [&] {
            m_lower->solve(m_system.b.data(), m_between.data());
            m_upper->solve(m_between.data(), m_system.x.data());
          },
          m_options.applications);
      add_row("L and U", "cuSPARSE SpSV", solve);
      for (const auto& [name, ours] : m_solve_ms)
        m_ratios.add("L and U, " + name, solve, ours);
      compare_solved();
    } catch (const std::exception& error) {
      std::printf("  %-14s %-26s %s\n", "", "cuSPARSE", error.what());
      m_rows.push_back({{"who", "cuSPARSE"}, {"error", error.what()}});
      m_lower.reset();
    }
#endif
  }

#if defined(KOKKOS_ENABLE_CUDA)
  void compare_solved() {
    const auto theirs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_system.x);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < theirs.extent(0); ++i) {
      difference = std::max(difference, std::abs(theirs(i, 0) - m_solved(i, 0)));
      size = std::max(size, std::abs(theirs(i, 0)));
    }
    std::printf("  %-14s differ by %.1e of the largest\n", "", difference / size);
    m_rows.back()["relative_difference"] = difference / size;
  }
#endif

  void krylov(bool by_cg) {
    const std::string method = by_cg ? "cg" : "bicgstab";
    SolveParameters p;
    p.preconditioner = PreconditionerKind::ilu;
    p.solver.name = by_cg ? SolverName::cg : SolverName::bicgstab;
    p.solver.tolerance = m_options.tolerance;
    p.solver.max_iterations = m_options.max_iterations;
    p.solver.nullspace = NullspaceKind::none;
    Solver<double, Space> solver(p);
    solver.setup(m_exec, m_system.device);
    [[maybe_unused]] const auto ours = solve(method, "ours", [&] {
      Kokkos::deep_copy(m_exec, m_system.x, 0.0);
      const SolveResult result = solver.solve(m_exec, m_system.b, m_system.x);
      return End{std::string(to_string(result.status)), result.iterations};
    });
#if defined(KOKKOS_ENABLE_CUDA)
    if (!m_lower) return;
    perf::CusparseKrylov vendor(m_exec, m_system.device, {});
    vendor.set_preconditioner([&](const double* r, double* z) {
      m_lower->solve(r, m_between.data());
      m_upper->solve(m_between.data(), z);
    });
    const auto theirs = solve(method, "cuSPARSE + cuBLAS", [&] {
      const int iterations =
          by_cg ? vendor.cg(m_system.b, m_system.x, m_options.tolerance, m_options.max_iterations)
                : vendor.bicgstab(m_system.b, m_system.x, m_options.tolerance,
                                  m_options.max_iterations);
      return End{iterations < m_options.max_iterations ? "ended" : "max_iterations", iterations};
    });
    m_ratios.add(method + ", an iteration", theirs.us_per_iteration, ours.us_per_iteration);
    if (ours.residual <= m_options.tolerance * 1.001 &&
        theirs.residual <= m_options.tolerance * 100)
      m_ratios.add(method + ", a solve, where both converge", theirs.ms, ours.ms);
#endif
  }

  struct Timed {
    double ms = 0, us_per_iteration = 0, residual = 0;
  };
  Timed solve(const std::string& method, const std::string& who, const std::function<End()>& work) {
    End end;
    Timed timed;
    timed.ms = median_ms([&] { end = work(); }, 1);
    timed.residual = m_system.true_residual();
    timed.us_per_iteration = end.iterations > 0 ? timed.ms * 1e3 / end.iterations : 0;
    std::printf("  %-14s %-26s %-14s %6d %12.3e %10.3f ms %10.2f us/iteration\n", method.c_str(),
                who.c_str(), end.status.c_str(), end.iterations, timed.residual, timed.ms,
                timed.us_per_iteration);
    if (end.status == "converged" && !(timed.residual <= m_options.tolerance * 1.001)) {
      std::printf("  %-14s wrong: the true residual is above the tolerance\n", "");
      m_is_right = false;
    }
    m_rows.push_back({{"what", method},
                      {"who", who},
                      {"end", end.status},
                      {"iterations", end.iterations},
                      {"true_relative_residual", timed.residual},
                      {"ms", timed.ms},
                      {"us_per_iteration", timed.us_per_iteration}});
    return timed;
  }

  Space m_exec;
  const Options& m_options;
  perf::KrylovSystem m_system;
  perf::RatiosByName& m_ratios;
  kernels::IluFactors<double, Space> m_factors;
  MultiVector<double, HostSpace> m_solved;
  std::map<std::string, double> m_solve_ms;
  double m_factor_ms = 0, m_analysis_ms = 0;
  Ordinal m_lower_levels = 0;
  std::int64_t m_small_pivots = 0;
  bool m_is_factored = false;
  bool m_is_right = true;
  nlohmann::json m_rows = nlohmann::json::array();
#if defined(KOKKOS_ENABLE_CUDA)
  perf::CusparseHandle m_cusparse{m_exec};
  kernels::Csr<double, Space> m_vendor_A;
  MultiVector<double, Space> m_between;
  std::optional<perf::CusparseTriangle> m_lower, m_upper;
#endif
};

bool g_all_right = true;

void run(const Space& exec, const Options& options) {
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json tables = nlohmann::json::array();
  perf::RatiosByName ratios;
  const auto record = [&](const nlohmann::json& summary) {
    perf::write_record(options.out, {{"tolerance", options.tolerance},
                                     {"max_iterations", options.max_iterations},
                                     {"repeats", options.repeats},
                                     {"ratios_to_cusparse", summary},
                                     {"tables", tables}});
  };
  for (const perf::RealCase& one : options.cases()) {
    const perf::RealMatrix matrix = one.make(scratch);
    if (matrix.A.num_entries() > options.max_entries) continue;
    Table table(exec, options, one.name, matrix, ratios);
    tables.push_back(table.run(matrix.definite, !matrix.definite || options.bicgstab_on_all));
    g_all_right = g_all_right && table.is_right();
    // Rewritten after each, so that what was measured is there whatever happens.
    record(nlohmann::json::object());
  }
  record(ratios.report());
}

}  // namespace

int main(int argc, char** argv) {
  const int code = perf::device_main<Options>(
      argc, argv, "ILU(0), its triangular solves and the methods around it", run);
  return code != 0 ? code : (g_all_right ? 0 : 1);
}
