// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A program whose last process can have no Kokkos, because it has ended it: a setup of a matrix of
/// hypre's is an error on all processes, and none waits for the last one. A process without the GPU
/// that a build is for is like it.
#include <HYPRE_tessera.h>

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

namespace {

/// A row of the identity on each process.
HYPRE_IJMatrix identity(int rank) {
  HYPRE_IJMatrix matrix = nullptr;
  const HYPRE_BigInt row = rank;
  HYPRE_Int count = 1;
  const double one = 1;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, row, row, row, row, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, &row, &one);
  HYPRE_IJMatrixAssemble(matrix);
  return matrix;
}

/// Whether a setup fails with the words of the last process.
bool fails_as_expected(int rank, int size) {
  HYPRE_IJMatrix matrix = identity(rank);
  void* A = nullptr;
  HYPRE_IJMatrixGetObject(matrix, &A);
  HYPRE_Solver solver = nullptr;
  HYPRE_TesseraCreate(&solver);
  const HYPRE_Int flag =
      HYPRE_TesseraSetup(solver, static_cast<HYPRE_ParCSRMatrix>(A), nullptr, nullptr);
  const char* message = nullptr;
  HYPRE_TesseraGetErrorMessage(&message);
  const std::string said = message;
  std::string expected = "Kokkos is finalised";
  if (size > 1)
    expected =
        "on process " + std::to_string(size - 1) + " of " + std::to_string(size) + ": " + expected;
  HYPRE_TesseraDestroy(solver);
  HYPRE_ClearAllErrors();
  HYPRE_IJMatrixDestroy(matrix);
  const bool is_said = flag != 0 && said.find(expected) != std::string::npos;
  if (!is_said)
    std::printf("process %d of %d: flag %d, '%s'\n", rank, size, int(flag), said.c_str());
  return is_said;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) {
    Kokkos::initialize();
    Kokkos::finalize();
  }
  HYPRE_Initialize();
  const bool is_right = fails_as_expected(rank, size);
  HYPRE_Finalize();
  MPI_Finalize();
  return is_right ? 0 : 1;
}
