// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera on two threads beside PETSc's CG with GAMG (smoothed aggregation, Chebyshev, its
/// defaults) on two MPI ranks, in turn in one run: `mpirun -n 2 tessera_perf_compare_petsc`.
///
/// While one of them runs the other waits without spinning. Both solve the same system to the same
/// relative residual from x0 = 0; PETSc's assembly is left out of its time.
#include "support/comparison.hpp"
#include "support/mpi_processes.hpp"

#include <petscksp.h>

#include <type_traits>

namespace {

static_assert(std::is_same_v<PetscScalar, double>, "a PETSc of real numbers in double is needed");

using tessera::perf::HostSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::Timing;

/// Ends every process where PETSc reports an error, which it has printed then.
void check(PetscErrorCode code) {
  if (code != PETSC_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 70);
}

/// PETSc from construction to destruction; inside MPI's. It reads no options of the command line.
struct PetscLibrary {
  PetscLibrary() { check(PetscInitializeNoArguments()); }
  PetscLibrary(const PetscLibrary&) = delete;
  PetscLibrary& operator=(const PetscLibrary&) = delete;
  ~PetscLibrary() { check(PetscFinalize()); }
};

/// One rank's rows of the system in PETSc's own types.
struct PetscSystem {
  Mat A = nullptr;
  Vec b = nullptr;
  Vec x = nullptr;

  PetscSystem(const HostSystem& system, const MpiProcesses& processes) {
    const auto& matrix = system.A;
    const int first = processes.first_row(matrix.num_rows, processes.rank());
    const int last = processes.first_row(matrix.num_rows, processes.rank() + 1);
    const auto begin = matrix.offsets(first);
    std::vector<PetscInt> offsets;
    for (int i = first; i <= last; ++i)
      offsets.push_back(matrix.offsets(i) - begin);
    const std::vector<PetscInt> columns(matrix.columns.data() + begin,
                                        matrix.columns.data() + matrix.offsets(last));
    check(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, last - first, last - first, matrix.num_rows,
                                    matrix.num_rows, offsets.data(), columns.data(),
                                    matrix.values.data() + begin, &A));
    check(MatSetOption(A, MAT_SPD, PETSC_TRUE));
    check(MatCreateVecs(A, &x, &b));
    double* values = nullptr;
    check(VecGetArray(b, &values));
    std::copy(system.b.data() + first, system.b.data() + last, values);
    check(VecRestoreArray(b, &values));
  }
  PetscSystem(const PetscSystem&) = delete;
  PetscSystem& operator=(const PetscSystem&) = delete;
  ~PetscSystem() {
    check(MatDestroy(&A));
    check(VecDestroy(&b));
    check(VecDestroy(&x));
  }

  std::vector<double> solution(const MpiProcesses& processes, int num_rows) const {
    const double* own = nullptr;
    check(VecGetArrayRead(x, &own));
    const std::vector<double> whole = processes.gather(num_rows, own);
    check(VecRestoreArrayRead(x, &own));
    return whole;
  }
};

/// CG with GAMG as PETSc sets it up by default, until |b - A x| <= tolerance |b|.
Timing run_petsc(PetscSystem& system, double tolerance) {
  check(VecSet(system.x, 0.0));
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(KSPCreate(PETSC_COMM_WORLD, &ksp));
  check(KSPSetOperators(ksp, system.A, system.A));
  check(KSPSetType(ksp, KSPCG));
  check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  check(KSPSetTolerances(ksp, tolerance, 0.0, PETSC_CURRENT, 500));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCGAMG));
  check(KSPSetFromOptions(ksp));
  Timing timing;
  MPI_Barrier(MPI_COMM_WORLD);
  Kokkos::Timer timer;
  check(KSPSetUp(ksp));
  MPI_Barrier(MPI_COMM_WORLD);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  check(KSPSolve(ksp, system.b, system.x));
  MPI_Barrier(MPI_COMM_WORLD);
  timing.solve_ms = timer.seconds() * 1e3;
  PetscInt iterations = 0;
  check(KSPGetIterationNumber(ksp, &iterations));
  timing.iterations = static_cast<int>(iterations);
  check(KSPDestroy(&ksp));
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside PETSc: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const PetscLibrary petsc;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  PetscSystem peer(system, processes);
  comparison.run(processes, system, "PETSc (GAMG, CG)", [&] {
    Timing timing = run_petsc(peer, comparison.options.tolerance);
    timing.relative_residual =
        system.relative_residual(peer.solution(processes, system.A.num_rows));
    return timing;
  });
}
