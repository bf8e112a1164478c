// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup and a solve by hypre on the host.
#pragma once

#include "support/host_system.hpp"
#include "support/mpi_processes.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include <span>
#include <vector>

namespace tessera::perf {

/// hypre from construction to destruction; inside MPI's.
struct HypreLibrary {
  HypreLibrary() { HYPRE_Initialize(); }
  HypreLibrary(const HypreLibrary&) = delete;
  HypreLibrary& operator=(const HypreLibrary&) = delete;
  ~HypreLibrary() { HYPRE_Finalize(); }
};

/// One rank's rows of the system in hypre's own types.
struct HypreSystem {
  HYPRE_IJMatrix ij = nullptr;
  HYPRE_IJVector ij_b = nullptr;
  HYPRE_IJVector ij_x = nullptr;
  HYPRE_ParCSRMatrix A = nullptr;
  HYPRE_ParVector b = nullptr;
  HYPRE_ParVector x = nullptr;
  std::vector<HYPRE_BigInt> rows;

  HypreSystem(const HostSystem& system, const MpiProcesses& processes) {
    const auto& matrix = system.A;
    const HYPRE_BigInt first = processes.first_row(matrix.num_rows, processes.rank());
    const HYPRE_BigInt last = processes.first_row(matrix.num_rows, processes.rank() + 1) - 1;
    const auto offset = matrix.offsets(first);
    make(first,
         std::span(matrix.offsets.data() + first, static_cast<std::size_t>(last - first + 2)),
         matrix.columns.data() + offset, matrix.values.data() + offset, system.b.data() + first);
  }
  /// A rank's own rows from `first` on, in compressed form with global columns: `offsets` has one
  /// more than there are rows.
  template <class Offset, class Column>
  HypreSystem(HYPRE_BigInt first, std::span<const Offset> offsets, const Column* columns,
              const double* values, const double* right) {
    make(first, offsets, columns, values, right);
  }
  HypreSystem(const HypreSystem&) = delete;
  HypreSystem& operator=(const HypreSystem&) = delete;
  ~HypreSystem() {
    HYPRE_IJMatrixDestroy(ij);
    HYPRE_IJVectorDestroy(ij_b);
    HYPRE_IJVectorDestroy(ij_x);
  }

  template <class Offset, class Column>
  void make(HYPRE_BigInt first, std::span<const Offset> offsets, const Column* columns,
            const double* values, const double* right) {
    const auto last = first + static_cast<HYPRE_BigInt>(offsets.size()) - 2;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &ij);
    HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(ij);
    std::vector<HYPRE_BigInt> row_columns;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto begin = offsets[i] - offsets[0];
      const auto end = offsets[i + 1] - offsets[0];
      HYPRE_Int count = static_cast<HYPRE_Int>(end - begin);
      const HYPRE_BigInt row = first + static_cast<HYPRE_BigInt>(i);
      row_columns.assign(columns + begin, columns + end);
      HYPRE_IJMatrixSetValues(ij, 1, &count, &row, row_columns.data(), values + begin);
      rows.push_back(row);
    }
    HYPRE_IJMatrixAssemble(ij);
    HYPRE_IJMatrixGetObject(ij, reinterpret_cast<void**>(&A));
    make_vector(first, last, right, ij_b, b);
    const std::vector<double> zero(rows.size(), 0.0);
    make_vector(first, last, zero.data(), ij_x, x);
  }
  void make_vector(HYPRE_BigInt first, HYPRE_BigInt last, const double* values,
                   HYPRE_IJVector& ij_vector, HYPRE_ParVector& vector) {
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &ij_vector);
    HYPRE_IJVectorSetObjectType(ij_vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(ij_vector);
    HYPRE_IJVectorSetValues(ij_vector, static_cast<HYPRE_Int>(rows.size()), rows.data(), values);
    HYPRE_IJVectorAssemble(ij_vector);
    HYPRE_IJVectorGetObject(ij_vector, reinterpret_cast<void**>(&vector));
  }

  std::vector<double> solution(const MpiProcesses& processes, int num_rows) const {
    std::vector<double> own(rows.size());
    HYPRE_IJVectorGetValues(ij_x, static_cast<HYPRE_Int>(rows.size()), rows.data(), own.data());
    return processes.gather(num_rows, own.data());
  }
};

/// What BoomerAMG is set to.
enum class HypreDefaults {
  cpu,  ///< its own: HMIS, extended+i with 4 entries per row, hybrid symmetric Gauss-Seidel
  gpu  ///< what it sets on GPUs: PMIS, extended+i with 4 entries per row, l1-Jacobi
};

/// BoomerAMG as one V-cycle; `Destroy` it after use.
inline HYPRE_Solver make_boomeramg(HypreDefaults defaults) {
  HYPRE_Solver amg;
  HYPRE_BoomerAMGCreate(&amg);
  if (defaults == HypreDefaults::gpu) {
    HYPRE_BoomerAMGSetCoarsenType(amg, 8);
    HYPRE_BoomerAMGSetInterpType(amg, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetRelaxType(amg, 18);
    HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  }
  HYPRE_BoomerAMGSetTol(amg, 0.0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  return amg;
}

/// What makes a preconditioner, and what applies it.
struct HyprePreconditioner {
  HYPRE_PtrToSolverFcn setup, solve;
};

inline HyprePreconditioner hypre_multigrid() {
  return {reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup),
          reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve)};
}

#ifdef HYPRE_USING_DSUPERLU
inline HyprePreconditioner hypre_factors() {
  return {reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_MGRDirectSolverSetup),
          reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_MGRDirectSolverSolve)};
}
#endif

/// A Krylov method of hypre's from x = 0; assembly is left out of the time.
template <class Krylov>
Timing time_hypre(HypreSystem& system, Krylov& krylov) {
  HYPRE_ParVectorSetConstantValues(system.x, 0.0);
  Timing timing;
  MPI_Barrier(MPI_COMM_WORLD);
  Kokkos::Timer timer;
  krylov.setup(system);
  MPI_Barrier(MPI_COMM_WORLD);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  krylov.solve(system);
  MPI_Barrier(MPI_COMM_WORLD);
  timing.solve_ms = timer.seconds() * 1e3;
  timing.iterations = krylov.iterations();
  return timing;
}

/// BoomerAMG under the Krylov method that `Krylov` wraps, PCG or GMRES.
template <class Krylov>
Timing run_hypre(HypreSystem& system, HypreDefaults defaults, double tolerance,
                 int max_iterations) {
  const HYPRE_Solver amg = make_boomeramg(defaults);
  Krylov krylov(amg, tolerance, max_iterations);
  const Timing timing = time_hypre(system, krylov);
  HYPRE_BoomerAMGDestroy(amg);
  return timing;
}

#ifdef HYPRE_USING_DSUPERLU
/// Factors by SuperLU_DIST in its place. The error that an earlier solve may have left is cleared.
template <class Krylov>
Timing run_hypre_direct(HypreSystem& system, double tolerance, int max_iterations) {
  HYPRE_ClearAllErrors();
  HYPRE_Solver factors = nullptr;
  HYPRE_MGRDirectSolverCreate(&factors);
  Krylov krylov(factors, tolerance, max_iterations, hypre_factors());
  const Timing timing = time_hypre(system, krylov);
  HYPRE_MGRDirectSolverDestroy(factors);
  return timing;
}
#endif

class HyprePcg {
 public:
  HyprePcg(HYPRE_Solver preconditioner, double tolerance, int max_iterations,
           const HyprePreconditioner& kind = hypre_multigrid()) {
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &m_pcg);
    HYPRE_PCGSetTol(m_pcg, tolerance);
    HYPRE_PCGSetMaxIter(m_pcg, max_iterations);
    HYPRE_PCGSetTwoNorm(m_pcg, 1);
    HYPRE_PCGSetPrecond(m_pcg, kind.solve, kind.setup, preconditioner);
  }
  HyprePcg(const HyprePcg&) = delete;
  HyprePcg& operator=(const HyprePcg&) = delete;
  ~HyprePcg() { HYPRE_ParCSRPCGDestroy(m_pcg); }

  void setup(HypreSystem& s) { HYPRE_ParCSRPCGSetup(m_pcg, s.A, s.b, s.x); }
  void solve(HypreSystem& s) { HYPRE_ParCSRPCGSolve(m_pcg, s.A, s.b, s.x); }
  int iterations() const {
    HYPRE_Int count = 0;
    HYPRE_PCGGetNumIterations(m_pcg, &count);
    return static_cast<int>(count);
  }

 private:
  HYPRE_Solver m_pcg;
};

/// Preconditioned from the right, as hypre's always is: its residual is that of the system.
class HypreGmres {
 public:
  HypreGmres(HYPRE_Solver preconditioner, double tolerance, int max_iterations,
             const HyprePreconditioner& kind = hypre_multigrid()) {
    HYPRE_ParCSRGMRESCreate(MPI_COMM_WORLD, &m_gmres);
    HYPRE_GMRESSetTol(m_gmres, tolerance);
    HYPRE_GMRESSetMaxIter(m_gmres, max_iterations);
    HYPRE_GMRESSetKDim(m_gmres, 30);
    HYPRE_GMRESSetPrecond(m_gmres, kind.solve, kind.setup, preconditioner);
  }
  HypreGmres(const HypreGmres&) = delete;
  HypreGmres& operator=(const HypreGmres&) = delete;
  ~HypreGmres() { HYPRE_ParCSRGMRESDestroy(m_gmres); }

  void setup(HypreSystem& s) { HYPRE_ParCSRGMRESSetup(m_gmres, s.A, s.b, s.x); }
  void solve(HypreSystem& s) { HYPRE_ParCSRGMRESSolve(m_gmres, s.A, s.b, s.x); }
  int iterations() const {
    HYPRE_Int count = 0;
    HYPRE_GMRESGetNumIterations(m_gmres, &count);
    return static_cast<int>(count);
  }

 private:
  HYPRE_Solver m_gmres;
};

}  // namespace tessera::perf
