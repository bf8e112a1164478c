// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Poisson's equation on a grid, whose lines are shared out over the processes: hypre's PCG with Tessera as its
// preconditioner, a second matrix in the pattern of the first, and Tessera by itself.
//
// expect: PCG: [0-9]+ iterations, [1-9] levels
// expect: after new values: [0-9]+ iterations, 1 setup and 1 update
// expect: by itself: [0-9]+ iterations to a residual of [0-9.]+e-(0[89]|1)
// expect: did you mean 'amg.cycle'
#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_tessera.h>
#include <stdio.h>

enum { width = 150 };

/* The rows of this process's lines, times `factor`. */
static void fill(HYPRE_IJMatrix A, HYPRE_BigInt first, HYPRE_BigInt last, double factor) {
  const HYPRE_BigInt n = (HYPRE_BigInt)width * width;
  for (HYPRE_BigInt row = first; row <= last; ++row) {
    HYPRE_BigInt columns[5];
    double values[5];
    HYPRE_Int count = 0;
    const HYPRE_BigInt neighbours[4] = {row - width, row % width == 0 ? -1 : row - 1,
                                        (row + 1) % width == 0 ? -1 : row + 1, row + width};
    columns[count] = row;
    values[count++] = 4 * factor;
    for (int k = 0; k < 4; ++k) {
      if (neighbours[k] < 0 || neighbours[k] >= n) continue;
      columns[count] = neighbours[k];
      values[count++] = -factor;
    }
    HYPRE_IJMatrixSetValues(A, 1, &count, &row, columns, values);
  }
}

static HYPRE_ParVector vector(HYPRE_IJVector* made, HYPRE_BigInt first, HYPRE_BigInt last, double value) {
  HYPRE_ParVector as_parcsr;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, made);
  HYPRE_IJVectorSetObjectType(*made, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(*made);
  for (HYPRE_BigInt row = first; row <= last; ++row)
    HYPRE_IJVectorSetValues(*made, 1, &row, &value);
  HYPRE_IJVectorAssemble(*made);
  HYPRE_IJVectorGetObject(*made, (void**)&as_parcsr);
  return as_parcsr;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  HYPRE_Initialize();
  const HYPRE_BigInt first = (HYPRE_BigInt)width * (width * rank / size);
  const HYPRE_BigInt last = (HYPRE_BigInt)width * (width * (rank + 1) / size) - 1;

  HYPRE_IJMatrix matrix;
  HYPRE_ParCSRMatrix A;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  fill(matrix, first, last, 1);
  HYPRE_IJMatrixAssemble(matrix);
  HYPRE_IJMatrixGetObject(matrix, (void**)&A);
  HYPRE_IJVector b_owner, x_owner;
  const HYPRE_ParVector b = vector(&b_owner, first, last, 1);
  const HYPRE_ParVector x = vector(&x_owner, first, last, 0);
  HYPRE_Int iterations, levels, setups, updates;

  //! [preconditioner]
  HYPRE_Solver tessera, pcg;
  HYPRE_TesseraCreate(&tessera);
  HYPRE_TesseraSetParameter(tessera, "amg.reuse", "symbolic");
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
  HYPRE_PCGSetTol(pcg, 1e-8);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetMaxIter(pcg, 100);
  HYPRE_PCGSetPrecond(pcg, (HYPRE_PtrToSolverFcn)HYPRE_TesseraSolve,
                      (HYPRE_PtrToSolverFcn)HYPRE_TesseraSetup, tessera);
  HYPRE_ParCSRPCGSetup(pcg, A, b, x);
  HYPRE_ParCSRPCGSolve(pcg, A, b, x);
  //! [preconditioner]
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  HYPRE_TesseraGetNumLevels(tessera, &levels);
  if (rank == 0) printf("PCG: %d iterations, %d levels\n", (int)iterations, (int)levels);

  //! [update]
  HYPRE_IJMatrixInitialize(matrix);
  fill(matrix, first, last, 2);
  HYPRE_IJMatrixAssemble(matrix);
  HYPRE_ParVectorSetConstantValues(x, 0);
  HYPRE_ParCSRPCGSetup(pcg, A, b, x); /* the pattern of before: new values for the levels that there are */
  HYPRE_ParCSRPCGSolve(pcg, A, b, x);
  HYPRE_TesseraGetNumSetups(tessera, &setups, &updates);
  //! [update]
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  if (rank == 0)
    printf("after new values: %d iterations, %d setup and %d update\n", (int)iterations, (int)setups,
           (int)updates);

  //! [solver]
  double residual;
  HYPRE_TesseraSetParameters(tessera, "apply=solve solver.tolerance=1e-8 amg.cycle=f");
  HYPRE_ParVectorSetConstantValues(x, 0);
  HYPRE_TesseraSetup(tessera, A, b, x);
  HYPRE_TesseraSolve(tessera, A, b, x);
  HYPRE_TesseraGetNumIterations(tessera, &iterations);
  HYPRE_TesseraGetFinalRelativeResidualNorm(tessera, &residual);
  //! [solver]
  if (rank == 0) printf("by itself: %d iterations to a residual of %.1e\n", (int)iterations, residual);

  const HYPRE_Int failed = HYPRE_GetError();
  //! [error]
  if (HYPRE_TesseraSetParameter(tessera, "amg.cicle", "w") != 0) {
    const char* message;
    HYPRE_TesseraGetErrorMessage(&message);
    if (rank == 0) printf("%s\n", message);
    HYPRE_ClearAllErrors();
  }
  //! [error]

  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_TesseraDestroy(tessera);
  HYPRE_IJVectorDestroy(b_owner);
  HYPRE_IJVectorDestroy(x_owner);
  HYPRE_IJMatrixDestroy(matrix);
  HYPRE_Finalize();
  MPI_Finalize();
  return failed != 0;
}
