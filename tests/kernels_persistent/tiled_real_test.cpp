// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves on tiles of matrices from real problems: their residuals are true, they take about as
/// many iterations as those on the matrix itself, tiles take about as many bytes, and solves that
/// low precision slows down go back up.
#include "kernels_persistent/persistent_solves.hpp"
#include "real_matrices/real_matrix.hpp"

#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"

#include <cstdio>

namespace tessera::test::tiled_real_test {

using Space = DeviceSpace;
using kernels::DynamicRanges;
using kernels::TileOptions;

/// Ratios over several matrices.
struct Ratios {
  double sum = 0;
  int count = 0;

  void add(double ratio) {
    sum += ratio;
    ++count;
  }
};

/// The paper's set-up: b = A·1, 1e-10, at most 1,000 iterations.
class TiledReal {
 public:
  TiledReal(const char* name, Method method, bool jacobi)
      : m_method(method),
        m_A(read_real_matrix(m_exec, name)),
        m_tiles(kernels::csr_to_mixed_tiles(m_exec, m_A.view())),
        m_host(to_host(m_A)),
        m_rhs(times_ones(m_host)),
        m_b(to_device(m_exec, m_rhs)) {
    if (jacobi) m_d = kernels::inverse_diagonal(m_exec, m_A.view());
  }

  /// Of the tiles, over those of the matrix.
  double bytes() const {
    return static_cast<double>(m_tiles.bytes()) /
           static_cast<double>(4 * m_host.offsets.size() + 12 * m_host.num_entries());
  }
  PersistentReport on_rows() {
    return persistent_solve(m_method, m_exec, m_workspace, m_A.view(), m_d, m_b, guess(), m_limits);
  }
  kernels::TiledReport on_tiles(const TileOptions& options) {
    return persistent_solve(m_method, m_exec, m_tiled, m_A.view(), m_tiles.view(), m_d, m_b,
                            guess(), m_limits, options);
  }
  /// Of the last solve.
  double residual() const { return true_relative_residual(m_host, m_rhs, to_host(m_x)); }

 private:
  const Array<double, Space>& guess() {
    return m_x = to_device(m_exec, std::vector<double>(m_rhs.size(), 0.0));
  }

  Space m_exec;
  Method m_method;
  kernels::Csr<double, Space> m_A;
  kernels::MixedTiles<double, Space, std::int32_t> m_tiles;
  HostMatrix<double> m_host;
  std::vector<double> m_rhs;
  Array<double, Space> m_b, m_d, m_x;
  PersistentLimits m_limits{.tolerance = 1e-10, .max_iterations = iteration_limit(1000)};
  kernels::PersistentWorkspace<double, Space> m_workspace;
  kernels::TiledWorkspace<double, Space> m_tiled;
};

/// Over several matrices, with Jacobi.
struct Comparison {
  Ratios bytes, iterations;

  void add(const char* name, Method method) {
    if (!why_unreadable(name).empty()) return;
    TiledReal real(name, method, true);
    bytes.add(real.bytes());
    const auto reference = real.on_rows();
    for (const TileOptions& options :
         {TileOptions{}, TileOptions{.is_dynamic = true},
          TileOptions{.is_dynamic = true, .ranges = DynamicRanges::of_the_paper()}}) {
      const auto report = real.on_tiles(options);
      const double residual = real.residual();
      std::printf("%-12s %s %4d iterations of %4d, true residual %.2e%s\n", name,
                  options.is_dynamic ? "falling" : "fixed  ", report.iterations,
                  reference.iterations, residual, report.returned ? ", went back up" : "");
      EXPECT_NEAR(residual, report.residual_norm / report.rhs_norm, 1e-12 + 1e-3 * residual);
      if (report.end == PersistentEnd::converged) {
        EXPECT_LE(residual, 1e-10 * 1.001);
      }
      if (reference.end == PersistentEnd::converged) {
        EXPECT_EQ(report.end, PersistentEnd::converged);
        iterations.add(static_cast<double>(report.iterations) / reference.iterations);
      }
    }
  }
};

TEST(TiledRealMatrices, TakeAboutAsManyIterationsAndBytes) {
  Comparison real;
  for (const char* const name :
       {"494_bus", "nos3", "nos5", "bcsstk09", "bcsstk27", "Trefethen_2000", "wathen_30_30",
        "gr_30_30", "crystm01", "mhd3200b", "bcsstm12", "ex33"})
    real.add(name, Method::cg);
  for (const char* const name : {"arc130", "pores_1", "orsreg_1", "sherman4", "pde900", "rdb1250",
                                 "jpwh_991", "add20", "fs_541_1"})
    real.add(name, Method::bicgstab);
  if (real.bytes.count == 0) GTEST_SKIP() << why_unreadable();
  std::printf("bytes over CSR's %.3f, iterations over those on CSR %.3f\n",
              real.bytes.sum / real.bytes.count,
              real.iterations.sum / std::max(1, real.iterations.count));
  EXPECT_LE(real.bytes.sum / real.bytes.count, 1.05);
  if (real.iterations.count > 0) {
    EXPECT_LE(real.iterations.sum / real.iterations.count, 1.1);
  }
}

/// On tiles as they are and in dynamic precision.
std::pair<kernels::TiledReport, kernels::TiledReport> both_variants(const char* name, Method method,
                                                                    bool jacobi,
                                                                    TileOptions options = {}) {
  TiledReal real(name, method, jacobi);
  const auto fixed = real.on_tiles(options);
  options.is_dynamic = true;
  return {fixed, real.on_tiles(options)};
}

/// Steps that are suddenly 1e7 times as long (watt_1, watt_2), coefficients that are small beside
/// the vectors they are of (orsreg_1, CSky3d20), and a solve that ends just below the limit
/// (bcsstk34): all took more iterations, or did not converge, where tiles were chosen by the steps
/// before alone.
TEST(TiledRealMatrices, TakeNoMoreIterationsForDynamicPrecision) {
  struct Case {
    const char* name;
    Method method;
    bool jacobi;
  };
  int count = 0;
  for (const auto& [name, method, jacobi] :
       {Case{"watt_1", Method::bicgstab, false}, Case{"watt_2", Method::bicgstab, false},
        Case{"watt_1", Method::bicgstab, true}, Case{"laser", Method::bicgstab, false},
        Case{"orsreg_1", Method::bicgstab, true}, Case{"CSky3d20", Method::bicgstab, true},
        Case{"bcsstk34", Method::cg, false}}) {
    if (!why_unreadable(name).empty()) continue;
    ++count;
    const auto [fixed, dynamic] = both_variants(name, method, jacobi);
    std::printf("%-12s %d iterations, falling %d, %d products repeated\n", name, fixed.iterations,
                dynamic.iterations, static_cast<int>(dynamic.repeated));
    if (fixed.end != PersistentEnd::converged) continue;
    EXPECT_EQ(dynamic.end, PersistentEnd::converged) << name;
    EXPECT_LE(dynamic.iterations, 1.1 * fixed.iterations) << name;
  }
  if (count == 0) GTEST_SKIP() << why_unreadable();
}

/// New best residuals come now and then, and yet dynamic precision takes nearly twice as many
/// iterations by BiCGSTAB where nothing brings it back up.
TEST(TiledRealMatrices, GoBackUpWhereLowPrecisionSlowsThemDown) {
  struct Case {
    const char* name;
    bool jacobi;
  };
  // In each precision a million times as much is lost as ranges allow.
  const DynamicRanges own;
  const DynamicRanges wide{1e6 * own.fp32, 1e6 * own.half, 1e6 * own.fp8, 1e6 * own.bypassed};
  int count = 0;
  for (const auto& [name, jacobi] : {Case{"CSky3d30", true}, Case{"bcsstm13", false}}) {
    if (!why_unreadable(name).empty()) continue;
    ++count;
    const auto [fixed, dynamic] =
        both_variants(name, Method::bicgstab, jacobi, TileOptions{.ranges = wide});
    std::printf("%-12s %d iterations, falling %d%s\n", name, fixed.iterations, dynamic.iterations,
                dynamic.returned ? ", went back up" : "");
    if (fixed.end != PersistentEnd::converged) continue;
    EXPECT_EQ(dynamic.end, PersistentEnd::converged) << name;
    EXPECT_LE(dynamic.iterations, 1.6 * fixed.iterations) << name;
    EXPECT_TRUE(dynamic.returned) << name;
  }
  if (count == 0) GTEST_SKIP() << why_unreadable();
}

}  // namespace tessera::test::tiled_real_test
