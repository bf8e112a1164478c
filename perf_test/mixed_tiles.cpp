// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in mixed precision: bytes beside CSR's, tiles of each kind, the time to make them in
/// products of CSR (and of cuSPARSE), and solves in one kernel on CSR, on tiles, and on tiles whose
/// precision is lowered. From x = 0 with b = A·1, checked by the true residual
/// on the host; ends with 1 where a solve says that it has converged and has not.
#include "support/device_main.hpp"
#include "support/krylov_system.hpp"
#include "support/means.hpp"
#include "support/mixed_tiles_options.hpp"
#include "support/timed_runs.hpp"

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"
#include "tessera/kernels/spmv/products.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_product.hpp"
#endif

#include <functional>

namespace {

using namespace tessera;
using Space = DeviceSpace;
using Tiles = kernels::MixedTiles<double, Space>;
using Options = perf::MixedTilesOptions;

bool g_all_right = true;

/// All that is measured of one matrix.
class OneMatrix {
 public:
  OneMatrix(const Space& exec, const Options& options, const std::string& name,
            const perf::RealMatrix& matrix, perf::Means& means)
      : m_exec(exec),
        m_options(options),
        m_system(exec, name, matrix.A, matrix.definite),
        m_means(means) {
    const auto& A = matrix.A;
    m_row = {{"matrix", name}, {"rows", A.num_rows}, {"entries", A.num_entries()}};
    std::printf("%s: %d rows, %zu entries\n", name.c_str(), A.num_rows, A.num_entries());
  }

  void measure_format() {
    m_tiles = make();
    const double csr =
        static_cast<double>((m_system.device.num_rows + 1ul) * sizeof(Ordinal) +
                            m_system.device.num_entries() * (sizeof(double) + sizeof(Ordinal)));
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
    const auto x =
        allocate_multivector<double>(m_exec, "tessera::perf::x", m_system.device.num_cols);
    const auto y =
        allocate_multivector<double>(m_exec, "tessera::perf::y", m_system.device.num_rows);
    Kokkos::deep_copy(m_exec, x, 1.0);
    constexpr int times = 20;
    const auto csr_plan = kernels::analyse_spmv(m_exec, m_system.device.view());
    const double csr_ms = perf::median_ms(m_exec, m_options.repeats, times, [&] {
      kernels::spmv(m_exec, csr_plan, 1.0, m_system.device.view(), x, 0.0, y);
    });
    const double make_ms = perf::median_ms(m_exec, m_options.repeats, 1, [&] { make(); });
    std::printf("  made in %.3f ms, %.1f products of CSR (%.4f ms)\n", make_ms, make_ms / csr_ms,
                csr_ms);
    m_row["csr_product_ms"] = csr_ms;
    m_row["make_ms"] = make_ms;
    m_means.of["time to make in products of CSR"].add(make_ms / csr_ms);
#if defined(KOKKOS_ENABLE_CUDA)
    const perf::CusparseHandle handle(m_exec);
    const perf::CusparseProduct<double> product(handle, m_system.device, x, y,
                                                CUSPARSE_SPMV_ALG_DEFAULT);
    const double vendor_ms =
        perf::median_ms(m_exec, m_options.repeats, times, [&] { product.multiply(); });
    std::printf("  %.1f products of cuSPARSE (%.4f ms)\n", make_ms / vendor_ms, vendor_ms);
    m_row["cusparse_product_ms"] = vendor_ms;
    m_means.of["time to make in products of cuSPARSE"].add(make_ms / vendor_ms);
#endif
  }

  void measure_solves(bool is_cg) {
    if (m_options.preconditioner == "jacobi")
      m_d = kernels::inverse_diagonal(m_exec, m_system.device.view());
    const std::string method = is_cg ? "cg" : "bicgstab";
    std::printf("  %-30s %-14s %6s %12s %10s %8s  left out, fp8, half, bfloat16, fp32, fp64\n",
                method.c_str(), "end", "iter", "residual", "ms", "of CSR");
    const kernels::PersistentLimits limits{.tolerance = m_options.tolerance,
                                           .max_iterations = m_options.max_iterations};
    const auto b = m_system.rhs();
    const auto x = m_system.iterate();
    kernels::PersistentWorkspace<double, Space> workspace;
    const auto csr = solve(method, "CSR", nullptr, [&] {
      const auto run = is_cg ? kernels::persistent_cg<double, Space, Ordinal>
                             : kernels::persistent_bicgstab<double, Space, Ordinal>;
      kernels::TiledReport report;
      static_cast<kernels::PersistentReport&>(report) =
          run(m_exec, workspace, m_system.device.view(), m_d, b, x, limits, 0, {});
      return report;
    });
    const double norm = kernels::inf_norm(m_exec, m_system.device.view());
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
        return run(m_exec, tiled_workspace, m_system.device.view(), m_tiles.view(), m_d, b, x,
                   limits, options, 0, {});
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
    return kernels::csr_to_mixed_tiles(m_exec, m_system.device.view(), m_options.criterion());
  }

  Outcome solve(const std::string& method, const std::string& way, const Outcome* csr,
                const std::function<kernels::TiledReport()>& run) {
    kernels::TiledReport report;
    const double ms = perf::median_ms(m_exec, m_options.repeats, 1, [&] {
      Kokkos::deep_copy(m_exec, m_system.x, 0.0);
      report = run();
    });
    const double residual = m_system.true_residual();
    const bool converged = report.end == kernels::PersistentEnd::converged;
    const Outcome outcome{converged, report.iterations, ms};
    std::printf("  %-30s %-14s %6d %12.3e %10.3f %8.3f ", way.c_str(),
                perf::word(report.end).c_str(), report.iterations, residual, ms,
                csr != nullptr ? ms / csr->ms : 1.0);
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
                               {"end", perf::word(report.end)},
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

  Space m_exec;
  const Options& m_options;
  perf::KrylovSystem m_system;
  perf::Means& m_means;
  Tiles m_tiles;
  Array<double, Space> m_d;
  nlohmann::json m_row;
};

void run(const Space& exec, const Options& options) {
  const auto scratch = std::filesystem::temp_directory_path();
  nlohmann::json rows = nlohmann::json::array();
  perf::Means means;
  const auto wants = [&](const char* method) {
    return std::find(options.methods.begin(), options.methods.end(), method) !=
           options.methods.end();
  };
  for (const perf::RealCase& one : options.cases()) {
    const perf::RealMatrix matrix = one.make(scratch);
    if (matrix.A.num_entries() > options.max_entries || matrix.A.num_entries() == 0) continue;
    OneMatrix table(exec, options, one.name, matrix, means);
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
