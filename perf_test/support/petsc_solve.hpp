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

/// A method of PETSc's until |b - A x| <= tolerance |b|, with the preconditioner that is set.
class PetscSolver {
 public:
  /// `type`: KSPCG or KSPGMRES.
  PetscSolver(PetscSystem& system, KSPType type, double tolerance, int max_iterations)
      : m_system(system) {
    check(KSPCreate(PETSC_COMM_WORLD, &m_ksp));
    check(KSPSetOperators(m_ksp, system.A, system.A));
    check(KSPSetType(m_ksp, type));
    // By default from the left, where GMRES knows the preconditioned residual alone.
    if (std::string_view(type) == KSPGMRES) check(KSPSetPCSide(m_ksp, PC_RIGHT));
    check(KSPSetNormType(m_ksp, KSP_NORM_UNPRECONDITIONED));
    // By default it gives up where the residual is many times b; that of CG may be on its way.
    check(KSPSetTolerances(m_ksp, tolerance, 0.0, PETSC_UNLIMITED, max_iterations));
  }
  PetscSolver(const PetscSolver&) = delete;
  PetscSolver& operator=(const PetscSolver&) = delete;
  ~PetscSolver() { check(KSPDestroy(&m_ksp)); }

  PC preconditioner() const {
    PC pc = nullptr;
    check(KSPGetPC(m_ksp, &pc));
    return pc;
  }

  /// From x = 0; assembly is left out of the time.
  Timing run() {
    check(VecSet(m_system.x, 0.0));
    check(KSPSetFromOptions(m_ksp));
    Timing timing;
    MPI_Barrier(MPI_COMM_WORLD);
    Kokkos::Timer timer;
    check(KSPSetUp(m_ksp));
    MPI_Barrier(MPI_COMM_WORLD);
    timing.setup_ms = timer.seconds() * 1e3;
    timer.reset();
    check(KSPSolve(m_ksp, m_system.b, m_system.x));
    MPI_Barrier(MPI_COMM_WORLD);
    timing.solve_ms = timer.seconds() * 1e3;
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(m_ksp, &iterations));
    timing.iterations = static_cast<int>(iterations);
    return timing;
  }

 private:
  PetscSystem& m_system;
  KSP m_ksp = nullptr;
};

/// GAMG as PETSc sets it up by default; where it finds nothing to coarsen, it factors the matrix.
inline Timing run_petsc(PetscSystem& system, KSPType type, double tolerance, int max_iterations) {
  PetscSolver solver(system, type, tolerance, max_iterations);
  check(PCSetType(solver.preconditioner(), PCGAMG));
  Timing timing = solver.run();
  PetscInt levels = 0;
  check(PCMGGetLevels(solver.preconditioner(), &levels));
  if (levels == 1) timing.method = SolveMethod::direct;
  return timing;
}

/// Factors by MUMPS in its place: L L^T, L D L^T where A is symmetric alone, or L U.
inline Timing run_petsc_direct(PetscSystem& system, KSPType type, bool symmetric, double tolerance,
                               int max_iterations) {
  PetscSolver solver(system, type, tolerance, max_iterations);
  const PC pc = solver.preconditioner();
  check(PCSetType(pc, symmetric ? PCCHOLESKY : PCLU));
  check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  return solver.run();
}

}  // namespace tessera::perf
