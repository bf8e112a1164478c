/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The preconditioner of matrices over several processes through PETSc's functions, in a program that links the
 * plug-in. Each check that fails prints a line, and the program ends with 1.
 */
#include <math.h>
#include <petscksp.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "tessera_petsc.h"
#include "tridiagonal.h"

static PetscMPIInt size;

/* `own` rows on this process, or PETSC_DECIDE. */
static PetscErrorCode tridiagonal(PetscInt own, PetscInt n, PetscScalar diagonal, Mat* A) {
  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, own, own, n, n, 3, NULL, 3, NULL, A));
  PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(fill(*A, diagonal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode new_pc(Mat A, const char* options, PC* pc) {
  PetscFunctionBeginUser;
  PetscCall(plain_pc(A, options, pc));
  PetscCall(PCSetFromOptions(*pc));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* New values are an update; new nonzeros, parameters or near-nullspace vectors a setup. */
static PetscErrorCode test_updates(void) {
  Mat A;
  PC pc;
  MatNullSpace space;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(PETSC_DECIDE, 400, 2.1, &A));
  PetscCall(new_pc(A, "-pc_tessera_preconditioner amg -pc_tessera_gather_rows 50", &pc));
  CHECK_VIEW(pc, "not set up");
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 0");
  CHECK_VIEW(pc, "smoothed_aggregation");
  PetscCall(fill(A, 2.2));
  PetscCall(PCSetUp(pc));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 1");
  PetscCall(PetscOptionsInsertString(NULL, "-pc_tessera_amg_cycle w"));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(fill(A, 2.3));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 2, updates: 1");
  CHECK_VIEW(pc, "amg.cycle=w");
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &space));
  PetscCall(MatSetNearNullSpace(A, space));
  PetscCall(MatNullSpaceDestroy(&space));
  PetscCall(fill(A, 2.4));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 3, updates: 1");
  CHECK_VIEW(pc, "1 near-nullspace vectors");
  PetscCall(MatSetValue(A, 0, 399, -0.01, ADD_VALUES));
  PetscCall(assemble(A));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 4, updates: 1");
  PetscCall(PCReset(pc));
  PetscCall(PCSetOperators(pc, A, A));
  PetscCall(PCSetUp(pc));
  CHECK_VIEW(pc, "setups: 1, updates: 0");
  PetscCall(PCDestroy(&pc));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* After an update with every kind of reuse the solve is one of the new matrix. */
static PetscErrorCode test_reuse(const char* options) {
  Mat A;
  KSP ksp;
  PC pc;
  Vec x, b;
  PetscReal norm, error;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsClear(NULL));
  PetscCall(PetscOptionsInsertString(NULL, options));
  PetscCall(tridiagonal(PETSC_DECIDE, 500, 2.001, &A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(new_ksp(A, &ksp, &pc));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_CURRENT, PETSC_CURRENT, 60));
  PetscCall(KSPSetFromOptions(ksp));
  for (int step = 0; step < 3; ++step) {
    KSPConvergedReason reason;
    PetscCall(fill(A, 2.001 + 0.001 * step));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    CHECK(reason > 0);
    PetscCall(VecNorm(b, NORM_2, &norm));
    PetscCall(VecScale(b, -1));
    PetscCall(MatMultAdd(A, x, b, b));
    PetscCall(VecNorm(b, NORM_2, &error));
    CHECK(error < 1e-7 * norm);
  }
  CHECK_VIEW(pc, "setups: 1, updates: 2");
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* (r, M s) = (s, M r), for one and for several columns, which get what each gets alone. */
static PetscErrorCode test_columns(void) {
  Mat A, R, Z;
  PC pc;
  Vec column[2], applied[2];
  PetscScalar products[2];
  PetscReal error;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(PETSC_DECIDE, 300, 2.01, &A));
  PetscCall(new_pc(A, "-pc_tessera_preconditioner amg -pc_tessera_gather_rows 20", &pc));
  PetscCall(PCSetUp(pc));
  PetscCall(MatCreateDense(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 300, 2, NULL, &R));
  PetscCall(MatSetRandom(R, NULL));
  PetscCall(MatDuplicate(R, MAT_DO_NOT_COPY_VALUES, &Z));
  PetscCall(PCMatApply(pc, R, Z));
  for (int j = 0; j < 2; ++j) {
    Vec there;
    PetscCall(MatCreateVecs(A, &applied[j], &column[j]));
    PetscCall(MatDenseGetColumnVecRead(R, j, &there));
    PetscCall(VecCopy(there, column[j]));
    PetscCall(MatDenseRestoreColumnVecRead(R, j, &there));
    PetscCall(PCApply(pc, column[j], applied[j]));
    PetscCall(MatDenseGetColumnVecRead(Z, j, &there));
    PetscCall(VecAXPY(applied[j], -1, there));
    PetscCall(VecNorm(applied[j], NORM_INFINITY, &error));
    CHECK(error < 1e-12);
    PetscCall(VecAXPY(applied[j], 1, there));
    PetscCall(MatDenseRestoreColumnVecRead(Z, j, &there));
  }
  PetscCall(VecDot(column[0], applied[1], &products[0]));
  PetscCall(VecDot(column[1], applied[0], &products[1]));
  CHECK(PetscAbsScalar(products[0] - products[1]) < 1e-12 * PetscAbsScalar(products[0]));
  for (int j = 0; j < 2; ++j) {
    PetscCall(VecDestroy(&column[j]));
    PetscCall(VecDestroy(&applied[j]));
  }
  PetscCall(MatDestroy(&R));
  PetscCall(MatDestroy(&Z));
  PetscCall(PCDestroy(&pc));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Few rows, and all of them on one process: the last one, then the first. */
static PetscErrorCode test_shares(void) {
  PetscFunctionBeginUser;
  for (PetscInt n = 0; n < 200; n = n < 4 ? n + 1 : 8 * n) {
    for (int owner = -1; owner < 2; ++owner) {
      Mat A;
      PC pc;
      Vec r, z;
      PetscScalar sum;
      const PetscInt own = owner < 0 ? PETSC_DECIDE : rank == (owner == 0 ? size - 1 : 0) ? n : 0;
      PetscCall(tridiagonal(own, n, 4, &A));
      PetscCall(MatCreateVecs(A, &z, &r));
      PetscCall(new_pc(A, "-pc_tessera_gather_rows 10", &pc));
      PetscCall(PCSetUp(pc));
      PetscCall(VecSet(r, 1));
      PetscCall(PCApply(pc, r, z));
      PetscCall(VecSum(z, &sum));
      CHECK(n == 0 ? sum == 0 : PetscRealPart(sum) > 0);
      PetscCall(fill(A, 5));
      PetscCall(PCSetUp(pc));
      PetscCall(PCApply(pc, r, z));
      PetscCall(PCDestroy(&pc));
      PetscCall(VecDestroy(&r));
      PetscCall(VecDestroy(&z));
      PetscCall(MatDestroy(&A));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A NaN on the last process is a reason on all of them, and good values mend it. */
static PetscErrorCode test_bad_values(const char* options) {
  Mat A;
  KSP ksp;
  PC pc;
  Vec b, x;
  KSPConvergedReason reason;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsClear(NULL));
  PetscCall(PetscOptionsInsertString(NULL, options));
  PetscCall(tridiagonal(PETSC_DECIDE, 60, 2.5, &A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(new_ksp(A, &ksp, &pc));
  PetscCall(KSPSetFromOptions(ksp));
  for (int first_time = 1; first_time >= 0; --first_time) {
    if (rank == size - 1) PetscCall(MatSetValue(A, 59, 59, NAN, INSERT_VALUES));
    PetscCall(assemble(A));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    CHECK(reason == KSP_DIVERGED_PC_FAILED);
    CHECK_VIEW(pc, "failed: ");
    PetscCall(fill(A, 2.5));
    PetscCall(KSPSolve(ksp, b, x)); /* PETSc begins this one with infinities, after its own factors' failure, too */
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    CHECK(reason > 0);
  }
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_TRUE));
  if (rank == size - 1) PetscCall(MatSetValue(A, 59, 59, NAN, INSERT_VALUES));
  PetscCall(assemble(A));
  CHECK_ERROR(KSPSolve(ksp, b, x), "NaN");
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_errors(void) {
  Mat A, wide;
  PC pc;
  Vec vectors[11];
  MatNullSpace space;
  PetscFunctionBeginUser;
  PetscCall(tridiagonal(PETSC_DECIDE, 110, 2, &A));
  if (size > 1) {
    PetscCall(new_pc(A, "-pc_tessera_preconditioner ilu", &pc));
    CHECK_ERROR(PCSetUp(pc), "'preconditioner' is amg");
    PetscCall(PetscOptionsInsertString(NULL, "-pc_tessera_preconditioner amg"));
    PetscCall(PCSetFromOptions(pc));
    PetscCall(PCSetUp(pc));
    PetscCall(PCDestroy(&pc));
  }
  for (int j = 0; j < 11; ++j) {
    PetscInt first, end;
    PetscCall(MatCreateVecs(A, &vectors[j], NULL));
    PetscCall(VecGetOwnershipRange(vectors[j], &first, &end));
    for (PetscInt i = first; i < end; ++i)
      if (i / 10 == j) PetscCall(VecSetValue(vectors[j], i, 1 / PetscSqrtReal(10.), INSERT_VALUES));
    PetscCall(VecAssemblyBegin(vectors[j]));
    PetscCall(VecAssemblyEnd(vectors[j]));
  }
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 11, vectors, &space));
  PetscCall(MatSetNearNullSpace(A, space));
  PetscCall(MatNullSpaceDestroy(&space));
  PetscCall(new_pc(A, "", &pc));
  CHECK_ERROR(PCSetUp(pc), "11");
  PetscCall(PCDestroy(&pc));
  for (int j = 0; j < 11; ++j)
    PetscCall(VecDestroy(&vectors[j]));
  PetscCall(MatDestroy(&A));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 20, 30, 1, NULL, 1, NULL, &wide));
  PetscCall(assemble(wide));
  PetscCall(new_pc(wide, "", &pc));
  CHECK_ERROR(PCSetUp(pc), "square");
  PetscCall(PCDestroy(&pc));
  PetscCall(MatDestroy(&wide));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  int all = 0;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(TesseraPetscRegister());
  PetscCall(test_updates());
  PetscCall(test_reuse("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 40"));
  PetscCall(test_reuse("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 40 -pc_tessera_amg_reuse symbolic"));
  PetscCall(test_reuse("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 40 -pc_tessera_amg_reuse interpolation"));
  PetscCall(test_reuse("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 40 -pc_tessera_amg_reuse hierarchy"));
  PetscCall(test_columns());
  PetscCall(test_shares());
  PetscCall(test_bad_values("-pc_tessera_preconditioner amg"));
  PetscCall(test_bad_values("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 10"));
  PetscCall(test_bad_values("-pc_tessera_preconditioner amg -pc_tessera_gather_rows 10 -pc_tessera_amg_reuse symbolic"));
  PetscCall(test_errors());
  PetscCallMPI(MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(PetscOptionsClear(NULL));
  PetscCall(PetscFinalize());
  return all > 0;
}
