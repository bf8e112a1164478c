/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of PETSc's that knows nothing of Tessera: the 5-point Laplacian on n by n points, with zero
 * around them or (-neumann) singular, by whatever KSP and PC the options name. Ends with 1 where the
 * solve fails, the error is large, or it takes more than -most_iterations.
 */
#include <petscksp.h>

static PetscErrorCode assemble(PetscInt n, PetscBool neumann, Mat A) {
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, &end));
  for (PetscInt row = first; row < end; ++row) {
    const PetscInt i = row % n, j = row / n;
    PetscInt columns[5], count = 0;
    PetscScalar values[5], diagonal = 0;
    if (j > 0) columns[count++] = row - n;
    if (i > 0) columns[count++] = row - 1;
    if (i < n - 1) columns[count++] = row + 1;
    if (j < n - 1) columns[count++] = row + n;
    for (PetscInt k = 0; k < count; ++k)
      values[k] = -1;
    diagonal = neumann ? (PetscScalar)count : 4;
    columns[count] = row;
    values[count++] = diagonal;
    PetscCall(MatSetValues(A, 1, &row, count, columns, values, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  Mat A;
  Vec x, b, u;
  KSP ksp;
  PetscInt n = 100, most = 20, iterations;
  PetscReal error, norm;
  PetscBool neumann = PETSC_FALSE;
  KSPConvergedReason reason;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, "The 5-point Laplacian\n"));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-most_iterations", &most, NULL));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-neumann", &neumann, NULL));
  PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
  PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n));
  PetscCall(MatSetFromOptions(A));
  PetscCall(MatSetUp(A));
  PetscCall(assemble(n, neumann, A));
  if (neumann) {
    MatNullSpace constant;
    PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constant));
    PetscCall(MatSetNullSpace(A, constant));
    PetscCall(MatNullSpaceDestroy(&constant));
  }
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecDuplicate(x, &u));
  PetscCall(VecSetRandom(u, NULL));
  if (neumann) {
    PetscScalar sum;
    PetscCall(VecSum(u, &sum));
    PetscCall(VecShift(u, -sum / (PetscScalar)(n * n)));
  }
  PetscCall(MatMult(A, u, b));

  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_CURRENT, PETSC_CURRENT, PETSC_CURRENT));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(VecNorm(u, NORM_2, &norm));
  PetscCall(VecAXPY(x, -1, u));
  PetscCall(VecNorm(x, NORM_2, &error));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s after %" PetscInt_FMT " iterations, relative error %.1e\n",
                        KSPConvergedReasons[reason], iterations, (double)(error / norm)));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&u));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFinalize());
  return !(reason > 0 && iterations <= most && error <= 1e-4 * norm);
}
