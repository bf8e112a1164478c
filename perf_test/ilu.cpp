// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// ILU(0): triangular solves by each algorithm, and CG and BiCGSTAB preconditioned by them, beside
/// cuSPARSE (csrilu02, SpSV, SpMV) and cuBLAS in one run. Solves start from x = 0 with b = A·1, and
/// are checked by the true residual; ends with 1 where one that says that it has converged has not.
#include "support/device_main.hpp"
#include "support/real_systems.hpp"

#include "tessera/smoother/ilu_preconditioner.hpp"
#include "tessera/solve.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_ilu.hpp"
#include "support/cusparse_krylov.hpp"
#endif

#include <Kokkos_Timer.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace {

using namespace tessera;
using Space = DeviceSpace;

struct Options {
  std::vector<std::string> gallery;
  std::string folder;
  std::vector<std::string> only;
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::size_t max_entries = 8'000'000;
  int min_rows = 1000;
  int repeats = 7;
  int applications = 20;
  bool bicgstab_on_all = false;
  std::string out;

  void add_to(CLI::App& app) {
    if (const char* const known = std::getenv("TESSERA_MATRICES")) folder = known;
    app.add_option("--gallery", gallery,
                   "problems of the gallery, NAME:n=N; without any, eight and the folder's");
    app.add_option("--matrices", folder, "folder with INDEX.tsv (TESSERA_MATRICES)");
    app.add_option("--only", only, "of the folder, those with one of these words in their names");
    app.add_option("--tolerance", tolerance, "relative residual");
    app.add_option("--max-iterations", max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--min-rows", min_rows, "of the folder's matrices");
    app.add_option("--repeats", repeats, "timed solves; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--applications", applications, "of the factors, in each timing of them")
        ->check(CLI::PositiveNumber);
    app.add_flag("--bicgstab-on-all", bicgstab_on_all,
                 "BiCGSTAB also for positive definite matrices, beside CG");
    app.add_option("--out", out, "JSON file");
  }
};

template <class T>
Array<T, Space> on_device(const Space& exec, const Array<const T, HostSpace>& from) {
  const auto to = allocate<T>(exec, "tessera::perf::copy", from.extent(0));
  Kokkos::deep_copy(exec, to, from);
  return to;
}

/// Ratios of the vendor's times to ours, by what was measured.
class Ratios {
 public:
  void add(const std::string& what, double theirs, double ours) {
    if (!(theirs > 0) || !(ours > 0)) return;
    auto& [sum, count, most] = m_of[what];
    const double ratio = theirs / ours;
    sum += std::log(ratio);
    ++count;
    most = std::max(most, ratio);
  }
  nlohmann::json report() const {
    nlohmann::json result = nlohmann::json::object();
    for (const auto& [what, of] : m_of) {
      const double mean = std::exp(of.sum_of_logs / of.count);
      std::printf("%-40s geometric mean %6.2f, largest %7.2f, over %d\n", what.c_str(), mean,
                  of.largest, of.count);
      result[what] = {{"geometric_mean", mean}, {"largest", of.largest}, {"count", of.count}};
    }
    return result;
  }

 private:
  struct Of {
    double sum_of_logs = 0;
    int count = 0;
    double largest = 0;
  };
  std::map<std::string, Of> m_of;
};

struct End {
  std::string status;
  int iterations;
};

/// All measurements of one matrix.
class Table {
 public:
  Table(const Space& exec, const Options& options, const std::string& name,
        const perf::RealMatrix& matrix, Ratios& ratios)
      : m_exec(exec), m_options(options), m_name(name), m_host(matrix.A), m_ratios(ratios) {
    const auto& A = m_host;
    m_A = {A.num_rows, A.num_cols, on_device<Ordinal>(exec, A.offsets),
           on_device<Ordinal>(exec, A.columns),
           on_device<double>(exec, Array<const double, HostSpace>(A.values))};
    const auto n = static_cast<std::size_t>(A.num_rows);
    m_b = allocate_multivector<double>(exec, "tessera::perf::b", n);
    m_x = allocate_multivector<double>(exec, "tessera::perf::x", n);
    m_rhs.resize(n);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
        m_rhs[i] += A.values(e);
    }
    const Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        rhs(m_rhs.data(), n, 1);
    Kokkos::deep_copy(exec, m_b, rhs);
    exec.fence("tessera::perf::b");
  }

  nlohmann::json run(bool by_cg, bool by_bicgstab) {
    std::printf("%s: %d rows, %zu entries\n", m_name.c_str(), m_host.num_rows,
                m_host.num_entries());
    factors();
    if (m_is_factored) {
      vendor_factors();
      if (by_cg) krylov(true);
      if (by_bicgstab) krylov(false);
    }
    return {{"matrix", m_name},
            {"rows", m_host.num_rows},
            {"entries", m_host.num_entries()},
            {"lower_levels", m_lower_levels},
            {"small_pivots", m_small_pivots},
            {"results", m_rows}};
  }
  bool is_right() const { return m_is_right; }

 private:
  using Ilu = IluPreconditioner<double, Space>;

  double median_ms(const std::function<void()>& work, int runs) {
    std::vector<double> ms;
    for (int i = 0; i <= m_options.repeats; ++i) {
      m_exec.fence("tessera::perf::start");
      const Kokkos::Timer timer;
      for (int j = 0; j < runs; ++j)
        work();
      m_exec.fence("tessera::perf::end");
      if (i > 0) ms.push_back(timer.seconds() * 1e3 / runs);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
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
      const double initialize = median_ms([&] { ilu.initialize(m_exec, m_A); }, 1);
      if (!ilu.compute(m_exec, m_A.view())) {
        std::printf("  no factors of finite numbers: row %d\n", ilu.report().first_row);
        return;
      }
      const double solve = median_ms([&] { ilu.apply(m_exec, m_b, m_x); }, m_options.applications);
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
      const double factor =
          median_ms([&] { m_is_factored = ilu.compute(m_exec, m_A.view()) && m_is_factored; }, 1);
      add_row("factor", "ours", factor);
      IluParameters swept;
      swept.method = IluMethod::fixed_point;
      Ilu by_sweeps(swept);
      by_sweeps.initialize(m_exec, m_A);
      add_row("factor", "ours, 5 sweeps",
              median_ms([&] { (void)by_sweeps.compute(m_exec, m_A.view()); }, 1));
      m_factor_ms = factor;
      m_analysis_ms = initialize;
      m_solved = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_x);
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
        kernels::fill_ilu_values(m_exec, pattern, m_A.view(), m_vendor_A.values);
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
      add_row("analysis", "cuSPARSE SpSV",
              median_ms(
                  [&] {
                    m_lower.emplace(m_cusparse, m_vendor_A, true, m_b.data(), m_between.data());
                    m_upper.emplace(m_cusparse, m_vendor_A, false, m_between.data(), m_x.data());
                  },
                  1));
      const double solve = median_ms(
          [&] {
            m_lower->solve(m_b.data(), m_between.data());
            m_upper->solve(m_between.data(), m_x.data());
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
    const auto theirs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_x);
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
    solver.setup(m_exec, m_A);
    [[maybe_unused]] const auto ours = solve(method, "ours", [&] {
      Kokkos::deep_copy(m_exec, m_x, 0.0);
      const SolveResult result = solver.solve(m_exec, m_b, m_x);
      return End{std::string(to_string(result.status)), result.iterations};
    });
#if defined(KOKKOS_ENABLE_CUDA)
    if (!m_lower) return;
    perf::CusparseKrylov vendor(m_exec, m_A, {});
    vendor.set_preconditioner([&](const double* r, double* z) {
      m_lower->solve(r, m_between.data());
      m_upper->solve(m_between.data(), z);
    });
    const auto theirs = solve(method, "cuSPARSE + cuBLAS", [&] {
      const int iterations =
          by_cg ? vendor.cg(m_b, m_x, m_options.tolerance, m_options.max_iterations)
                : vendor.bicgstab(m_b, m_x, m_options.tolerance, m_options.max_iterations);
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
    timed.residual = true_residual();
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

  /// ||b - A x|| / ||b||, on the host.
  double true_residual() const {
    const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_x);
    double rr = 0, bb = 0;
    for (Ordinal i = 0; i < m_host.num_rows; ++i) {
      long double r = m_rhs[i];
      for (auto e = m_host.offsets(i); e < m_host.offsets(i + 1); ++e)
        r -= static_cast<long double>(m_host.values(e)) * x(m_host.columns(e), 0);
      rr += static_cast<double>(r * r);
      bb += m_rhs[i] * m_rhs[i];
    }
    return bb > 0 ? std::sqrt(rr / bb) : std::sqrt(rr);
  }

  Space m_exec;
  const Options& m_options;
  std::string m_name;
  kernels::Csr<double, HostSpace> m_host;
  Ratios& m_ratios;
  kernels::Csr<double, Space> m_A;
  MultiVector<double, Space> m_b, m_x;
  std::vector<double> m_rhs;
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

std::vector<perf::RealCase> cases(const Options& options) {
  std::vector<perf::RealCase> result;
  std::vector<std::string> gallery = options.gallery;
  if (gallery.empty() && options.only.empty())
    gallery = {
        "poisson2d:n=64",  "poisson3d:n=24", "poisson2d:n=256",   "poisson3d:n=48",
        "poisson2d:n=700", "poisson3d:n=80", "elasticity3d:n=16", "convdiff2d:n=300,peclet=100"};
  for (const std::string& text : gallery)
    result.push_back(perf::gallery_case(text));
  if (options.folder.empty() || !options.gallery.empty()) return result;
  for (auto& matrix : perf::cases_of_folder(options.folder, options.min_rows)) {
    const bool named = std::any_of(
        options.only.begin(), options.only.end(),
        [&](const std::string& word) { return matrix.name.find(word) != std::string::npos; });
    if (named || options.only.empty()) result.push_back(std::move(matrix));
  }
  return result;
}

bool g_all_right = true;

void run(const Space& exec, const Options& options) {
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json tables = nlohmann::json::array();
  Ratios ratios;
  const auto record = [&](const nlohmann::json& summary) {
    perf::write_record(options.out, {{"tolerance", options.tolerance},
                                     {"max_iterations", options.max_iterations},
                                     {"repeats", options.repeats},
                                     {"ratios_to_cusparse", summary},
                                     {"tables", tables}});
  };
  for (const perf::RealCase& one : cases(options)) {
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
