/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Preconditioners of PETSc's beside Tessera's in one process: the same matrix, CG to a relative true residual
 * of 1e-8, the fastest of -repeats runs, as rows of a table. Times are those of the processor, which other
 * programs disturb little: run it on one thread (OMP_NUM_THREADS=1), so that they compare. -systems names
 * problems of the gallery, separated by semicolons, -types the preconditioners by commas; the options of
 * each have its name as a prefix (-hypre_pc_hypre_type boomeramg).
 */
#include <petscksp.h>
#include <time.h>

#include "tessera.h"
#include "tessera_petsc.h"

#define TESSERA(call) \
  PetscCheck((call) == TESSERA_SUCCESS, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", tessera_last_error())

/* The matrix with its block size and near-nullspace, and a right-hand side. */
static PetscErrorCode make_system(tessera_problem* problem, Mat* A, Vec* b) {
  tessera_matrix matrix;
  const void* data;
  int64_t rows;
  int32_t columns, block_size;
  PetscRandom random;
  PetscFunctionBeginUser;
  TESSERA(tessera_problem_matrix(problem, &matrix));
  TESSERA(tessera_problem_about(problem, &block_size, NULL));
  PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, (PetscInt)matrix.rows, (PetscInt)matrix.rows,
                                      (PetscInt*)matrix.offsets, (PetscInt*)matrix.columns,
                                      (PetscScalar*)matrix.values, A));
  PetscCall(MatSetBlockSize(*A, block_size));
  TESSERA(tessera_problem_vectors(problem, TESSERA_COORDINATES, &data, &rows, &columns));
  if (block_size > 1 && rows * columns == matrix.rows) {
    Vec coordinates;
    MatNullSpace modes;
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, (PetscInt)matrix.rows, &coordinates));
    PetscCall(VecSetBlockSize(coordinates, columns));
    for (int64_t i = 0; i < rows; ++i)
      for (int32_t d = 0; d < columns; ++d)
        PetscCall(VecSetValue(coordinates, (PetscInt)(i * columns + d), ((const double*)data)[d * rows + i],
                              INSERT_VALUES));
    PetscCall(VecAssemblyBegin(coordinates));
    PetscCall(VecAssemblyEnd(coordinates));
    PetscCall(MatNullSpaceCreateRigidBody(coordinates, &modes));
    PetscCall(MatSetNearNullSpace(*A, modes));
    PetscCall(MatNullSpaceDestroy(&modes));
    PetscCall(VecDestroy(&coordinates));
  }
  PetscCall(MatCreateVecs(*A, NULL, b));
  PetscCall(PetscRandomCreate(PETSC_COMM_SELF, &random));
  PetscCall(VecSetRandom(*b, random));
  PetscCall(PetscRandomDestroy(&random));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One row: the fastest of some runs. */
static PetscErrorCode measure(const char* system, const char* type, Mat A, Vec b, PetscInt repeats) {
  PetscReal best_setup = PETSC_MAX_REAL, best_solve = PETSC_MAX_REAL, residual, norm;
  PetscInt iterations = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  char prefix[64];
  Vec x, r;
  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(b, &x));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(PetscSNPrintf(prefix, sizeof prefix, "%s_", type));
  for (PetscInt run = 0; run < repeats; ++run) {
    clock_t start, middle, end;
    KSP ksp;
    PC pc;
    PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
    PetscCall(KSPSetOptionsPrefix(ksp, prefix));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetType(ksp, KSPCG));
    PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_CURRENT, PETSC_CURRENT, 1000));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, type));
    PetscCall(KSPSetFromOptions(ksp));
    start = clock();
    PetscCall(KSPSetUp(ksp));
    middle = clock();
    PetscCall(KSPSolve(ksp, b, x));
    end = clock();
    best_setup = PetscMin(best_setup, (PetscReal)(middle - start) / CLOCKS_PER_SEC);
    best_solve = PetscMin(best_solve, (PetscReal)(end - middle) / CLOCKS_PER_SEC);
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPDestroy(&ksp));
  }
  PetscCall(MatMult(A, x, r));
  PetscCall(VecAXPY(r, -1, b));
  PetscCall(VecNorm(r, NORM_2, &residual));
  PetscCall(VecNorm(b, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_SELF, "| %s | %s | %" PetscInt_FMT "%s | %.1e | %.0f | %.0f | %.0f |\n", system, type,
                        iterations, reason > 0 ? "" : " (not converged)", (double)(residual / norm),
                        (double)(best_setup * 1e3), (double)(best_solve * 1e3), (double)((best_setup + best_solve) * 1e3)));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  char systems[512] = "poisson2d n=500;poisson3d n=60;elasticity3d n=20", names[256] = "tessera,gamg,hypre";
  char **problems, **types;
  int num_problems, num_types;
  PetscInt repeats = 3;
  PetscFunctionBeginUser;
  PetscCheck(sizeof(PetscInt) == 4 && sizeof(PetscScalar) == sizeof(double), PETSC_COMM_SELF, PETSC_ERR_SUP,
             "this program shares the gallery's arrays: indices of 32 bits and double");
  PetscCall(PetscInitialize(&argc, &argv, NULL, "Preconditioners of PETSc's beside Tessera's\n"));
  PetscCall(TesseraPetscRegister());
  PetscCall(PetscOptionsGetString(NULL, NULL, "-systems", systems, sizeof systems, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-types", names, sizeof names, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeats", &repeats, NULL));
  PetscCall(PetscStrToArray(systems, ';', &num_problems, &problems));
  PetscCall(PetscStrToArray(names, ',', &num_types, &types));
  PetscCall(PetscPrintf(PETSC_COMM_SELF, "| system | -pc_type | iterations | residual | setup ms | solve ms | both ms |\n"
                                         "| --- | --- | --- | --- | --- | --- | --- |\n"));
  for (int i = 0; i < num_problems; ++i) {
    tessera_problem* problem;
    Mat A;
    Vec b;
    TESSERA(tessera_problem_create(&problem, problems[i], TESSERA_DOUBLE, TESSERA_INT32));
    PetscCall(make_system(problem, &A, &b));
    for (int j = 0; j < num_types; ++j)
      PetscCall(measure(problems[i], types[j], A, b, repeats));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&b));
    TESSERA(tessera_problem_destroy(problem));
  }
  PetscCall(PetscStrToArrayDestroy(num_problems, problems));
  PetscCall(PetscStrToArrayDestroy(num_types, types));
  PetscCall(PetscFinalize());
  return 0;
}
