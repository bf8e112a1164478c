/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Preconditioners of PETSc's beside Tessera's in one program: the same matrix, its rows shared out over the
 * processes, CG to a relative true residual of 1e-8, as rows of a table. Times are by the clock, of the slowest
 * process: the median of -repeats runs, in each of which every type has its turn. The last column is the same
 * by the processor's time, which other programs disturb little; of several processes it has their waiting,
 * which polls. Take one thread per process
 * (OMP_NUM_THREADS=1), so that they compare. -systems names problems of the gallery, separated by semicolons,
 * -types the preconditioners by commas; the options of each have its name as a prefix
 * (-hypre_pc_hypre_type boomeramg).
 */
#include <petscksp.h>
#include <time.h>

#include "tessera.h"
#include "tessera_petsc.h"

#define TESSERA(call) \
  PetscCheck((call) == TESSERA_SUCCESS, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", tessera_last_error())

enum { max_repeats = 99, max_types = 16 };

/* This process's rows of a matrix that every process has as a whole. */
static PetscErrorCode take_rows(const tessera_matrix* matrix, int32_t block_size, Mat* A) {
  PetscInt own = PETSC_DECIDE, all = (PetscInt)matrix->rows, first, end, *offsets;
  const PetscInt* whole = matrix->offsets;
  PetscLayout layout;
  PetscFunctionBeginUser;
  PetscCall(MatCreate(PETSC_COMM_WORLD, A));
  PetscCall(PetscSplitOwnershipBlock(PETSC_COMM_WORLD, block_size, &own, &all));
  PetscCall(MatSetSizes(*A, own, own, all, all));
  PetscCall(MatSetBlockSize(*A, block_size));
  PetscCall(MatSetType(*A, MATAIJ));
  PetscCall(MatGetLayouts(*A, &layout, NULL));
  PetscCall(PetscLayoutSetUp(layout));
  PetscCall(MatGetOwnershipRange(*A, &first, &end));
  PetscCall(PetscMalloc1(own + 1, &offsets));
  for (PetscInt i = 0; i <= own; ++i)
    offsets[i] = whole[first + i] - whole[first];
  /* One of these two is of the matrix's type, and the other does nothing. */
  PetscCall(MatSeqAIJSetPreallocationCSR(*A, offsets, (const PetscInt*)matrix->columns + whole[first],
                                         (const PetscScalar*)matrix->values + whole[first]));
  PetscCall(MatMPIAIJSetPreallocationCSR(*A, offsets, (const PetscInt*)matrix->columns + whole[first],
                                         (const PetscScalar*)matrix->values + whole[first]));
  PetscCall(PetscFree(offsets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
  PetscCall(take_rows(&matrix, block_size, A));
  TESSERA(tessera_problem_vectors(problem, TESSERA_COORDINATES, &data, &rows, &columns));
  if (block_size > 1 && rows * columns == matrix.rows) {
    Vec coordinates;
    MatNullSpace modes;
    PetscInt first, end;
    PetscCall(MatCreateVecs(*A, &coordinates, NULL));
    PetscCall(VecSetBlockSize(coordinates, columns));
    PetscCall(VecGetOwnershipRange(coordinates, &first, &end));
    for (PetscInt i = first; i < end; ++i)
      PetscCall(VecSetValue(coordinates, i, ((const double*)data)[(i % columns) * rows + i / columns], INSERT_VALUES));
    PetscCall(VecAssemblyBegin(coordinates));
    PetscCall(VecAssemblyEnd(coordinates));
    PetscCall(MatNullSpaceCreateRigidBody(coordinates, &modes));
    PetscCall(MatSetNearNullSpace(*A, modes));
    PetscCall(MatNullSpaceDestroy(&modes));
    PetscCall(VecDestroy(&coordinates));
  }
  PetscCall(MatCreateVecs(*A, NULL, b));
  PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  PetscCall(VecSetRandom(*b, random));
  PetscCall(PetscRandomDestroy(&random));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the runs of one type were like. */
typedef struct {
  PetscReal setup[max_repeats], solve[max_repeats], both[max_repeats], processor[max_repeats], residual;
  PetscInt iterations;
  KSPConvergedReason reason;
} Runs;

static PetscErrorCode seconds(double* now) {
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  *now = MPI_Wtime();
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run(const char* type, Mat A, Vec b, PetscInt number, Runs* runs) {
  double start, middle, end, used;
  clock_t ticks;
  PetscReal norm;
  char prefix[64];
  Vec x, r;
  KSP ksp;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(b, &x));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(PetscSNPrintf(prefix, sizeof prefix, "%s_", type));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOptionsPrefix(ksp, prefix));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_CURRENT, PETSC_CURRENT, 1000));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, type));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(seconds(&start));
  ticks = clock();
  PetscCall(KSPSetUp(ksp));
  PetscCall(seconds(&middle));
  PetscCall(KSPSolve(ksp, b, x));
  used = (double)(clock() - ticks) / CLOCKS_PER_SEC;
  PetscCall(seconds(&end));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
  runs->processor[number] = used;
  runs->setup[number] = middle - start;
  runs->solve[number] = end - middle;
  runs->both[number] = end - start;
  PetscCall(KSPGetIterationNumber(ksp, &runs->iterations));
  PetscCall(KSPGetConvergedReason(ksp, &runs->reason));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatMult(A, x, r));
  PetscCall(VecAXPY(r, -1, b));
  PetscCall(VecNorm(r, NORM_2, &runs->residual));
  PetscCall(VecNorm(b, NORM_2, &norm));
  runs->residual /= norm;
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode median_ms(PetscInt count, PetscReal* times, double* ms) {
  PetscFunctionBeginUser;
  PetscCall(PetscSortReal(count, times));
  *ms = 500. * (double)(times[(count - 1) / 2] + times[count / 2]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print_row(const char* system, PetscMPIInt processes, const char* type, PetscInt repeats, Runs* runs) {
  double setup, solve, both, processor;
  PetscFunctionBeginUser;
  PetscCall(median_ms(repeats, runs->setup, &setup));
  PetscCall(median_ms(repeats, runs->solve, &solve));
  PetscCall(median_ms(repeats, runs->both, &both));
  PetscCall(median_ms(repeats, runs->processor, &processor));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "| %s | %d | %s | %" PetscInt_FMT "%s | %.1e | %.0f | %.0f | %.0f | %.0f |\n", system,
                        processes, type, runs->iterations, runs->reason > 0 ? "" : " (not converged)",
                        (double)runs->residual, setup, solve, both, processor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char** argv) {
  char systems[512] = "poisson2d n=500;poisson3d n=60;elasticity3d n=20", names[256] = "tessera,gamg,hypre";
  char **problems, **types;
  int num_problems, num_types;
  PetscInt repeats = 5;
  PetscMPIInt processes;
  static Runs runs[max_types];
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
  PetscCheck(repeats >= 1 && repeats <= max_repeats && num_types <= max_types, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
             "-repeats is 1 to %d, and of -types there are at most %d", max_repeats, max_types);
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "| system | processes | -pc_type | iterations | residual | setup ms | solve ms | both ms | processor ms |\n"
                        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"));
  for (int i = 0; i < num_problems; ++i) {
    tessera_problem* problem;
    Mat A;
    Vec b;
    TESSERA(tessera_problem_create(&problem, problems[i], TESSERA_DOUBLE, TESSERA_INT32));
    PetscCall(make_system(problem, &A, &b));
    for (PetscInt repeat = 0; repeat < repeats; ++repeat)
      for (int j = 0; j < num_types; ++j)
        PetscCall(run(types[j], A, b, repeat, &runs[j]));
    for (int j = 0; j < num_types; ++j)
      PetscCall(print_row(problems[i], processes, types[j], repeats, &runs[j]));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&b));
    TESSERA(tessera_problem_destroy(problem));
  }
  PetscCall(PetscStrToArrayDestroy(num_problems, problems));
  PetscCall(PetscStrToArrayDestroy(num_types, types));
  PetscCall(PetscFinalize());
  return 0;
}
