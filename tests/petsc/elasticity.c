/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of PETSc's that knows nothing of Tessera: plane strain on n by n bilinear squares, clamped at
 * the left, pulled down, by whatever KSP and PC the options name. -near says what PETSc is told of
 * the rigid body modes: vectors (MatSetNearNullSpace), coordinates (PCSetCoordinates) or nothing.
 */
#include <petscksp.h>

enum { per_square = 8 };

/* The stiffness of a square of side h, unknowns x and y of nodes (0,0), (1,0), (1,1), (0,1), by 2 by 2 Gauss
 * points; Young's modulus 1, Poisson's ratio nu. */
static void square_stiffness(double nu, double K[per_square][per_square]) {
  const double xs[4] = {-1, 1, 1, -1}, ys[4] = {-1, -1, 1, 1}, g = 1 / PetscSqrtReal(3.0);
  const double lambda = nu / ((1 + nu) * (1 - 2 * nu)), mu = 1 / (2 * (1 + nu));
  for (int i = 0; i < per_square; ++i)
    for (int j = 0; j < per_square; ++j)
      K[i][j] = 0;
  for (int q = 0; q < 4; ++q) {
    double dx[4], dy[4];
    for (int a = 0; a < 4; ++a) {
      dx[a] = 0.25 * xs[a] * (1 + ys[a] * g * ys[q]);
      dy[a] = 0.25 * ys[a] * (1 + xs[a] * g * xs[q]);
    }
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const double grad = dx[a] * dx[b] + dy[a] * dy[b];
        K[2 * a][2 * b] += lambda * dx[a] * dx[b] + mu * (grad + dx[a] * dx[b]);
        K[2 * a][2 * b + 1] += lambda * dx[a] * dy[b] + mu * dy[a] * dx[b];
        K[2 * a + 1][2 * b] += lambda * dy[a] * dx[b] + mu * dx[a] * dy[b];
        K[2 * a + 1][2 * b + 1] += lambda * dy[a] * dy[b] + mu * (grad + dy[a] * dy[b]);
      }
    }
  }
}

/* Nodes of this process, which are blocks of rows. */
static PetscErrorCode own_nodes(Mat A, PetscInt* first, PetscInt* end) {
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, first, end));
  *first /= 2;
  *end /= 2;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode assemble(PetscInt n, Mat A, Vec b) {
  double K[per_square][per_square];
  PetscInt first, end, count = 0, *clamped;
  PetscFunctionBeginUser;
  square_stiffness(0.3, K);
  PetscCall(own_nodes(A, &first, &end));
  for (PetscInt low = first; low < end; ++low) {
    const PetscInt nodes[4] = {low, low + 1, low + n + 2, low + n + 1};
    PetscScalar values[per_square * per_square];
    if (low % (n + 1) == n || low / (n + 1) == n) continue; /* no square begins here */
    for (int k = 0; k < per_square * per_square; ++k)
      values[k] = K[k / per_square][k % per_square];
    PetscCall(MatSetValuesBlocked(A, 4, nodes, 4, nodes, values, ADD_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscMalloc1(2 * (n + 1), &clamped));
  for (PetscInt node = first; node < end; ++node) {
    const PetscBool is_clamped = (PetscBool)(node % (n + 1) == 0);
    PetscCall(VecSetValue(b, 2 * node + 1, is_clamped ? 0 : -1. / (PetscScalar)(n * n), INSERT_VALUES));
    if (is_clamped) {
      clamped[count++] = 2 * node;
      clamped[count++] = 2 * node + 1;
    }
  }
  PetscCall(VecAssemblyBegin(b));
  PetscCall(VecAssemblyEnd(b));
  PetscCall(MatZeroRowsColumns(A, count, clamped, 1, NULL, NULL));
  PetscCall(PetscFree(clamped));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coordinates of this process's nodes, as a vector with blocks of two. */
static PetscErrorCode coordinates_of(PetscInt n, Mat A, Vec* coordinates) {
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCall(own_nodes(A, &first, &end));
  PetscCall(MatCreateVecs(A, coordinates, NULL));
  PetscCall(VecSetBlockSize(*coordinates, 2));
  for (PetscInt node = first; node < end; ++node) {
    PetscCall(VecSetValue(*coordinates, 2 * node, (node % (n + 1)) / (PetscScalar)n, INSERT_VALUES));
    PetscCall(VecSetValue(*coordinates, 2 * node + 1, (node / (n + 1)) / (PetscScalar)n, INSERT_VALUES));
  }
  PetscCall(VecAssemblyBegin(*coordinates));
  PetscCall(VecAssemblyEnd(*coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  Mat A;
  Vec x, b, coordinates;
  KSP ksp;
  PC pc;
  PetscInt n = 60, most = 1000, iterations, own;
  char near[32] = "vectors";
  PetscBool vectors, points;
  KSPConvergedReason reason;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, "Plane strain on squares\n"));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-most_iterations", &most, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-near", near, sizeof near, NULL));
  PetscCall(PetscStrcmp(near, "vectors", &vectors));
  PetscCall(PetscStrcmp(near, "coordinates", &points));
  const PetscInt rows = 2 * (n + 1) * (n + 1);
  PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
  PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, rows, rows));
  PetscCall(MatSetBlockSize(A, 2));
  PetscCall(MatSetFromOptions(A));
  PetscCall(MatSetUp(A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(assemble(n, A, b));
  PetscCall(coordinates_of(n, A, &coordinates));
  if (vectors) {
    MatNullSpace modes;
    PetscCall(MatNullSpaceCreateRigidBody(coordinates, &modes));
    PetscCall(MatSetNearNullSpace(A, modes));
    PetscCall(MatNullSpaceDestroy(&modes));
  }

  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_CURRENT, PETSC_CURRENT, PETSC_CURRENT));
  PetscCall(KSPSetFromOptions(ksp));
  if (points) {
    const PetscScalar* entries;
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(VecGetLocalSize(coordinates, &own));
    PetscCall(VecGetArrayRead(coordinates, &entries));
    PetscCall(PCSetCoordinates(pc, 2, own / 2, (PetscReal*)entries));
    PetscCall(VecRestoreArrayRead(coordinates, &entries));
  }
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s after %" PetscInt_FMT " iterations\n", KSPConvergedReasons[reason],
                        iterations));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&coordinates));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFinalize());
  return !(reason > 0 && iterations <= most);
}
