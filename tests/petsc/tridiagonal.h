/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrices of the programs that link the plug-in, and preconditioners and solvers of them.
 */
#pragma once

#include <petscksp.h>

#include "tessera_petsc.h"

static PetscErrorCode assemble(Mat A) {
  PetscFunctionBeginUser;
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Tridiagonal: `diagonal` and -1 beside it. */
static PetscErrorCode fill(Mat A, PetscScalar diagonal) {
  PetscInt n, first, end;
  PetscFunctionBeginUser;
  PetscCall(MatGetSize(A, &n, NULL));
  PetscCall(MatGetOwnershipRange(A, &first, &end));
  for (PetscInt i = first; i < end; ++i) {
    PetscCall(MatSetValue(A, i, i, diagonal, INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(A, i, i - 1, -1, INSERT_VALUES));
    if (i < n - 1) PetscCall(MatSetValue(A, i, i + 1, -1, INSERT_VALUES));
  }
  PetscCall(assemble(A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of type tessera, with these options in PETSc's database, which it has not read yet. */
static PetscErrorCode plain_pc(Mat A, const char* options, PC* pc) {
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsClear(NULL));
  if (options[0]) PetscCall(PetscOptionsInsertString(NULL, options));
  PetscCall(PCCreate(PetscObjectComm((PetscObject)A), pc));
  PetscCall(PCSetType(*pc, PCTESSERA));
  PetscCall(PCSetOperators(*pc, A, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A solver with one, which has read none of PETSc's options yet. */
static PetscErrorCode new_ksp(Mat A, KSP* ksp, PC* pc) {
  PetscFunctionBeginUser;
  PetscCall(KSPCreate(PetscObjectComm((PetscObject)A), ksp));
  PetscCall(KSPSetOperators(*ksp, A, A));
  PetscCall(KSPGetPC(*ksp, pc));
  PetscCall(PCSetType(*pc, PCTESSERA));
  PetscFunctionReturn(PETSC_SUCCESS);
}
