/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Setting up, solving, new values, applying, and what is told of it, for every type. */
#include "check.h"

/* max |b - A x| of column-major b and x. */
static double residual(const tessera_matrix* A, const double* b, const double* x) {
  double worst = 0;
  for (int64_t i = 0; i < A->rows; ++i) {
    double sum = b[i];
    const int32_t* offsets = A->offsets;
    const double* values = A->values;
    for (int32_t e = offsets[i]; e < offsets[i + 1]; ++e)
      sum -= values[e] * x[A->columns[e]];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

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

typedef struct Progress {
  int calls;
  int stop_at;
  double last;
} Progress;

static int on_iteration(void* context, int32_t iteration, double relative_residual,
                        double elapsed_ms) {
  Progress* const progress = context;
  CHECK(iteration == progress->calls && relative_residual >= 0 && elapsed_ms >= 0);
  ++progress->calls;
  progress->last = relative_residual;
  return iteration == progress->stop_at;
}

/* Results, history, report, progress and stopping. */
static void tells(void) {
  tessera_problem* problem = NULL;
  tessera_matrix A;
  CHECK_OK(tessera_problem_create(&problem, "poisson3d n=16", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(problem, &A));
  const void* b = NULL;
  int64_t rows = 0;
  int32_t columns = 0;
  CHECK_OK(tessera_problem_vectors(problem, TESSERA_RIGHT_HAND_SIDE, &b, &rows, &columns));
  CHECK(rows == 4096 && columns == 1);
  double* x = calloc(4096, sizeof(double));
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set_json(solver, "{\"preconditioner\": \"amg\", \"amg\": {\"cycle\": \"w\"}, "
                           "\"solver\": {\"single_kernel\": \"off\"}}"));
  CHECK_OK(tessera_setup(solver, &A));
  const char* json = NULL;
  CHECK_OK(tessera_report(solver, &json));
  CHECK(strstr(json, "\"status\": null") != NULL);
  Progress progress = {0, -1, 1};
  CHECK_OK(tessera_set_progress(solver, on_iteration, &progress));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 4096, 1, b, 0, x, 0));
  CHECK(residual(&A, b, x) < 1e-6);
  int32_t iterations = 0;
  double relative = 1, setup_ms = 0, solve_ms = 0;
  CHECK_OK(tessera_result(solver, &iterations, &relative, &setup_ms, &solve_ms));
  CHECK(iterations > 2 && iterations < 40 && relative <= 1e-8 && setup_ms > 0 && solve_ms > 0);
  CHECK_OK(tessera_result(solver, NULL, NULL, NULL, NULL));
  CHECK(progress.calls == iterations + 1);
  double history[64];
  int64_t count = 0;
  CHECK_OK(tessera_history(solver, NULL, 0, &count));
  CHECK(count == iterations + 1);
  CHECK_OK(tessera_history(solver, history, 64, NULL));
  CHECK(history[0] == 1 && history[count - 1] <= 1e-8 && history[count - 1] == progress.last);
  CHECK_OK(tessera_report(solver, &json));
  CHECK(strstr(json, "\"status\": \"converged\"") != NULL);
  CHECK(strstr(json, "\"cycle\": \"w\"") != NULL);
  CHECK(strstr(json, "\"levels\": [\n") != NULL && strstr(json, "command_line") == NULL);

  progress = (Progress){0, 2, 1};
  memset(x, 0, 4096 * sizeof(double));
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 4096, 1, b, 4096, x, 4096), TESSERA_INTERRUPTED,
              "interrupted after 2 iterations");
  CHECK(progress.calls == 3);
  CHECK_OK(tessera_set_progress(solver, NULL, NULL));
  CHECK_OK(tessera_set(solver, "solver.max_iterations=2"));
  CHECK_OK(tessera_setup(solver, &A));
  memset(x, 0, 4096 * sizeof(double));
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 4096, 1, b, 4096, x, 4096),
              TESSERA_MAX_ITERATIONS, "solver.max_iterations=2");
  CHECK(strstr(tessera_last_error(), "tessera_set_near_nullspace") != NULL);
  CHECK_OK(tessera_destroy(solver));

  /* As a preconditioner: symmetric, and near to the inverse. */
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set(solver, "preconditioner=amg"));
  CHECK_OK(tessera_setup(solver, &A));
  double* z = malloc(2 * 4096 * sizeof(double));
  double* r = malloc(2 * 4096 * sizeof(double));
  for (int i = 0; i < 4096; ++i) {
    r[i] = cos(3.0 * i);
    r[4096 + i] = sin(7.0 * i);
  }
  CHECK_OK(tessera_apply(solver, TESSERA_DOUBLE, 4096, 2, r, 4096, z, 4096));
  double across = 0, back = 0, own = 0;
  for (int i = 0; i < 4096; ++i) {
    across += r[i] * z[4096 + i];
    back += r[4096 + i] * z[i];
    own += r[i] * z[i];
  }
  CHECK(own > 0 && fabs(across - back) < 1e-5 * own);
  CHECK_OK(tessera_set(solver, "preconditioner=none"));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_apply(solver, TESSERA_DOUBLE, 4096, 2, r, 4096, z, 4096));
  CHECK(memcmp(r, z, 2 * 4096 * sizeof(double)) == 0);
  CHECK_OK(tessera_destroy(solver));
  free(r);
  free(z);
  free(x);
  CHECK_OK(tessera_problem_destroy(problem));
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
  const tessera_type values[] = {TESSERA_DOUBLE, TESSERA_FLOAT};
  const tessera_type offsets[] = {TESSERA_INT32, TESSERA_INT64};
  for (int i = 0; i < 4; ++i)
    solves_with(values[i / 2], offsets[i % 2]);
  solves_blocks();
  solves_several();
  tells();
  updates();
  takes_near_nullspaces();
  takes_nullspaces();
  forecasts();
  return failures > 0;
}
