/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of PETSc's that knows nothing of Tessera: the Bratu problem -lap u = lambda exp(u) in a square
 * with u = 0 around, by whatever SNES, KSP and PC the options name.
 */
#include <petscdmda.h>
#include <petscsnes.h>

static const PetscReal lambda = 6;

static PetscErrorCode residual(DMDALocalInfo* info, PetscScalar** u, PetscScalar** f, void* context) {
  const PetscReal h = 1.0 / (PetscReal)(info->mx - 1);
  (void)context;
  for (PetscInt j = info->ys; j < info->ys + info->ym; ++j) {
    for (PetscInt i = info->xs; i < info->xs + info->xm; ++i) {
      if (i == 0 || j == 0 || i == info->mx - 1 || j == info->my - 1)
        f[j][i] = u[j][i];
      else
        f[j][i] = 4 * u[j][i] - u[j][i - 1] - u[j][i + 1] - u[j - 1][i] - u[j + 1][i] -
                  h * h * lambda * PetscExpScalar(u[j][i]);
    }
  }
  return PETSC_SUCCESS;
}

static PetscErrorCode jacobian(DMDALocalInfo* info, PetscScalar** u, Mat A, Mat P, void* context) {
  const PetscReal h = 1.0 / (PetscReal)(info->mx - 1);
  PetscFunctionBeginUser;
  (void)context;
  for (PetscInt j = info->ys; j < info->ys + info->ym; ++j) {
    for (PetscInt i = info->xs; i < info->xs + info->xm; ++i) {
      const MatStencil row = {.j = j, .i = i};
      const MatStencil columns[5] = {
          row, {.j = j, .i = i - 1}, {.j = j, .i = i + 1}, {.j = j - 1, .i = i}, {.j = j + 1, .i = i}};
      PetscScalar values[5] = {1, -1, -1, -1, -1};
      const PetscBool inside = (PetscBool)(i > 0 && j > 0 && i < info->mx - 1 && j < info->my - 1);
      if (inside) values[0] = 4 - h * h * lambda * PetscExpScalar(u[j][i]);
      PetscCall(MatSetValuesStencil(P, 1, &row, inside ? 5 : 1, columns, values, INSERT_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (A != P) {
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  DM grid;
  SNES snes;
  Vec u;
  PetscInt steps, iterations;
  SNESConvergedReason reason;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, "The Bratu problem\n"));
  PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, 65, 65,
                         PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, &grid));
  PetscCall(DMSetFromOptions(grid));
  PetscCall(DMSetUp(grid));
  PetscCall(DMDASNESSetFunctionLocal(grid, INSERT_VALUES, (DMDASNESFunctionFn*)residual, NULL));
  PetscCall(DMDASNESSetJacobianLocal(grid, (DMDASNESJacobianFn*)jacobian, NULL));
  PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
  PetscCall(SNESSetDM(snes, grid));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(DMCreateGlobalVector(grid, &u));
  PetscCall(VecSet(u, 0));
  PetscCall(SNESSolve(snes, NULL, u));
  PetscCall(SNESGetConvergedReason(snes, &reason));
  PetscCall(SNESGetIterationNumber(snes, &steps));
  PetscCall(SNESGetLinearSolveIterations(snes, &iterations));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "%s after %" PetscInt_FMT " steps with %" PetscInt_FMT " linear iterations\n",
                        SNESConvergedReasons[reason], steps, iterations));
  PetscCall(VecDestroy(&u));
  PetscCall(SNESDestroy(&snes));
  PetscCall(DMDestroy(&grid));
  PetscCall(PetscFinalize());
  return !(reason > 0);
}
