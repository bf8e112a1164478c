/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The preconditioner through PETSc's functions, in a program that links the plug-in. Each check that fails
 * prints a line, and the program ends with 1.
 */
#include <math.h>
#include <petscksp.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "tessera_petsc.h"
#include "tridiagonal.h"

static PetscErrorCode tridiagonal(PetscInt n, PetscScalar diagonal, Mat* A) {
  PetscFunctionBeginUser;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 3, NULL, A));
  PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(fill(*A, diagonal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Several right-hand sides get what each gets alone, whatever the distance of their columns. */
static PetscErrorCode test_columns(void) {
  Mat A, R, Z;
  PC pc;
  Vec r, z, expected;
  PetscReal error;
  PetscScalar *store, *entries;
  enum { n = 300, columns = 3, leading = 310 };
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(n, 2.1, &A));
  PetscCall(plain_pc(A, "-pc_tessera_preconditioner amg", &pc));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(PCSetUp(pc));
  PetscCall(PetscCalloc1(leading * columns, &store));
  PetscCall(MatCreateDense(PETSC_COMM_SELF, n, columns, n, columns, store, &R));
  PetscCall(MatDenseSetLDA(R, leading));
  PetscCall(MatSetRandom(R, NULL));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, n, columns, NULL, &Z));
  PetscCall(PCMatApply(pc, R, Z));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &expected));
  for (PetscInt j = 0; j < columns; ++j) {
    PetscCall(MatDenseGetColumnVecRead(R, j, &r));
    PetscCall(PCApply(pc, r, expected));
    PetscCall(MatDenseRestoreColumnVecRead(R, j, &r));
    PetscCall(MatDenseGetColumnVecRead(Z, j, &z));
    PetscCall(VecAXPY(expected, -1, z));
    PetscCall(MatDenseRestoreColumnVecRead(Z, j, &z));
    PetscCall(VecNorm(expected, NORM_INFINITY, &error));
    CHECK(error < 1e-5);
  }
  PetscCall(MatDenseGetArray(Z, &entries));
  CHECK(PetscAbsScalar(entries[5]) > 0);
  PetscCall(MatDenseRestoreArray(Z, &entries));
  PetscCall(VecDestroy(&expected));
  PetscCall(MatDestroy(&R));
  PetscCall(MatDestroy(&Z));
  PetscCall(PetscFree(store));
  PetscCall(PCDestroy(&pc));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* New values are an update; new nonzeros, parameters or near-nullspace vectors a setup. */
static PetscErrorCode test_updates(void) {
  Mat A;
  PC pc;
  Vec r, z;
  MatNullSpace space;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(400, 2.1, &A));
  PetscCall(MatCreateVecs(A, &r, &z));
  PetscCall(plain_pc(A, "-pc_tessera_preconditioner amg -pc_tessera_options amg.cycle=w", &pc));
  CHECK_VIEW(pc, "not set up");
  CHECK_ERROR(PCApply(pc, r, r), "different");
  PetscCall(PCSetFromOptions(pc));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 0");
  CHECK_VIEW(pc, "amg.cycle=w");
  PetscCall(fill(A, 2.2));
  PetscCall(PCSetUp(pc));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 1");
  PetscCall(PetscOptionsInsertString(NULL, "-pc_tessera_amg_cycle v"));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(fill(A, 2.3));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 2, updates: 1");
  PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_TRUE, 0, NULL, &space));
  PetscCall(MatSetNearNullSpace(A, space));
  PetscCall(MatNullSpaceDestroy(&space));
  PetscCall(fill(A, 2.4));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 3, updates: 1");
  CHECK_VIEW(pc, "1 near-nullspace vectors");
  PetscCall(MatSetValue(A, 0, 399, -0.01, INSERT_VALUES));
  PetscCall(fill(A, 2.4));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 4, updates: 1");

  /* A preconditioner that is kept does not survive that its arrays move, unless it has a copy. */
  PetscCall(PCSetReusePreconditioner(pc, PETSC_TRUE));
  PetscCall(MatSetValue(A, 399, 0, -0.01, INSERT_VALUES));
  PetscCall(fill(A, 2.5));
  PetscCall(VecSet(r, 1));
  CHECK_ERROR(PCApply(pc, r, z), "-pc_tessera_copy_matrix");
  PetscCall(PCSetReusePreconditioner(pc, PETSC_FALSE));
  PetscCall(PetscOptionsInsertString(NULL, "-pc_tessera_copy_matrix"));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 5, updates: 1");
  PetscCall(PCSetReusePreconditioner(pc, PETSC_TRUE));
  PetscCall(MatSetValue(A, 200, 0, -0.01, INSERT_VALUES));
  PetscCall(fill(A, 2.5));
  PetscCall(PCApply(pc, r, z));

  PetscCall(PCReset(pc));
  PetscCall(PCSetReusePreconditioner(pc, PETSC_FALSE));
  PetscCall(PCSetOperators(pc, A, A));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 0");
  CHECK_VIEW(pc, "amg.cycle=v");
  PetscCall(PCApply(pc, r, z));
  PetscCall(PCDestroy(&pc));
  PetscCall(VecDestroy(&r));
  PetscCall(VecDestroy(&z));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_sizes(void) {
  PetscFunctionBeginUser;
  for (PetscInt n = 0; n < 4; ++n) {
    Mat A;
    PC pc;
    Vec r, z;
    PetscScalar sum;
    PetscCall(tridiagonal(n, 4, &A));
    PetscCall(MatCreateVecs(A, &r, &z));
    PetscCall(plain_pc(A, "", &pc));
    PetscCall(PCSetUp(pc));
    PetscCall(VecSet(r, 1));
    PetscCall(PCApply(pc, r, z));
    PetscCall(VecSum(z, &sum));
    CHECK(n == 0 ? sum == 0 : PetscRealPart(sum) > 0);
    PetscCall(PCDestroy(&pc));
    PetscCall(VecDestroy(&r));
    PetscCall(VecDestroy(&z));
    PetscCall(MatDestroy(&A));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A matrix that has no preconditioner is a reason; with -ksp_error_if_not_converged an error. */
static PetscErrorCode test_bad_matrix(PetscScalar diagonal, const char* words) {
  Mat A;
  KSP ksp;
  PC pc;
  Vec b, x;
  PetscReal norm;
  KSPConvergedReason reason;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsClear(NULL));
  PetscCall(tridiagonal(50, 2, &A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(new_ksp(A, &ksp, &pc));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  CHECK(reason > 0);
  PetscCall(MatSetValue(A, 7, 7, diagonal, INSERT_VALUES));
  PetscCall(assemble(A));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  CHECK(reason == KSP_DIVERGED_PC_FAILED);
  {
    int has;
    PetscCall(view_has(pc, words, &has));
    CHECK(has);
  }
  PetscCall(PCApply(pc, b, x));
  PetscCall(VecNorm(x, NORM_INFINITY, &norm));
  CHECK(norm == INFINITY);
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_TRUE));
  PetscCall(MatSetValue(A, 7, 7, diagonal, INSERT_VALUES));
  PetscCall(assemble(A));
  CHECK_ERROR(KSPSolve(ksp, b, x), words);
  PetscCall(fill(A, 2.5));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  CHECK(reason > 0);
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Zeros in the pattern: no solution but of a zero right-hand side, and no crash. */
static PetscErrorCode test_zero_matrix(void) {
  Mat A;
  KSP ksp;
  Vec b, x;
  KSPConvergedReason reason;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(50, 2, &A));
  PetscCall(MatZeroEntries(A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(PetscOptionsInsertString(NULL, "-pc_type tessera"));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  CHECK(reason < 0);
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_errors(void) {
  Mat A, wide;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(50, 2, &A));
  PetscCall(plain_pc(A, "-pc_tessera_amg_cycle x", &pc));
  CHECK_ERROR(PCSetFromOptions(pc), "-pc_tessera_amg_cycle: tessera_set: ");
  PetscCall(PCDestroy(&pc));
  PetscCall(plain_pc(A, "-pc_tessera_options amg.cicle=v", &pc));
  CHECK_ERROR(PCSetFromOptions(pc), "amg.cycle");
  PetscCall(PCDestroy(&pc));

  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, 3, 5, 1, NULL, &wide));
  PetscCall(assemble(wide));
  PetscCall(plain_pc(wide, "", &pc));
  CHECK_ERROR(PCSetUp(pc), "square");
  PetscCall(PCDestroy(&pc));
  PetscCall(MatDestroy(&wide));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(TesseraPetscRegister());
  PetscCall(TesseraPetscRegister());
  PetscCall(test_columns());
  PetscCall(test_updates());
  PetscCall(test_sizes());
  PetscCall(test_bad_matrix(NAN, "not_finite"));
  PetscCall(test_bad_matrix(INFINITY, "not_finite"));
  PetscCall(test_zero_matrix());
  PetscCall(test_errors());
  PetscCall(PetscOptionsClear(NULL));
  PetscCall(PetscFinalize());
  return failures != 0;
}
