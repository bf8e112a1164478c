/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Setting up and solving for every type, blocks and several columns, and new values. */
#include "check.h"

/* Every pair of types, from the gallery: x = 1 for b = A 1. */
static void solves_with(tessera_type values, tessera_type offsets) {
  tessera_problem* problem = NULL;
  CHECK_OK(tessera_problem_create(&problem, "poisson2d n=30", values, offsets));
  tessera_matrix A;
  CHECK_OK(tessera_problem_matrix(problem, &A));
  CHECK(A.rows == 900 && A.entries == 4380);
  CHECK(A.value_type == values && A.offset_type == offsets);
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set(
      solver, values == TESSERA_DOUBLE ? "solver.tolerance=1e-10" : "solver.tolerance=1e-5"));
  CHECK_OK(tessera_setup(solver, &A));
  double b[900], x[900] = {0};
  float b_float[900], x_float[900] = {0};
  for (int64_t i = 0; i < 900; ++i) {
    b[i] = 0;
    const int64_t first =
        offsets == TESSERA_INT32 ? ((const int32_t*)A.offsets)[i] : ((const int64_t*)A.offsets)[i];
    const int64_t end = offsets == TESSERA_INT32 ? ((const int32_t*)A.offsets)[i + 1]
                                                 : ((const int64_t*)A.offsets)[i + 1];
    for (int64_t e = first; e < end; ++e)
      b[i] += values == TESSERA_DOUBLE ? ((const double*)A.values)[e] : ((const float*)A.values)[e];
    b_float[i] = (float)b[i];
  }
  if (values == TESSERA_DOUBLE)
    CHECK_OK(tessera_solve(solver, values, 900, 1, b, 900, x, 900));
  else
    CHECK_OK(tessera_solve(solver, values, 900, 1, b_float, 900, x_float, 900));
  double worst = 0;
  for (int i = 0; i < 900; ++i)
    worst = fmax(worst, fabs((values == TESSERA_DOUBLE ? x[i] : (double)x_float[i]) - 1));
  CHECK(worst < (values == TESSERA_DOUBLE ? 1e-7 : 1e-2));
  CHECK_OK(tessera_destroy(solver));
  CHECK_OK(tessera_problem_destroy(problem));
}

/* Blocks of 2 by 2, [3 1; 0 3] on the diagonal and -1 I beside it, as BSR and entry by entry. */
static void solves_blocks(void) {
  enum { nodes = 50 };
  int64_t offsets[nodes + 1] = {0};
  int32_t columns[3 * nodes];
  double values[12 * nodes] = {0};
  int64_t block = 0;
  for (int i = 0; i < nodes; ++i) {
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= nodes) continue;
      double* const entries = values + 4 * block;
      entries[0] = entries[3] = i == j ? 3 : -1;
      entries[1] = i == j ? 1 : 0;
      columns[block++] = j;
    }
    offsets[i + 1] = block;
  }
  double b[2 * nodes], x[2 * nodes] = {0};
  for (int i = 0; i < nodes; ++i) {
    const double diagonal = 3 - (i > 0) - (i + 1 < nodes);
    b[2 * i] = diagonal + 1; /* x = 1: the block's first row is the upper one */
    b[2 * i + 1] = diagonal;
  }
  tessera_matrix A = {0};
  A.rows = nodes;
  A.entries = block;
  A.offsets = offsets;
  A.columns = columns;
  A.values = values;
  A.offset_type = TESSERA_INT64;
  A.value_type = TESSERA_DOUBLE;
  A.block_size = 2;
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2 * nodes, 1, b, 2 * nodes, x, 2 * nodes));
  for (int i = 0; i < 2 * nodes; ++i)
    CHECK(fabs(x[i] - 1) < 1e-6);
  for (int64_t e = 0; e < 4 * block; ++e)
    values[e] *= 2;
  CHECK_OK(tessera_update(solver, NULL));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2 * nodes, 1, b, 2 * nodes, x, 2 * nodes));
  for (int i = 0; i < 2 * nodes; ++i)
    CHECK(fabs(x[i] - 0.5) < 1e-6);
  A.rows = 1073741824; /* rows of blocks, and twice as many are more than can be numbered */
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_ARGUMENT, "A->rows is 1073741824");
  A.rows = nodes;
  columns[1] = nodes;
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_INPUT, "in blocks");
  columns[1] = 1;
  values[4 * block - 1] = NAN; /* beyond what the pattern's check reads */
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_INPUT, "NaN");
  CHECK_OK(tessera_destroy(solver));
}

/* Columns that are further apart than they are long: what is between them stays. */
static void solves_several(void) {
  Line line = make_line(100);
  const tessera_matrix A = matrix_of_line(&line);
  enum { b_leading = 103, x_leading = 110 };
  double b[3 * b_leading], x[3 * x_leading];
  for (int i = 0; i < 3 * b_leading; ++i)
    b[i] = NAN;
  for (int i = 0; i < 3 * x_leading; ++i)
    x[i] = 7;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 100; ++i) {
      b[j * b_leading + i] = sin(i * (j + 1.0));
      x[j * x_leading + i] = 0;
    }
  }
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 100, 3, b, b_leading, x, x_leading));
  for (int j = 0; j < 3; ++j) {
    CHECK(residual(&A, b + j * b_leading, x + j * x_leading) < 1e-6);
    for (int i = 100; i < x_leading; ++i)
      CHECK(x[j * x_leading + i] == 7);
    tessera_status status = TESSERA_BREAKDOWN;
    int32_t iterations = -1;
    double relative = 1;
    CHECK_OK(tessera_column_result(solver, j, &status, &iterations, &relative));
    CHECK(status == TESSERA_SUCCESS && iterations >= 0 && relative < 1e-7);
  }
  CHECK_ERROR(tessera_column_result(solver, 3, NULL, NULL, NULL), TESSERA_ERROR_ARGUMENT, "had 3");
  CHECK_OK(tessera_destroy(solver));
  free_line(&line);
}

/* New values where the arrays are, in others, and an error that leaves the solver usable. */
static void updates(void) {
  Line line = make_line(2000);
  const tessera_matrix A = matrix_of_line(&line);
  double* b = malloc(2000 * sizeof(double));
  double* x = calloc(2000, sizeof(double));
  for (int i = 0; i < 2000; ++i)
    b[i] = 1 + i % 3;
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2000, 1, b, 2000, x, 2000));
  for (int64_t e = 0; e < A.entries; ++e)
    line.values[e] *= 4;
  CHECK_OK(tessera_update(solver, NULL));
  CHECK_ERROR(tessera_result(solver, NULL, NULL, NULL, NULL), TESSERA_ERROR_ARGUMENT, "no solve");
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2000, 1, b, 2000, x, 2000));
  CHECK(residual(&A, b, x) < 1e-5);
  Line other = make_line(2000);
  tessera_matrix B = matrix_of_line(&other);
  other.values[0] = 3;
  CHECK_OK(tessera_update(solver, &B));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2000, 1, b, 2000, x, 2000));
  CHECK(residual(&B, b, x) < 1e-5);
  other.columns[0] = 5;
  CHECK_ERROR(tessera_update(solver, &B), TESSERA_ERROR_ARGUMENT, "the pattern of A changed");
  other.columns[0] = 0;
  other.values[7] = INFINITY;
  CHECK_ERROR(tessera_update(solver, &B), TESSERA_ERROR_INPUT, "inf");
  other.values[7] = -1;
  B.entries -= 1;
  CHECK_ERROR(tessera_update(solver, &B), TESSERA_ERROR_ARGUMENT, "A->entries is 5997");
  B.entries += 1;
  CHECK_OK(tessera_update(solver, &B));
  memset(x, 0, 2000 * sizeof(double));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 2000, 1, b, 2000, x, 2000));
  CHECK(residual(&B, b, x) < 1e-5);
  CHECK_OK(tessera_destroy(solver));
  free_line(&line);
  free_line(&other);
  free(b);
  free(x);
}

int main(void) {
  const tessera_type values[] = {TESSERA_DOUBLE, TESSERA_FLOAT};
  const tessera_type offsets[] = {TESSERA_INT32, TESSERA_INT64};
  for (int i = 0; i < 4; ++i)
    solves_with(values[i / 2], offsets[i % 2]);
  solves_blocks();
  solves_several();
  updates();
  return failures > 0;
}
