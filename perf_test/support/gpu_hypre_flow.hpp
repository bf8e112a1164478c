// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The flow of data that AmgT is compared with (Lu et al., SC 24, section V.A): BoomerAMG's
/// V-cycles as a solver on a GPU, with the components of the paper, by the vendor's kernels or
/// hypre's own.
#pragma once

#include "support/gpu_hypre.hpp"

#include <_hypre_parcsr_ls.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::perf {

/// What a run made and took; `iterations` of its timing are cycles.
struct GpuHypreFlowRun {
  Timing timing;
  std::vector<std::int64_t> rows;  ///< of each level
  double operator_complexity = 1;
  bool coarsest_is_direct = false;
};

/// As the options of AmgT's components have it, for the record.
inline nlohmann::json gpu_hypre_flow_settings() {
  return {{"coarsen_type", "PMIS"},    {"interp_type", "extended+i"},
          {"p_max_elmts", 4},          {"trunc_factor", 0.1},
          {"strong_threshold", 0.25},  {"max_row_sum", 0.8},
          {"relax_type", "l1-Jacobi"}, {"num_sweeps", 1},
          {"keep_transpose", 1},       {"coarsest", "dense inverse"}};
}

/// Setups and solves of one system. The first run sets up twice: hypre solves the coarsest level
/// directly only where it has no more rows than those at which coarsening ends, so that this limit,
/// 3 at first, is then put between the rows of the last two levels.
class GpuHypreFlow {
 public:
  /// `system` has to stay where it is.
  GpuHypreFlow(GpuHypreSystem& system, bool by_vendor, int max_levels, int cycles)
      : m_system(system), m_by_vendor(by_vendor), m_max_levels(max_levels), m_cycles(cycles) {}

  /// Nothing else is at work on the device when a time begins or ends.
  GpuHypreFlowRun run() {
    const HYPRE_Int vendors = m_by_vendor ? 1 : 0;
    check_hypre(HYPRE_SetSpGemmUseVendor(vendors));
    check_hypre(HYPRE_SetSpMVUseVendor(vendors));
    check_hypre(HYPRE_SetSpTransUseVendor(vendors));
    if (m_coarse_size == 0) {
      const Amg amg = make(3);
      check_hypre(
          HYPRE_BoomerAMGSetup(amg.get(), m_system.matrix(), m_system.rhs(), m_system.iterate()));
      m_coarse_size = coarse_size_of(levels_of(amg));
    }
    const Amg amg = make(m_coarse_size);
    check_hypre(HYPRE_ParVectorSetConstantValues(m_system.iterate(), 0.0));
    GpuHypreFlowRun run;
    Kokkos::fence("tessera::perf");
    Kokkos::Timer timer;
    check_hypre(
        HYPRE_BoomerAMGSetup(amg.get(), m_system.matrix(), m_system.rhs(), m_system.iterate()));
    Kokkos::fence("tessera::perf");
    run.timing.setup_ms = timer.seconds() * 1e3;
    timer.reset();
    check_hypre(
        HYPRE_BoomerAMGSolve(amg.get(), m_system.matrix(), m_system.rhs(), m_system.iterate()));
    Kokkos::fence("tessera::perf");
    run.timing.solve_ms = timer.seconds() * 1e3;
    HYPRE_Int cycles = 0, coarsest = 0;
    check_hypre(HYPRE_BoomerAMGGetNumIterations(amg.get(), &cycles));
    check_hypre(HYPRE_BoomerAMGGetCycleRelaxType(amg.get(), &coarsest, 3));
    run.timing.iterations = static_cast<int>(cycles);
    run.coarsest_is_direct = coarsest == dense_inverse;  // hypre puts the smoother there else
    const Levels levels = levels_of(amg);
    run.rows = levels.rows;
    run.operator_complexity = levels.operator_complexity;
    return run;
  }

 private:
  using Amg = std::unique_ptr<hypre_Solver_struct, HYPRE_Int (*)(HYPRE_Solver)>;
  struct Levels {
    std::vector<std::int64_t> rows;
    double operator_complexity = 1;
  };
  static constexpr HYPRE_Int dense_inverse = 199;

  /// V-cycles, as many whatever they reach: without a tolerance no norm is computed.
  Amg make(HYPRE_Int coarse_size) const {
    HYPRE_Solver raw = nullptr;
    check_hypre(HYPRE_BoomerAMGCreate(&raw));
    Amg amg(raw, HYPRE_BoomerAMGDestroy);
    check_hypre(HYPRE_BoomerAMGSetCoarsenType(raw, 8));
    check_hypre(HYPRE_BoomerAMGSetInterpType(raw, 6));
    check_hypre(HYPRE_BoomerAMGSetPMaxElmts(raw, 4));
    check_hypre(HYPRE_BoomerAMGSetTruncFactor(raw, 0.1));
    check_hypre(HYPRE_BoomerAMGSetStrongThreshold(raw, 0.25));
    check_hypre(HYPRE_BoomerAMGSetMaxRowSum(raw, 0.8));
    check_hypre(HYPRE_BoomerAMGSetMaxLevels(raw, m_max_levels));
    check_hypre(HYPRE_BoomerAMGSetMaxCoarseSize(raw, coarse_size));
    check_hypre(HYPRE_BoomerAMGSetRelaxType(raw, 18));
    check_hypre(HYPRE_BoomerAMGSetCycleRelaxType(raw, dense_inverse, 3));
    check_hypre(HYPRE_BoomerAMGSetRelaxOrder(raw, 0));
    check_hypre(HYPRE_BoomerAMGSetNumSweeps(raw, 1));
    check_hypre(HYPRE_BoomerAMGSetNumFunctions(raw, m_system.num_functions()));
    check_hypre(HYPRE_BoomerAMGSetKeepTranspose(raw, 1));
    check_hypre(HYPRE_BoomerAMGSetModuleRAP2(raw, 1));
    check_hypre(HYPRE_BoomerAMGSetRAP2(raw, 0));
    check_hypre(HYPRE_BoomerAMGSetTol(raw, 0.0));
    check_hypre(HYPRE_BoomerAMGSetMaxIter(raw, m_cycles));
    return amg;
  }

  /// Of one process, so that all entries are in the diagonal block.
  static Levels levels_of(const Amg& amg) {
    auto* const data = reinterpret_cast<hypre_ParAMGData*>(amg.get());
    Levels levels;
    double entries = 0, finest = 0;
    for (HYPRE_Int l = 0; l < hypre_ParAMGDataNumLevels(data); ++l) {
      hypre_ParCSRMatrix* const A = hypre_ParAMGDataAArray(data)[l];
      levels.rows.push_back(hypre_ParCSRMatrixGlobalNumRows(A));
      entries += hypre_CSRMatrixNumNonzeros(hypre_ParCSRMatrixDiag(A));
      if (l == 0) finest = entries;
    }
    if (finest > 0) levels.operator_complexity = entries / finest;
    return levels;
  }

  /// Random numbers of PMIS differ from run to run, and the last level's rows with them.
  static HYPRE_Int coarse_size_of(const Levels& levels) {
    const auto& rows = levels.rows;
    const double last = static_cast<double>(rows.back());
    const double above = rows.size() > 1 ? static_cast<double>(rows[rows.size() - 2]) : last;
    return std::max<HYPRE_Int>(3, static_cast<HYPRE_Int>(std::sqrt(last * above)));
  }

  GpuHypreSystem& m_system;
  bool m_by_vendor;
  int m_max_levels, m_cycles;
  HYPRE_Int m_coarse_size = 0;
};

}  // namespace tessera::perf
