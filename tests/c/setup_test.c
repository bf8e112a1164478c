/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* What a setup is told beside the matrix, and what it is expected to take. */
#include "check.h"

static int32_t iterations_of(tessera_solver* solver, const tessera_matrix* A, const void* b) {
  double* x = calloc((size_t)A->rows, sizeof(double));
  int32_t iterations = 1000000;
  CHECK_OK(tessera_setup(solver, A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, A->rows, 1, b, A->rows, x, A->rows));
  CHECK_OK(tessera_result(solver, &iterations, NULL, NULL, NULL));
  free(x);
  return iterations;
}

/* Elasticity: rigid body modes as such and from coordinates, which save iterations. */
static void takes_near_nullspaces(void) {
  tessera_problem* problem = NULL;
  tessera_matrix A;
  CHECK_OK(tessera_problem_create(&problem, "elasticity3d n=10", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(problem, &A));
  const void* b = NULL;
  const void* modes = NULL;
  const void* places = NULL;
  int64_t rows = 0, nodes = 0;
  int32_t columns = 0, count = 0, dimension = 0, block_size = 0;
  const char* about = NULL;
  CHECK_OK(tessera_problem_vectors(problem, TESSERA_RIGHT_HAND_SIDE, &b, &rows, &columns));
  CHECK_OK(tessera_problem_vectors(problem, TESSERA_NEAR_NULLSPACE, &modes, &rows, &count));
  CHECK_OK(tessera_problem_vectors(problem, TESSERA_COORDINATES, &places, &nodes, &dimension));
  CHECK_OK(tessera_problem_about(problem, &block_size, &about));
  CHECK(rows == A.rows && count == 6 && 3 * nodes == rows && dimension == 3 && block_size == 3);
  CHECK(strstr(about, "lasticity") != NULL);
  CHECK_ERROR(tessera_problem_vectors(problem, (tessera_part)3, &modes, &rows, &count),
              TESSERA_ERROR_ARGUMENT, "part is 3");

  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set(solver, "preconditioner=amg amg.smoother.type=chebyshev"));
  const int32_t without = iterations_of(solver, &A, b);
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, rows, count, modes, rows));
  CHECK_OK(tessera_set_block_size(solver, block_size));
  const int32_t with_modes = iterations_of(solver, &A, b);
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 0, 0, NULL, 0));
  CHECK(iterations_of(solver, &A, b) == without);
  CHECK_OK(tessera_set_coordinates(solver, TESSERA_DOUBLE, nodes, dimension, places, nodes));
  const int32_t with_places = iterations_of(solver, &A, b);
  CHECK(with_modes < without && with_places <= with_modes + 1 && with_modes <= with_places + 1);
  CHECK_OK(tessera_set_coordinates(solver, TESSERA_DOUBLE, nodes - 1, dimension, places, nodes));
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_INPUT, "coordinates");
  CHECK_OK(tessera_set_coordinates(solver, TESSERA_DOUBLE, 0, 0, NULL, 0));
  CHECK_OK(tessera_set_block_size(solver, 7));
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_ARGUMENT, "not a multiple");
  CHECK_OK(tessera_destroy(solver));
  CHECK_OK(tessera_problem_destroy(problem));
}

/* A ring of springs that nothing holds, and the constant that it takes to zero. */
static void takes_nullspaces(void) {
  enum { rows = 12 };
  int32_t offsets[rows + 1] = {0}, columns[3 * rows];
  double values[3 * rows], ones[rows], b[rows], x[rows];
  for (int i = 0; i < rows; ++i) {
    const int32_t row[] = {(i + rows - 1) % rows, i, (i + 1) % rows};
    for (int k = 0; k < 3; ++k) {
      columns[3 * i + k] = row[k];
      values[3 * i + k] = k == 1 ? 2 : -1;
    }
    offsets[i + 1] = 3 * (i + 1);
    ones[i] = 4;
    b[i] = i == 3 ? 1 : i == 8 ? -1 : 0;
    x[i] = 100;
  }
  const Line ring = {rows, offsets, columns, values};
  const tessera_matrix A = matrix_of_line(&ring);
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set_nullspace(solver, TESSERA_DOUBLE, rows, 1, ones, rows));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, b, rows, x, rows));
  double sum = 0;
  for (int i = 0; i < rows; ++i) {
    sum += x[i];
    CHECK(fabs(2 * x[i] - x[(i + rows - 1) % rows] - x[(i + 1) % rows] - b[i]) < 1e-7);
  }
  CHECK(fabs(sum) < 1e-10);
  ones[2] = 5;
  CHECK_OK(tessera_set_nullspace(solver, TESSERA_DOUBLE, rows, 1, ones, rows));
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_CONFIGURATION, "the nullspace given");
  CHECK_ERROR(tessera_set_nullspace(solver, TESSERA_DOUBLE, rows, 1, NULL, rows),
              TESSERA_ERROR_ARGUMENT, "vectors");
  CHECK_OK(tessera_set_nullspace(solver, TESSERA_DOUBLE, 0, 0, NULL, 0));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_destroy(solver));
}

/* What a setup takes, beforehand, and a limit to it. */
static void forecasts(void) {
  tessera_problem* problem = NULL;
  tessera_matrix A;
  CHECK_OK(tessera_problem_create(&problem, "poisson3d n=20", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(problem, &A));
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set(solver, "preconditioner=amg"));
  int64_t setup = 0, kept = 0, solve = 0;
  CHECK_OK(tessera_forecast(solver, &A, &setup, &kept, &solve));
  CHECK(setup > 8000 * 16 && kept > 8000 * 8 && kept <= setup && solve > 8000 * 8);
  CHECK_OK(tessera_forecast(solver, &A, NULL, NULL, NULL));
  CHECK_ERROR(tessera_forecast(solver, NULL, &setup, NULL, NULL), TESSERA_ERROR_ARGUMENT, "A is null");
  CHECK_OK(tessera_set(solver, "max_memory_mb=0.01"));
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_MEMORY, "max_memory_mb is 0.01 MiB");
  CHECK_OK(tessera_set(solver, "max_memory_mb=0"));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_destroy(solver));
  CHECK_OK(tessera_problem_destroy(problem));
}

int main(void) {
  takes_near_nullspaces();
  takes_nullspaces();
  forecasts();
  return failures > 0;
}
