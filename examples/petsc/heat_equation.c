/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A heated plate by PETSc: implicit Euler, with a matrix that gets new values whenever the time step
 * changes. Nothing here is of Tessera: the preconditioner comes by options. */
// options: -pc_type tessera -pc_tessera_preconditioner amg -pc_tessera_amg_reuse symbolic -ksp_rtol 1e-8
// expect: step 1, dt 0.001: [0-9]+ iterations
// expect: step 12, dt 0.008: [0-9]+ iterations
// expect: type: tessera
// expect: setups: 1, updates: 3
// expect: the hottest point has 0\.[0-9]+
#include <petscksp.h>

/* u / dt - laplace(u) on the points of a grid; the edges are held at 0. */
static PetscErrorCode fill(Mat A, PetscInt width, PetscReal dt) {
  const PetscReal h = 1.0 / (PetscReal)(width + 1);
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, &end));
  for (PetscInt row = first; row < end; ++row) {
    const PetscInt beside[] = {row - width, row - 1, row + 1, row + width};
    const PetscBool exists[] = {(PetscBool)(row >= width), (PetscBool)(row % width > 0),
                                (PetscBool)(row % width < width - 1), (PetscBool)(row < width * (width - 1))};
    PetscCall(MatSetValue(A, row, row, 1 / dt + 4 / (h * h), INSERT_VALUES));
    for (int k = 0; k < 4; ++k)
      if (exists[k]) PetscCall(MatSetValue(A, row, beside[k], -1 / (h * h), INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  const PetscInt width = 200;
  PetscReal dt = 0.001, hottest;
  Mat A;
  Vec u, b;
  KSP ksp;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, "A heated plate\n"));
  PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
  PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, width * width, width * width));
  PetscCall(MatSetFromOptions(A));
  PetscCall(MatSetUp(A));
  PetscCall(fill(A, width, dt));
  PetscCall(MatCreateVecs(A, &u, &b));
  PetscCall(VecSet(u, 0));

  //! [solver]
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
  PetscCall(KSPSetFromOptions(ksp));
  //! [solver]

  //! [time loop]
  for (PetscInt step = 1; step <= 12; ++step) {
    PetscInt iterations;
    if (step % 4 == 0) {
      dt *= 2;
      PetscCall(fill(A, width, dt)); /* the same nonzeros: the next solve updates */
    }
    PetscCall(VecCopy(u, b));
    PetscCall(VecScale(b, 1 / dt));
    PetscCall(VecShift(b, 10)); /* the heating */
    PetscCall(KSPSolve(ksp, b, u));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "step %" PetscInt_FMT ", dt %g: %" PetscInt_FMT " iterations\n", step,
                          (double)dt, iterations));
  }
  //! [time loop]
  PetscCall(KSPView(ksp, PETSC_VIEWER_STDOUT_WORLD));
  PetscCall(VecMax(u, NULL, &hottest));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "the hottest point has %.4f\n", (double)hottest));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&u));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFinalize());
  return 0;
}
