// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera on two threads beside hypre's BoomerAMG-PCG (PMIS, extended+i, l1-Jacobi) on two MPI
/// ranks, in turn in one run: `mpirun -n 2 tessera_perf_compare_hypre`.
///
/// While one of them runs the other waits without spinning. Both solve the same system to the same
/// relative residual from x0 = 0; hypre's assembly is left out of its time.
#include "support/run_options.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>
#include <unistd.h>

namespace {

using Space = tessera::HostSpace;
using tessera::perf::Timing;

/// A barrier that sleeps, so that an idle rank leaves the cores alone.
void quiet_barrier() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; !done;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) usleep(500);
  }
}

/// One rank's rows of the system in hypre's own types.
struct HypreSystem {
  HYPRE_IJMatrix ij = nullptr;
  HYPRE_IJVector ij_b = nullptr;
  HYPRE_IJVector ij_x = nullptr;
  HYPRE_ParCSRMatrix A = nullptr;
  HYPRE_ParVector b = nullptr;
  HYPRE_ParVector x = nullptr;
  std::vector<HYPRE_BigInt> rows;

  HypreSystem(const tessera::kernels::Csr<double, Space>& matrix,
              const tessera::MultiVector<double, Space>& rhs, int rank, int ranks) {
    const HYPRE_BigInt n = matrix.num_rows;
    const HYPRE_BigInt first = n * rank / ranks;
    const HYPRE_BigInt last = n * (rank + 1) / ranks - 1;
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
    make_vector(first, last, rhs.data() + first, ij_b, b);
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
  HYPRE_PCGGetFinalRelativeResidualNorm(pcg, &timing.relative_residual);
  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_BoomerAMGDestroy(amg);
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside hypre: setup and solve on the host, medians of alternating runs"};
  tessera::GalleryParameters gallery;
  std::string problem = "poisson3d";
  tessera::perf::RunOptions options;
  app.add_option("--problem", problem, "gallery problem");
  app.add_option("--n", gallery.n, "its size");
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);
  gallery.problem = tessera::perf::problem_of_name(problem);

  MPI_Init(&argc, &argv);
  HYPRE_Initialize();
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const Space exec;
    const auto matrix = tessera::make_problem<double, Space>(exec, gallery).A;
    const auto b = options.make_rhs(exec, matrix);
    exec.fence("tessera::perf");
    HypreSystem peer_system(matrix, b, rank, ranks);
    std::vector<Timing> ours;
    std::vector<Timing> theirs;
    for (int i = 0; i <= options.repeats; ++i) {
      Timing tessera_run;
      if (rank == 0)
        tessera_run = tessera::perf::run_tessera(exec, matrix, b, options.parameters());
      quiet_barrier();
      const Timing hypre_run = run_hypre(peer_system, options.tolerance);
      if (i == 0) continue;  // warm-up
      ours.push_back(tessera_run);
      theirs.push_back(hypre_run);
    }
    if (rank == 0) {
      const Timing mine = tessera::perf::medians(ours);
      const Timing peer = tessera::perf::medians(theirs);
      std::printf("%s n = %d, %d rows, %zu entries, %d threads, %d ranks, relative residual %g\n",
                  problem.c_str(), gallery.n, matrix.num_rows, matrix.num_entries(),
                  exec.concurrency(), ranks, options.tolerance);
      tessera::perf::report_comparison(options, problem, gallery.n, "hypre (PMIS, ext+i, PCG)",
                                       mine, peer);
    }
    quiet_barrier();
  }
  HYPRE_Finalize();
  MPI_Finalize();
}
