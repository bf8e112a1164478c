// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup and a solve by hypre on a GPU: BoomerAMG under PCG or GMRES, without MPI.
#pragma once

#include "support/solve_timing.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_utilities.h>

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// Throws where hypre or CUDA says that something failed; that a solve did not converge is none.
inline void check_hypre(HYPRE_Int status) {
  const bool failed = (status & ~HYPRE_ERROR_CONV) != 0;
  char text[256] = "";
  if (failed) HYPRE_DescribeError(status, text);
  HYPRE_ClearAllErrors();  // they would be the next call's else
  if (failed) throw std::runtime_error("hypre: " + std::string(text));
}
inline void check_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// hypre on the GPU, with memory of the driver's pool: its own allocations would wait for the
/// device each time.
class GpuHypre {
 public:
  GpuHypre() {
    cudaMemPool_t pool;
    std::uint64_t keep = UINT64_MAX;
    check_cuda(cudaDeviceGetDefaultMemPool(&pool, 0));
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    check_hypre(HYPRE_Initialize());
    check_hypre(HYPRE_SetExecutionPolicy(HYPRE_EXEC_DEVICE));
    check_hypre(HYPRE_SetMemoryLocation(HYPRE_MEMORY_DEVICE));
    // hypre works on the legacy default stream, or on streams that wait for it.
    hypre_SetUserDeviceMalloc(
        [](void** to, std::size_t bytes) { check_cuda(cudaMallocAsync(to, bytes, nullptr)); });
    hypre_SetUserDeviceMfree([](void* from) { check_cuda(cudaFreeAsync(from, nullptr)); });
    check_hypre(HYPRE_DeviceInitialize());
    check_hypre(HYPRE_SetUseGpuRand(1));
  }
  GpuHypre(const GpuHypre&) = delete;
  GpuHypre& operator=(const GpuHypre&) = delete;
  ~GpuHypre() { HYPRE_Finalize(); }
};

/// What may be set better for one matrix than for another; all are tried.
struct GpuHypreChoice {
  double strong_threshold;
  bool cusparse_spmv;  ///< hypre's own product else; sparse products are always its own, as faster

  std::string name() const {
    return "theta " + std::string(strong_threshold > 0.3 ? "0.5" : "0.25") + ", SpMV of " +
           (cusparse_spmv ? "cuSPARSE" : "hypre");
  }
};

/// A system in hypre's own types on the GPU. Assembly is left out of all times.
class GpuHypreSystem {
 public:
  GpuHypreSystem(const kernels::Csr<double, HostSpace>& A, const std::vector<double>& b,
                 int num_functions)
      : m_num_functions(num_functions) {
    const HYPRE_Int n = A.num_rows;
    check_hypre(HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, n - 1, 0, n - 1, &m_ij));
    check_hypre(HYPRE_IJMatrixSetObjectType(m_ij, HYPRE_PARCSR));
    m_rows.resize(static_cast<std::size_t>(n));
    std::vector<HYPRE_Int> counts(m_rows.size());
    for (HYPRE_Int i = 0; i < n; ++i) {
      m_rows[i] = i;
      counts[i] = static_cast<HYPRE_Int>(A.offsets(i + 1) - A.offsets(i));
    }
    const std::vector<HYPRE_Int> none(m_rows.size());
    check_hypre(HYPRE_IJMatrixSetDiagOffdSizes(m_ij, counts.data(), none.data()));
    check_hypre(HYPRE_IJMatrixInitialize_v2(m_ij, HYPRE_MEMORY_HOST));
    const std::vector<HYPRE_BigInt> columns(A.columns.data(), A.columns.data() + A.num_entries());
    check_hypre(HYPRE_IJMatrixSetValues(m_ij, n, counts.data(), m_rows.data(), columns.data(),
                                        A.values.data()));
    check_hypre(HYPRE_IJMatrixAssemble(m_ij));
    check_hypre(HYPRE_IJMatrixMigrate(m_ij, HYPRE_MEMORY_DEVICE));
    void* object = nullptr;
    check_hypre(HYPRE_IJMatrixGetObject(m_ij, &object));
    m_A = static_cast<HYPRE_ParCSRMatrix>(object);
    m_b = make_vector(b, m_ij_b);
    m_x = make_vector(std::vector<double>(m_rows.size()), m_ij_x);
  }
  GpuHypreSystem(const GpuHypreSystem&) = delete;
  GpuHypreSystem& operator=(const GpuHypreSystem&) = delete;
  ~GpuHypreSystem() {
    HYPRE_IJMatrixDestroy(m_ij);
    HYPRE_IJVectorDestroy(m_ij_b);
    HYPRE_IJVectorDestroy(m_ij_x);
  }

  /// PCG, or GMRES(30), with one V-cycle: PMIS, extended+i with four entries per row, l1-Jacobi.
  Timing run(const GpuHypreChoice& choice, bool symmetric, double tolerance, int max_iterations) {
    check_hypre(HYPRE_SetSpMVUseVendor(choice.cusparse_spmv ? 1 : 0));
    check_hypre(HYPRE_SetSpGemmUseVendor(0));
    check_hypre(HYPRE_ParVectorSetConstantValues(m_x, 0.0));
    const HYPRE_Solver amg = make_cycle(choice);
    HYPRE_Solver krylov = nullptr;
    const auto cycle = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve);
    const auto setup = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup);
    if (symmetric) {
      check_hypre(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &krylov));
      check_hypre(HYPRE_PCGSetTol(krylov, tolerance));
      check_hypre(HYPRE_PCGSetMaxIter(krylov, max_iterations));
      check_hypre(HYPRE_PCGSetTwoNorm(krylov, 1));
      check_hypre(HYPRE_PCGSetPrecond(krylov, cycle, setup, amg));
    } else {
      check_hypre(HYPRE_ParCSRGMRESCreate(MPI_COMM_WORLD, &krylov));
      check_hypre(HYPRE_GMRESSetTol(krylov, tolerance));
      check_hypre(HYPRE_GMRESSetMaxIter(krylov, max_iterations));
      check_hypre(HYPRE_GMRESSetKDim(krylov, 30));
      check_hypre(HYPRE_GMRESSetPrecond(krylov, cycle, setup, amg));
    }
    Timing timing;
    check_cuda(cudaDeviceSynchronize());
    Kokkos::Timer timer;
    check_hypre(symmetric ? HYPRE_ParCSRPCGSetup(krylov, m_A, m_b, m_x)
                          : HYPRE_ParCSRGMRESSetup(krylov, m_A, m_b, m_x));
    check_cuda(cudaDeviceSynchronize());
    timing.setup_ms = timer.seconds() * 1e3;
    timer.reset();
    check_hypre(symmetric ? HYPRE_ParCSRPCGSolve(krylov, m_A, m_b, m_x)
                          : HYPRE_ParCSRGMRESSolve(krylov, m_A, m_b, m_x));
    check_cuda(cudaDeviceSynchronize());
    timing.solve_ms = timer.seconds() * 1e3;
    HYPRE_Int count = 0;
    symmetric ? HYPRE_PCGGetNumIterations(krylov, &count)
              : HYPRE_GMRESGetNumIterations(krylov, &count);
    timing.iterations = static_cast<int>(count);
    symmetric ? HYPRE_ParCSRPCGDestroy(krylov) : HYPRE_ParCSRGMRESDestroy(krylov);
    HYPRE_BoomerAMGDestroy(amg);
    return timing;
  }

  HYPRE_ParCSRMatrix matrix() const { return m_A; }
  HYPRE_ParVector rhs() const { return m_b; }
  HYPRE_ParVector iterate() const { return m_x; }  ///< what a run overwrites
  int num_functions() const { return m_num_functions; }

  /// The last run's, on the host.
  std::vector<double> solution() {
    std::vector<double> x(m_rows.size());
    check_hypre(HYPRE_IJVectorMigrate(m_ij_x, HYPRE_MEMORY_HOST));
    check_hypre(
        HYPRE_IJVectorGetValues(m_ij_x, static_cast<HYPRE_Int>(x.size()), m_rows.data(), x.data()));
    check_hypre(HYPRE_IJVectorMigrate(m_ij_x, HYPRE_MEMORY_DEVICE));
    return x;
  }

 private:
  HYPRE_ParVector make_vector(const std::vector<double>& values, HYPRE_IJVector& ij) {
    const auto n = static_cast<HYPRE_Int>(values.size());
    check_hypre(HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, n - 1, &ij));
    check_hypre(HYPRE_IJVectorSetObjectType(ij, HYPRE_PARCSR));
    check_hypre(HYPRE_IJVectorInitialize_v2(ij, HYPRE_MEMORY_HOST));
    check_hypre(HYPRE_IJVectorSetValues(ij, n, m_rows.data(), values.data()));
    check_hypre(HYPRE_IJVectorAssemble(ij));
    check_hypre(HYPRE_IJVectorMigrate(ij, HYPRE_MEMORY_DEVICE));
    void* object = nullptr;
    check_hypre(HYPRE_IJVectorGetObject(ij, &object));
    return static_cast<HYPRE_ParVector>(object);
  }

  HYPRE_Solver make_cycle(const GpuHypreChoice& choice) const {
    HYPRE_Solver amg = nullptr;
    check_hypre(HYPRE_BoomerAMGCreate(&amg));
    check_hypre(HYPRE_BoomerAMGSetCoarsenType(amg, 8));
    check_hypre(HYPRE_BoomerAMGSetInterpType(amg, 6));
    check_hypre(HYPRE_BoomerAMGSetPMaxElmts(amg, 4));
    check_hypre(HYPRE_BoomerAMGSetStrongThreshold(amg, choice.strong_threshold));
    check_hypre(HYPRE_BoomerAMGSetRelaxType(amg, 18));
    check_hypre(HYPRE_BoomerAMGSetRelaxOrder(amg, 0));
    check_hypre(HYPRE_BoomerAMGSetNumSweeps(amg, 1));
    check_hypre(HYPRE_BoomerAMGSetNumFunctions(amg, m_num_functions));
    check_hypre(HYPRE_BoomerAMGSetKeepTranspose(amg, 1));
    check_hypre(HYPRE_BoomerAMGSetModuleRAP2(amg, 1));
    check_hypre(HYPRE_BoomerAMGSetRAP2(amg, 0));
    check_hypre(HYPRE_BoomerAMGSetTol(amg, 0.0));
    check_hypre(HYPRE_BoomerAMGSetMaxIter(amg, 1));
    return amg;
  }

  int m_num_functions;
  HYPRE_IJMatrix m_ij = nullptr;
  HYPRE_IJVector m_ij_b = nullptr, m_ij_x = nullptr;
  HYPRE_ParCSRMatrix m_A = nullptr;
  HYPRE_ParVector m_b = nullptr, m_x = nullptr;
  std::vector<HYPRE_BigInt> m_rows;
};

}  // namespace tessera::perf
