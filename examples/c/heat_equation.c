/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A heated plate in C: implicit Euler on the program's own arrays, new values whenever the time
 * step changes, and what the solver says of itself. */
// expect: step 1, dt 0.001: [0-9]+ iterations
// expect: step 12, dt 0.008: [0-9]+ iterations
// expect: 12 steps converged, 3 times new values
// expect: the hottest point has 0\.[0-9]+
// expect: tessera_setup: column: row 0, entry 0: column 40000 is not in a matrix of 40000 columns
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//! [include]
#include <tessera.h>
//! [include]

enum { width = 200, rows = width * width };

/* u / dt - laplace(u) at the points of a grid, 5 entries per row; the edges are held at 0. */
static int32_t fill(double dt, int32_t* offsets, int32_t* columns, double* values) {
  const double h = 1.0 / (width + 1);
  int32_t entry = 0;
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t steps[] = {-width, -1, 0, 1, width};
    const int exists[] = {i >= width, i % width > 0, 1, i % width + 1 < width, i + width < rows};
    offsets[i] = entry;
    for (int k = 0; k < 5; ++k) {
      if (!exists[k]) continue;
      columns[entry] = i + steps[k];
      values[entry++] = k == 2 ? 1 / dt + 4 / (h * h) : -1 / (h * h);
    }
  }
  offsets[rows] = entry;
  return entry;
}

//! [check]
static void check(tessera_status status) {
  if (status == TESSERA_SUCCESS) return;
  fprintf(stderr, "%s\n", tessera_last_error());
  exit(1);
}
//! [check]

//! [progress]
/* Anything but 0 stops the solve: here after a minute. */
static int on_iteration(void* context, int32_t iteration, double residual, double elapsed_ms) {
  double* const last = context;
  *last = residual;
  (void)iteration;
  return elapsed_ms > 60e3;
}
//! [progress]

int main(void) {
  int32_t* offsets = malloc(sizeof(int32_t) * (rows + 1));
  int32_t* columns = malloc(sizeof(int32_t) * 5 * rows);
  double* values = malloc(sizeof(double) * 5 * rows);
  double* u = calloc(rows, sizeof(double));
  double* b = malloc(sizeof(double) * rows);
  double dt = 0.001;

  //! [matrix]
  tessera_matrix A = {0};
  A.rows = rows;
  A.entries = fill(dt, offsets, columns, values);
  A.offsets = offsets;
  A.columns = columns;
  A.values = values;
  A.offset_type = TESSERA_INT32;
  A.value_type = TESSERA_DOUBLE;
  //! [matrix]

  //! [setup]
  tessera_solver* solver = NULL;
  check(tessera_create(&solver));
  check(tessera_set(solver, "preconditioner=amg solver.tolerance=1e-10 amg.reuse=symbolic"));
  check(tessera_setup(solver, &A));
  //! [setup]

  double residual = 0;
  check(tessera_set_progress(solver, on_iteration, &residual));

  //! [time loop]
  int updates = 0;
  for (int step = 1; step <= 12; ++step) {
    if (step % 4 == 0) {
      dt *= 2;
      fill(dt, offsets, columns, values);
      check(tessera_update(solver, NULL)); /* the values that the arrays hold now */
      ++updates;
    }
    for (int i = 0; i < rows; ++i)
      b[i] = u[i] / dt + 10; /* 10: the heating */
    check(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, b, rows, u, rows));
    int32_t iterations = 0;
    check(tessera_result(solver, &iterations, NULL, NULL, NULL));
    printf("step %d, dt %g: %d iterations\n", step, dt, (int)iterations);
  }
  //! [time loop]
  printf("12 steps converged, %d times new values, the last residual %.1e\n", updates, residual);
  double hottest = 0;
  for (int i = 0; i < rows; ++i)
    hottest = u[i] > hottest ? u[i] : hottest;
  printf("the hottest point has %.4f\n", hottest);

  //! [report]
  const char* json = NULL;
  check(tessera_report(solver, &json));
  FILE* file = fopen("heat_equation.json", "w");
  if (file != NULL) {
    fputs(json, file);
    fclose(file);
  }
  //! [report]

  /* What is wrong is said. */
  columns[0] = rows;
  if (tessera_setup(solver, &A) != TESSERA_SUCCESS) printf("%s\n", tessera_last_error());

  check(tessera_destroy(solver));
  free(offsets);
  free(columns);
  free(values);
  free(u);
  free(b);
  return 0;
}
