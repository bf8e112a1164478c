/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Whatever is wrong is a status and a sentence, and the solver can be used afterwards. */
#include "check.h"

static void refuses_handles(tessera_solver* solver) {
  const Line line = make_line(10);
  const tessera_matrix A = matrix_of_line(&line);
  double b[10] = {1}, x[10] = {0};
  CHECK_ERROR(tessera_create(NULL), TESSERA_ERROR_ARGUMENT, "tessera_create: solver is null");
  CHECK_ERROR(tessera_setup(NULL, &A), TESSERA_ERROR_ARGUMENT, "tessera_setup: solver is null");
  CHECK_ERROR(tessera_set(NULL, "solver.name=cg"), TESSERA_ERROR_ARGUMENT, "solver is null");
  CHECK_ERROR(tessera_set(solver, NULL), TESSERA_ERROR_ARGUMENT, "words is null");
  CHECK_ERROR(tessera_set_json(solver, NULL), TESSERA_ERROR_ARGUMENT, "json is null");
  CHECK_ERROR(tessera_setup(solver, NULL), TESSERA_ERROR_ARGUMENT, "A is null");
  CHECK_ERROR(tessera_report(solver, NULL), TESSERA_ERROR_ARGUMENT, "json is null");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "call tessera_setup first");
  CHECK_ERROR(tessera_update(solver, NULL), TESSERA_ERROR_ARGUMENT, "call tessera_setup first");
  CHECK_ERROR(tessera_apply(solver, TESSERA_DOUBLE, 10, 1, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "call tessera_setup first");
  const char* json = NULL;
  CHECK_ERROR(tessera_report(solver, &json), TESSERA_ERROR_ARGUMENT, "call tessera_setup first");
  CHECK_OK(tessera_destroy(NULL));
  CHECK_OK(tessera_problem_destroy(NULL));
  tessera_solver* gone = NULL;
  CHECK_OK(tessera_create(&gone));
  CHECK_OK(tessera_destroy(gone));
  CHECK_ERROR(tessera_destroy(gone), TESSERA_ERROR_ARGUMENT, "destroyed before");
  CHECK_ERROR(tessera_setup(gone, &A), TESSERA_ERROR_ARGUMENT, "destroyed before");
  Line mine = line;
  free_line(&mine);
}

static void refuses_matrices(tessera_solver* solver) {
  Line line = make_line(10);
  const tessera_matrix good = matrix_of_line(&line);
#define REFUSES(change, status, words)                     \
  do {                                                     \
    tessera_matrix A = good;                               \
    change;                                                \
    CHECK_ERROR(tessera_setup(solver, &A), status, words); \
  } while (0)
  REFUSES(A.rows = -1, TESSERA_ERROR_ARGUMENT, "A->rows is -1; expected 0 to 2147483647");
  REFUSES(A.rows = INT64_C(2147483648), TESSERA_ERROR_ARGUMENT, "A->rows is 2147483648");
  REFUSES(A.entries = -5, TESSERA_ERROR_ARGUMENT, "A->entries is -5");
  REFUSES(A.entries = INT64_C(2147483648), TESSERA_ERROR_ARGUMENT, "offsets of TESSERA_INT64");
  REFUSES(A.entries = 27, TESSERA_ERROR_INPUT, "28");
  REFUSES(A.offsets = NULL, TESSERA_ERROR_ARGUMENT, "A->offsets is null");
  REFUSES(A.columns = NULL, TESSERA_ERROR_ARGUMENT, "A->columns is null");
  REFUSES(A.values = NULL, TESSERA_ERROR_ARGUMENT, "A->values is null");
  REFUSES(A.value_type = TESSERA_INT32, TESSERA_ERROR_ARGUMENT, "A->value_type is 3");
  REFUSES(A.value_type = (tessera_type)0, TESSERA_ERROR_ARGUMENT, "A->value_type is 0");
  REFUSES(A.offset_type = TESSERA_FLOAT, TESSERA_ERROR_ARGUMENT, "A->offset_type is 1");
  REFUSES(A.block_size = -2, TESSERA_ERROR_ARGUMENT, "A->block_size is -2");
  REFUSES(A.flags = 2, TESSERA_ERROR_ARGUMENT, "A->flags is 2");
  REFUSES(A.reserved[3] = 1, TESSERA_ERROR_ARGUMENT, "reserved");
#undef REFUSES
  /* What the arrays hold. */
  int32_t* const offsets = line.offsets;
  const int32_t first = offsets[0], second = offsets[1], last = offsets[10];
  offsets[0] = 1;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "offsets(0) is 1");
  offsets[0] = first;
  offsets[1] = 9;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "offsets(2) is 5");
  offsets[1] = -4;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "offsets(1) is -4");
  offsets[1] = second;
  offsets[10] = 1000000;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "1000000");
  offsets[10] = last;
  line.columns[3] = 10;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "10");
  line.columns[3] = -1;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "-1");
  line.columns[3] = 0; /* twice in row 1 now */
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "row 1");
  line.columns[3] = 1;
  line.values[4] = NAN;
  CHECK_ERROR(tessera_setup(solver, &good), TESSERA_ERROR_INPUT, "NaN");
  line.values[4] = -1;
  /* Unsorted columns are allowed. */
  const int32_t column = line.columns[0];
  const double value = line.values[0];
  line.columns[0] = line.columns[1];
  line.values[0] = line.values[1];
  line.columns[1] = column;
  line.values[1] = value;
  CHECK_OK(tessera_setup(solver, &good));
  free_line(&line);
}

static void refuses_vectors(tessera_solver* solver) {
  Line line = make_line(10);
  const tessera_matrix A = matrix_of_line(&line);
  double b[20] = {1}, x[20] = {0};
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_ERROR(tessera_result(solver, NULL, NULL, NULL, NULL), TESSERA_ERROR_ARGUMENT,
              "tessera_solve first");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 9, 1, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "rows is 9; expected 10, as the matrix has");
  CHECK_ERROR(tessera_solve(solver, TESSERA_FLOAT, 10, 1, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "type is TESSERA_FLOAT; expected TESSERA_DOUBLE");
  CHECK_ERROR(tessera_solve(solver, (tessera_type)7, 10, 1, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "type is 7");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 0, b, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "0 columns");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 2, b, 9, x, 10), TESSERA_ERROR_ARGUMENT,
              "b_leading is 9");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 2, b, 10, x, -10), TESSERA_ERROR_ARGUMENT,
              "x_leading is -10");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, NULL, 10, x, 10), TESSERA_ERROR_ARGUMENT,
              "b is null");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, b, 10, NULL, 10), TESSERA_ERROR_ARGUMENT,
              "x is null");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, b, 10, b, 10), TESSERA_ERROR_ARGUMENT,
              "overlap");
  b[3] = NAN;
  CHECK_STATUS(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, b, 10, x, 10), TESSERA_NOT_A_NUMBER);
  CHECK(strstr(tessera_last_error(), "not_a_number") != NULL);
  b[3] = 0;
  memset(x, 0, sizeof x);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 10, 1, b, 10, x, 10));
  CHECK(strcmp(tessera_last_error(), "") == 0);
  CHECK_ERROR(tessera_history(solver, NULL, 5, NULL), TESSERA_ERROR_ARGUMENT, "residuals is null");
  CHECK_ERROR(tessera_history(solver, x, -1, NULL), TESSERA_ERROR_ARGUMENT, "capacity is -1");
  free_line(&line);
}

static void refuses_settings(tessera_solver* solver) {
  Line line = make_line(10);
  const tessera_matrix A = matrix_of_line(&line);
  double modes[20];
  for (int i = 0; i < 20; ++i)
    modes[i] = 1;
  CHECK_ERROR(tessera_set(solver, "solver.tolerance"), TESSERA_ERROR_CONFIGURATION,
              "expected key=value");
  CHECK_ERROR(tessera_set(solver, "solver.max_iterations=7 solver.tolerence=1e-3"),
              TESSERA_ERROR_CONFIGURATION, "did you mean 'solver.tolerance'");
  CHECK_ERROR(tessera_set(solver, "solver.tolerance=-1"), TESSERA_ERROR_CONFIGURATION,
              "solver.tolerance");
  CHECK_ERROR(tessera_set(solver, "amg.cycle=z"), TESSERA_ERROR_CONFIGURATION, "amg.cycle");
  CHECK_ERROR(tessera_set_json(solver, "{\"solver\": "), TESSERA_ERROR_CONFIGURATION, "json");
  CHECK_ERROR(tessera_set_json(solver, "{\"solver.name\": 3}"), TESSERA_ERROR_CONFIGURATION,
              "solver.name");
  CHECK_OK(tessera_set(solver, ""));
  CHECK_OK(tessera_set(solver, " \n\tsolver.tolerance=1e-9  solver.max_iterations=50 "));
  CHECK_OK(tessera_setup(solver, &A));
  const char* json = NULL;
  CHECK_OK(tessera_report(solver, &json));
  CHECK(strstr(json, "\"max_iterations\": 50") != NULL); /* not 7: all are set, or none */
  CHECK_ERROR(tessera_set_device(solver, "toaster"), TESSERA_ERROR_CONFIGURATION, "device toaster");
  CHECK_OK(tessera_set_device(solver, "host"));
  CHECK_OK(tessera_set_device(solver, "auto"));
  CHECK_ERROR(tessera_set_memory(solver, (tessera_memory)9), TESSERA_ERROR_ARGUMENT, "memory is 9");
  CHECK_ERROR(tessera_set_block_size(solver, -1), TESSERA_ERROR_ARGUMENT, "block_size is -1");
  CHECK_ERROR(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 10, -1, modes, 10),
              TESSERA_ERROR_ARGUMENT, "-1 columns");
  CHECK_ERROR(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 10, 2, modes, 9),
              TESSERA_ERROR_ARGUMENT, "leading_dimension is 9");
  CHECK_ERROR(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 10, 2, NULL, 10),
              TESSERA_ERROR_ARGUMENT, "vectors is null");
  CHECK_ERROR(tessera_set_coordinates(solver, TESSERA_DOUBLE, 5, 4, modes, 5),
              TESSERA_ERROR_ARGUMENT, "dimension is 4");
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 9, 1, modes, 9));
  CHECK_STATUS(tessera_setup(solver, &A), TESSERA_ERROR_ARGUMENT);
  modes[4] = NAN;
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 10, 1, modes, 10));
  CHECK_STATUS(tessera_setup(solver, &A), TESSERA_ERROR_INPUT);
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 0, 0, NULL, 0));
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_ERROR(tessera_initialize(-1), TESSERA_ERROR_ARGUMENT, "threads is -1");
  CHECK_OK(tessera_initialize(0));
  free_line(&line);
}

static void refuses_problems(void) {
  tessera_problem* problem = NULL;
  CHECK_ERROR(tessera_problem_create(NULL, "poisson2d", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_ARGUMENT, "problem is null");
  CHECK_ERROR(tessera_problem_create(&problem, NULL, TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_ARGUMENT, "words is null");
  CHECK_ERROR(tessera_problem_create(&problem, " ", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_ARGUMENT, "words is empty");
  CHECK_ERROR(tessera_problem_create(&problem, "poison2d", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_CONFIGURATION, "poison2d");
  CHECK_ERROR(tessera_problem_create(&problem, "poisson2d n=0", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_CONFIGURATION, "n");
  CHECK_ERROR(tessera_problem_create(&problem, "poisson2d n", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_CONFIGURATION, "expected key=value");
  CHECK_ERROR(tessera_problem_create(&problem, "poisson2d order=3", TESSERA_DOUBLE, TESSERA_INT32),
              TESSERA_ERROR_CONFIGURATION, "has no such option; its own: n");
  CHECK_ERROR(tessera_problem_create(&problem, "poisson2d", TESSERA_INT32, TESSERA_INT32),
              TESSERA_ERROR_ARGUMENT, "value_type");
  CHECK_ERROR(tessera_problem_create(&problem, "poisson2d", TESSERA_DOUBLE, TESSERA_DOUBLE),
              TESSERA_ERROR_ARGUMENT, "offset_type");
  CHECK(problem == NULL);
  CHECK_ERROR(tessera_problem_matrix(NULL, NULL), TESSERA_ERROR_ARGUMENT, "problem is null");
}

/* No rows, one row, no entries, a singular matrix. */
static void takes_the_smallest(tessera_solver* solver) {
  tessera_matrix A = {0};
  A.offset_type = TESSERA_INT32;
  A.value_type = TESSERA_DOUBLE;
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 0, 1, NULL, 0, NULL, 0));
  CHECK_OK(tessera_apply(solver, TESSERA_DOUBLE, 0, 1, NULL, 0, NULL, 0));
  A.entries = 1;
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_ARGUMENT, "no rows");
  const int32_t offsets[] = {0, 1};
  const int32_t columns[] = {0};
  const double values[] = {4};
  A.rows = 1;
  A.offsets = offsets;
  A.columns = columns;
  A.values = values;
  double b = 2, x = 0;
  CHECK_OK(tessera_setup(solver, &A));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 1, 1, &b, 1, &x, 1));
  CHECK(x == 0.5);
  const int32_t none[] = {0, 0};
  A.entries = 0;
  A.offsets = none;
  A.columns = NULL;
  A.values = NULL;
  CHECK_OK(tessera_setup(solver, &A));
  const tessera_status status = tessera_solve(solver, TESSERA_DOUBLE, 1, 1, &b, 1, &x, 1);
  CHECK(status > TESSERA_SUCCESS); /* 0 x = 2 has no solution */
}

int main(void) {
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  refuses_handles(solver);
  refuses_matrices(solver);
  refuses_vectors(solver);
  refuses_settings(solver);
  refuses_problems();
  CHECK_OK(tessera_destroy(solver));
  CHECK_OK(tessera_create(&solver));
  takes_the_smallest(solver);
  CHECK_OK(tessera_destroy(solver));
  return failures > 0;
}
