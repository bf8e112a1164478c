// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera on two threads beside hypre's BoomerAMG-PCG (PMIS, extended+i, l1-Jacobi) on two MPI
/// ranks, in turn in one run: `mpirun -n 2 tessera_perf_compare_hypre`.
///
/// While one of them runs the other waits without spinning. Both solve the same system to the same
/// relative residual from x0 = 0; hypre's assembly is left out of its time.
#include "support/comparison.hpp"
#include "support/mpi_processes.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

namespace {

using tessera::perf::HostSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::Timing;

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
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &ij);
    HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(ij);
    std::vector<HYPRE_BigInt> columns;
    for (HYPRE_BigInt i = first; i <= last; ++i) {
      const auto begin = matrix.offsets(i);
      HYPRE_Int count = matrix.offsets(i + 1) - begin;
      columns.assign(matrix.columns.data() + begin, matrix.columns.data() + begin + count);
      HYPRE_IJMatrixSetValues(ij, 1, &count, &i, columns.data(), matrix.values.data() + begin);
      rows.push_back(i);
    }
    HYPRE_IJMatrixAssemble(ij);
    HYPRE_IJMatrixGetObject(ij, reinterpret_cast<void**>(&A));
    make_vector(first, last, system.b.data() + first, ij_b, b);
    const std::vector<double> zero(rows.size(), 0.0);
    make_vector(first, last, zero.data(), ij_x, x);
  }
  HypreSystem(const HypreSystem&) = delete;
  HypreSystem& operator=(const HypreSystem&) = delete;
  ~HypreSystem() {
    HYPRE_IJMatrixDestroy(ij);
    HYPRE_IJVectorDestroy(ij_b);
    HYPRE_IJVectorDestroy(ij_x);
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

/// PMIS, extended+i with 4 entries a row, l1-Jacobi before and after, V-cycle, PCG.
Timing run_hypre(HypreSystem& system, double tolerance) {
  HYPRE_ParVectorSetConstantValues(system.x, 0.0);
  HYPRE_Solver amg;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetCoarsenType(amg, 8);
  HYPRE_BoomerAMGSetInterpType(amg, 6);
  HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
  HYPRE_BoomerAMGSetRelaxType(amg, 18);
  HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  HYPRE_BoomerAMGSetTol(amg, 0.0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_Solver pcg;
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
  HYPRE_PCGSetTol(pcg, tolerance);
  HYPRE_PCGSetMaxIter(pcg, 500);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetPrecond(pcg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                      reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
  Timing timing;
  MPI_Barrier(MPI_COMM_WORLD);
  Kokkos::Timer timer;
  HYPRE_ParCSRPCGSetup(pcg, system.A, system.b, system.x);
  MPI_Barrier(MPI_COMM_WORLD);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  HYPRE_ParCSRPCGSolve(pcg, system.A, system.b, system.x);
  MPI_Barrier(MPI_COMM_WORLD);
  timing.solve_ms = timer.seconds() * 1e3;
  HYPRE_Int iterations = 0;
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  timing.iterations = static_cast<int>(iterations);
  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_BoomerAMGDestroy(amg);
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside hypre: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  HypreSystem peer(system, processes);
  comparison.run(processes, system, "hypre (PMIS, ext+i, PCG)", [&] {
    Timing timing = run_hypre(peer, comparison.options.tolerance);
    timing.relative_residual =
        system.relative_residual(peer.solution(processes, system.A.num_rows));
    return timing;
  });
}
