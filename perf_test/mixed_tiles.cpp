// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in mixed precision: bytes beside CSR's, tiles of each kind, the time to make them in
/// products of CSR (and of cuSPARSE), and solves in one kernel on CSR, on tiles, and on tiles whose
/// precision is lowered. From x = 0 with b = A·1, checked by the true residual
/// on the host; ends with 1 where a solve says that it has converged and has not.
#include "support/device_main.hpp"
#include "support/real_systems.hpp"

#include "tessera/kernels/format/inverse_diagonal.hpp"
#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"
#include "tessera/kernels/spmv/products.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_product.hpp"
#endif

#include <Kokkos_Timer.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace {

using namespace tessera;
using Space = DeviceSpace;
using Matrix = kernels::Csr<double, Space>;
using Tiles = kernels::MixedTiles<double, Space>;

struct Options {
  std::vector<std::string> gallery;
  std::string folder;
  std::vector<std::string> only;
  std::vector<std::string> methods{"cg", "bicgstab"};
  std::string preconditioner = "none";
  std::string loss = "relative";
  double loss_tolerance = 1e-15;
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::size_t max_entries = 8'000'000;
  int repeats = 7;
  bool memory_only = false;
  bool without_solves = false;
  std::string out;

  void add_to(CLI::App& app) {
    if (const char* const known = std::getenv("TESSERA_MATRICES")) folder = known;
    app.add_option("--gallery", gallery, "problems of the gallery, NAME:n=N");
    app.add_option("--matrices", folder, "folder with INDEX.tsv (TESSERA_MATRICES)");
    app.add_option("--only", only, "of the folder, those with one of these words in their names");
    app.add_option("--methods", methods,
                   "cg where the matrix is known to be definite, bicgstab elsewhere");
    app.add_option("--preconditioner", preconditioner, "none or jacobi")
        ->check(CLI::IsMember({"none", "jacobi"}));
    app.add_option("--loss", loss, "what tiles may lose: none, relative or absolute")
        ->check(CLI::IsMember({"none", "relative", "absolute"}));
    app.add_option("--loss-tolerance", loss_tolerance, "and how much");
    app.add_option("--tolerance", tolerance, "relative residual of solves");
    app.add_option("--max-iterations", max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--repeats", repeats, "timed runs; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_flag("--memory-only", memory_only,
                 "bytes and kinds alone, of every matrix of the folder, diagonal and rectangular "
                 "ones too");
    app.add_flag("--without-solves", without_solves, "tiles alone");
    app.add_option("--out", out, "JSON file");
  }

  kernels::TileCriterion criterion() const {
    return {loss == "none"       ? kernels::TileLoss::none
            : loss == "relative" ? kernels::TileLoss::relative
                                 : kernels::TileLoss::absolute,
            loss_tolerance};
  }
};

template <class T>
Array<T, Space> on_device(const Space& exec, const Array<const T, HostSpace>& from) {
  const auto to = allocate<T>(exec, "tessera::perf::copy", from.extent(0));
  Kokkos::deep_copy(exec, to, from);
  return to;
}

/// The median of `repeats` runs of `times` each, in ms for one.
double median_ms(const Space& exec, int repeats, int times, const std::function<void()>& run) {
  std::vector<double> ms;
  for (int i = 0; i <= repeats; ++i) {
    exec.fence("tessera::perf::start");
    const Kokkos::Timer timer;
    for (int k = 0; k < times; ++k)
      run();
    exec.fence("tessera::perf::end");
    if (i > 0) ms.push_back(timer.seconds() * 1e3 / times);
  }
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() / 2];
}

/// Sums for means over all matrices.
struct Means {
  struct Mean {
    double logs = 0, sum = 0, most = 0;
    int count = 0;

    void add(double value) {
      if (!(value > 0)) return;
      logs += std::log(value);
      sum += value;
      most = std::max(most, value);
      ++count;
    }
  };
  std::map<std::string, Mean> of;

  nlohmann::json print() const {
    nlohmann::json result;
    for (const auto& [name, mean] : of) {
      if (mean.count == 0) continue;
      const double geometric = std::exp(mean.logs / mean.count);
      std::printf("%-44s geometric mean %8.3f, mean %8.3f, most %8.3f, of %d\n", name.c_str(),
                  geometric, mean.sum / mean.count, mean.most, mean.count);
      result[name] = {{"geometric_mean", geometric},
                      {"mean", mean.sum / mean.count},
                      {"most", mean.most},
                      {"count", mean.count}};
    }
    return result;
  }
};

bool g_all_right = true;

/// All that is measured of one matrix.
class OneMatrix {
 public:
  OneMatrix(const Space& exec, const Options& options, const std::string& name,
            const kernels::Csr<double, HostSpace>& A, Means& means)
      : m_exec(exec), m_options(options), m_host(A), m_means(means) {
    m_A = {A.num_rows, A.num_cols, on_device<Ordinal>(exec, A.offsets),
           on_device<Ordinal>(exec, A.columns),
           on_device<double>(exec, Array<const double, HostSpace>(A.values))};
    m_row = {{"matrix", name}, {"rows", A.num_rows}, {"entries", A.num_entries()}};
    std::printf("%s: %d rows, %zu entries\n", name.c_str(), A.num_rows, A.num_entries());
  }

  void measure_format() {
    m_tiles = make();
    const double csr = static_cast<double>((m_A.num_rows + 1ul) * sizeof(Ordinal) +
                                           m_A.num_entries() * (sizeof(double) + sizeof(Ordinal)));
    const double ratio = static_cast<double>(m_tiles.bytes()) / csr;
    std::printf("  %.3f of CSR's bytes; %zu tiles:", ratio, m_tiles.num_tiles());
    for (int kind = 0; kind < kernels::num_tile_kinds; ++kind) {
      const char* const word = kernels::word(static_cast<kernels::TileKind>(kind));
      std::printf(" %lld %s", static_cast<long long>(m_tiles.tiles_of_kind[kind]), word);
      m_row["tiles"][word] = m_tiles.tiles_of_kind[kind];
      m_row["entries_of_tiles"][word] = m_tiles.entries_of_kind[kind];
    }
    std::printf("\n");
    m_row["bytes"] = m_tiles.bytes();
    m_row["bytes_over_csr"] = ratio;
    m_means.of["bytes over CSR's"].add(ratio);
  }

  /// The time to make the tiles, in products of CSR.
  void measure_making() {
    const auto x = allocate_multivector<double>(m_exec, "tessera::perf::x", m_A.num_cols);
    const auto y = allocate_multivector<double>(m_exec, "tessera::perf::y", m_A.num_rows);
    Kokkos::deep_copy(m_exec, x, 1.0);
    constexpr int times = 20;
    const auto csr_plan = kernels::analyse_spmv(m_exec, m_A.view());
    const double csr_ms = median_ms(m_exec, m_options.repeats, times, [&] {
      kernels::spmv(m_exec, csr_plan, 1.0, m_A.view(), x, 0.0, y);
    });
    const double make_ms = median_ms(m_exec, m_options.repeats, 1, [&] { make(); });
    std::printf("  made in %.3f ms, %.1f products of CSR (%.4f ms)\n", make_ms, make_ms / csr_ms,
                csr_ms);
    m_row["csr_product_ms"] = csr_ms;
    m_row["make_ms"] = make_ms;
    m_means.of["time to make in products of CSR"].add(make_ms / csr_ms);
#if defined(KOKKOS_ENABLE_CUDA)
    const perf::CusparseHandle handle(m_exec);
    const perf::CusparseProduct<double> product(handle, m_A, x, y, CUSPARSE_SPMV_ALG_DEFAULT);
    const double vendor_ms =
        median_ms(m_exec, m_options.repeats, times, [&] { product.multiply(); });
    std::printf("  %.1f products of cuSPARSE (%.4f ms)\n", make_ms / vendor_ms, vendor_ms);
    m_row["cusparse_product_ms"] = vendor_ms;
    m_means.of["time to make in products of cuSPARSE"].add(make_ms / vendor_ms);
#endif
  }

  void measure_solves(bool is_cg) {
    const auto n = static_cast<std::size_t>(m_A.num_rows);
    m_b = allocate_multivector<double>(m_exec, "tessera::perf::b", n);
    m_x = allocate_multivector<double>(m_exec, "tessera::perf::x", n);
    if (m_options.preconditioner == "jacobi") m_d = kernels::inverse_diagonal(m_exec, m_A.view());
    m_rhs.assign(n, 0);
    for (Ordinal i = 0; i < m_host.num_rows; ++i) {
      for (auto e = m_host.offsets(i); e < m_host.offsets(i + 1); ++e)
        m_rhs[i] += m_host.values(e);
    }
    const Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        rhs(m_rhs.data(), n, 1);
    Kokkos::deep_copy(m_exec, m_b, rhs);
    const std::string method = is_cg ? "cg" : "bicgstab";
    std::printf("  %-30s %-14s %6s %12s %10s %8s  left out, fp8, half, bfloat16, fp32, fp64\n",
                method.c_str(), "end", "iter", "residual", "ms", "of CSR");
    const kernels::PersistentLimits limits{.tolerance = m_options.tolerance,
                                           .max_iterations = m_options.max_iterations};
    const ArrayView<const double, Space> b(m_b.data(), n);
    const ArrayView<double, Space> x(m_x.data(), n);
    kernels::PersistentWorkspace<double, Space> workspace;
    const auto csr = solve(method, "CSR", nullptr, [&] {
      const auto run = is_cg ? kernels::persistent_cg<double, Space, Ordinal>
                             : kernels::persistent_bicgstab<double, Space, Ordinal>;
      kernels::TiledReport report;
      static_cast<kernels::PersistentReport&>(report) =
          run(m_exec, workspace, m_A.view(), m_d, b, x, limits, 0, {});
      return report;
    });
    const double norm = kernels::inf_norm(m_exec, m_A.view());
    kernels::TiledWorkspace<double, Space> tiled_workspace;
    const auto on_tiles = [&](const char* way, bool is_dynamic,
                              const kernels::DynamicRanges& ranges) {
      kernels::TileOptions options;
      options.is_dynamic = is_dynamic;
      options.ranges = ranges;
      options.matrix_norm = norm;
      solve(method, way, &csr, [&] {
        const auto run = is_cg ? kernels::persistent_cg<double, Space, Ordinal, 16>
                               : kernels::persistent_bicgstab<double, Space, Ordinal, 16>;
        return run(m_exec, tiled_workspace, m_A.view(), m_tiles.view(), m_d, b, x, limits, options,
                   0, {});
      });
    };
    on_tiles("tiles", false, {});
    on_tiles("tiles, dynamic", true, {});
    on_tiles("tiles, dynamic as in the paper", true, kernels::DynamicRanges::of_the_paper());
  }

  const nlohmann::json& row() const { return m_row; }

 private:
  struct Outcome {
    bool converged = false;
    int iterations = 0;
    double ms = 0;
  };

  Tiles make() const {
    return kernels::csr_to_mixed_tiles(m_exec, m_A.view(), m_options.criterion());
  }

  Outcome solve(const std::string& method, const std::string& way, const Outcome* csr,
                const std::function<kernels::TiledReport()>& run) {
    kernels::TiledReport report;
    const double ms = median_ms(m_exec, m_options.repeats, 1, [&] {
      Kokkos::deep_copy(m_exec, m_x, 0.0);
      report = run();
    });
    const double residual = true_residual();
    const bool converged = report.end == kernels::PersistentEnd::converged;
    const Outcome outcome{converged, report.iterations, ms};
    std::printf("  %-30s %-14s %6d %12.3e %10.3f %8.3f ", way.c_str(), word(report.end),
                report.iterations, residual, ms, csr != nullptr ? ms / csr->ms : 1.0);
    const double total = static_cast<double>(std::max<std::int64_t>(1, report.work.total()));
    nlohmann::json work;
    for (int level = 0; level < kernels::num_tile_levels; ++level) {
      std::printf(" %5.1f%%", 100 * report.work.tiles[level] / total);
      work[kernels::word(static_cast<kernels::TileLevel>(level))] = report.work.tiles[level];
    }
    std::printf("%s\n", report.returned ? " went back up" : "");
    if (converged && !(residual <= m_options.tolerance * 1.001)) {
      std::printf("  wrong: the true residual is above the tolerance\n");
      g_all_right = false;
    }
    if (csr != nullptr && csr->converged) {
      if (!converged) m_means.of[method + ", " + way + ": not converged as CSR's is"].add(1);
      if (converged) {
        m_means.of[method + ", " + way + ": iterations over CSR's"].add(
            static_cast<double>(std::max(1, report.iterations)) / std::max(1, csr->iterations));
        m_means.of[method + ", " + way + ": CSR's time over its"].add(csr->ms / ms);
      }
    }
    m_row["solves"].push_back({{"method", method},
                               {"way", way},
                               {"end", word(report.end)},
                               {"iterations", report.iterations},
                               {"true_relative_residual", residual},
                               {"ms", ms},
                               {"tile_work", work},
                               {"raised", report.raised},
                               {"went_back_up", report.returned},
                               {"shares", report.shape.shares},
                               {"lanes", report.shape.lanes},
                               {"lanes_per_row", report.lanes_per_row},
                               {"scratch_bytes", report.shape.scratch_bytes}});
    return outcome;
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

  static const char* word(kernels::PersistentEnd end) {
    constexpr const char* words[] = {"none",         "converged", "max_iterations",
                                     "time_limit",   "stagnated", "diverged",
                                     "not_a_number", "breakdown", "barrier_timeout"};
    return words[static_cast<int>(end)];
  }

  Space m_exec;
  const Options& m_options;
  kernels::Csr<double, HostSpace> m_host;
  Means& m_means;
  Matrix m_A;
  Tiles m_tiles;
  Array<double, Space> m_d;
  MultiVector<double, Space> m_b, m_x;
  std::vector<double> m_rhs;
  nlohmann::json m_row;
};

/// Every matrix of the folder, by name.
std::vector<perf::RealCase> all_files(const std::filesystem::path& folder) {
  std::vector<perf::RealCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    const auto end = file.find(".mtx");
    if (end == std::string::npos) continue;
    perf::RealCase one;
    one.name = file.substr(0, end);
    one.file = entry.path();
    cases.push_back(std::move(one));
  }
  std::sort(cases.begin(), cases.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

std::vector<perf::RealCase> cases(const Options& options) {
  std::vector<perf::RealCase> result;
  std::vector<std::string> gallery = options.gallery;
  if (gallery.empty() && options.only.empty() && !options.memory_only)
    gallery = {"poisson2d:n=64",
               "poisson2d:n=256",
               "poisson2d:n=1000",
               "poisson3d:n=32",
               "poisson3d:n=64",
               "poisson3d27:n=32",
               "elasticity3d:n=20",
               "jump2d:n=300,contrast=1e6",
               "convdiff2d:n=100,peclet=100"};
  for (const std::string& text : gallery)
    result.push_back(perf::gallery_case(text));
  if (options.folder.empty() || !options.gallery.empty()) return result;
  for (auto& matrix :
       options.memory_only ? all_files(options.folder) : perf::cases_of_folder(options.folder, 0)) {
    const bool named = std::any_of(
        options.only.begin(), options.only.end(),
        [&](const std::string& word) { return matrix.name.find(word) != std::string::npos; });
    if (named || options.only.empty()) result.push_back(std::move(matrix));
  }
  return result;
}

void run(const Space& exec, const Options& options) {
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json rows = nlohmann::json::array();
  Means means;
  const auto wants = [&](const char* method) {
    return std::find(options.methods.begin(), options.methods.end(), method) !=
           options.methods.end();
  };
  for (const perf::RealCase& one : cases(options)) {
    const perf::RealMatrix matrix = one.make(scratch);
    if (matrix.A.num_entries() > options.max_entries || matrix.A.num_entries() == 0) continue;
    OneMatrix table(exec, options, one.name, matrix.A, means);
    table.measure_format();
    if (!options.memory_only) {
      table.measure_making();
      const bool is_cg = matrix.definite;
      if (!options.without_solves && wants(is_cg ? "cg" : "bicgstab")) table.measure_solves(is_cg);
    }
    rows.push_back(table.row());
    // Rewritten after each, so that what was measured is there whatever happens.
    perf::write_record(options.out, {{"tolerance", options.tolerance},
                                     {"max_iterations", options.max_iterations},
                                     {"repeats", options.repeats},
                                     {"matrices", rows}});
  }
  const nlohmann::json all = means.print();
  perf::write_record(options.out, {{"tolerance", options.tolerance},
                                   {"max_iterations", options.max_iterations},
                                   {"repeats", options.repeats},
                                   {"matrices", rows},
                                   {"means", all}});
}

}  // namespace

int main(int argc, char** argv) {
  const int code = perf::device_main<Options>(
      argc, argv, "Tiles in mixed precision: memory, time to make, and solves in one kernel", run);
  return code != 0 ? code : (g_all_right ? 0 : 1);
}
