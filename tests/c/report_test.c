/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* What a solver tells: results, history, report and progress; and its preconditioner, applied. */
#include "check.h"

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
  free(x);
  CHECK_OK(tessera_problem_destroy(problem));
}

/* As a preconditioner: symmetric, and near to the inverse. */
static void applies(void) {
  tessera_problem* problem = NULL;
  tessera_matrix A;
  CHECK_OK(tessera_problem_create(&problem, "poisson3d n=16", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(problem, &A));
  tessera_solver* solver = NULL;
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
  CHECK_OK(tessera_problem_destroy(problem));
}

int main(void) {
  tells();
  applies();
  return failures > 0;
}
