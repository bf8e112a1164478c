// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup and a solve by PETSc on the host.
#pragma once

#include "support/host_system.hpp"
#include "support/mpi_processes.hpp"

#include <petscksp.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace tessera::perf {

static_assert(std::is_same_v<PetscScalar, double>, "a PETSc of real numbers in double is needed");

/// Ends every process where PETSc reports an error, which it has printed then.
inline void check(PetscErrorCode code) {
  if (code != PETSC_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 70);
}

/// "PETSc 3.25.5"
inline std::string petsc_version() {
  PetscInt major = 0, minor = 0, subminor = 0;
  check(PetscGetVersionNumber(&major, &minor, &subminor, nullptr));
  return "PETSc " + std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(subminor);
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

  PetscSystem(const HostSystem& system, const MpiProcesses& processes, bool symmetric,
              bool definite) {
    const auto& matrix = system.A;
    const int first = processes.first_row(matrix.num_rows, processes.rank());
    const int last = processes.first_row(matrix.num_rows, processes.rank() + 1);
    const auto begin = matrix.offsets(first);
    std::vector<PetscInt> offsets;
    for (int i = first; i <= last; ++i)
      offsets.push_back(matrix.offsets(i) - begin);
    const std::vector<PetscInt> columns(matrix.columns.data() + begin,
                                        matrix.columns.data() + matrix.offsets(last));
    const double* const entries = matrix.values.data() + begin;
    check(MatCreate(PETSC_COMM_WORLD, &A));
    check(MatSetSizes(A, last - first, last - first, matrix.num_rows, matrix.num_rows));
    // One process gets a matrix without the parts that are for communication. Of the two calls the
    // one for the other kind does nothing.
    check(MatSetType(A, MATAIJ));
    check(MatSeqAIJSetPreallocationCSR(A, offsets.data(), columns.data(), entries));
    check(MatMPIAIJSetPreallocationCSR(A, offsets.data(), columns.data(), entries));
    if (symmetric) check(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
    if (definite) check(MatSetOption(A, MAT_SPD, PETSC_TRUE));
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

/// `type`, KSPCG or KSPGMRES, with GAMG as PETSc sets it up by default, until
/// |b - A x| <= tolerance |b|; assembly is left out of the time.
inline Timing run_petsc(PetscSystem& system, KSPType type, double tolerance, int max_iterations) {
  check(VecSet(system.x, 0.0));
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(KSPCreate(PETSC_COMM_WORLD, &ksp));
  check(KSPSetOperators(ksp, system.A, system.A));
  check(KSPSetType(ksp, type));
  // By default from the left, where GMRES knows the preconditioned residual alone.
  if (std::string_view(type) == KSPGMRES) check(KSPSetPCSide(ksp, PC_RIGHT));
  check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  // By default it gives up where the residual is many times b; that of CG may be on its way.
  check(KSPSetTolerances(ksp, tolerance, 0.0, PETSC_UNLIMITED, max_iterations));
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

}  // namespace tessera::perf
