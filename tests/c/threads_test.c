/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Threads with a solver each get the bits that one gets alone; two with one get a status. */
#include <stdatomic.h>
#include <threads.h>

#include "check.h"

enum { rows = 40 * 40, threads = 4, rounds = 3 };

typedef struct Work {
  double x[rows];
  int good;
  char error[200];
} Work;

static int solve(void* argument) {
  Work* const work = argument;
  tessera_problem* problem = NULL;
  tessera_solver* solver = NULL;
  tessera_matrix A;
  const void* b = NULL;
  int64_t n = 0;
  int32_t columns = 0;
  work->good = 1;
  for (int round = 0; round < rounds; ++round) {
    memset(work->x, 0, sizeof work->x);
    const int is_good =
        tessera_problem_create(&problem, "poisson2d n=40", TESSERA_DOUBLE, TESSERA_INT32) == 0 &&
        tessera_problem_matrix(problem, &A) == 0 &&
        tessera_problem_vectors(problem, TESSERA_RIGHT_HAND_SIDE, &b, &n, &columns) == 0 &&
        tessera_create(&solver) == 0 && tessera_set(solver, "preconditioner=amg") == 0 &&
        tessera_setup(solver, &A) == 0 &&
        tessera_solve(solver, TESSERA_DOUBLE, n, 1, b, n, work->x, n) == 0 &&
        tessera_destroy(solver) == 0 && tessera_problem_destroy(problem) == 0;
    work->good = work->good && is_good;
  }
  /* The text of this thread, whatever others are told meanwhile. */
  tessera_set(NULL, "");
  work->good = work->good && strcmp(tessera_last_error(), "tessera_set: solver is null") == 0;
  snprintf(work->error, sizeof work->error, "%s", tessera_last_error());
  return 0;
}

typedef struct Shared {
  tessera_solver* solver;
  atomic_int is_inside;
  atomic_int may_go_on;
  tessera_status of_progress;
} Shared;

static int wait_inside(void* context, int32_t iteration, double relative_residual,
                       double elapsed_ms) {
  (void)relative_residual;
  (void)elapsed_ms;
  Shared* const shared = context;
  if (iteration > 0) return 0;
  shared->of_progress = tessera_report(shared->solver, &(const char*){NULL});
  atomic_store(&shared->is_inside, 1);
  while (!atomic_load(&shared->may_go_on))
    thrd_yield();
  return 0;
}

static int solve_slowly(void* argument) {
  Shared* const shared = argument;
  static double b[rows], x[rows];
  b[0] = 1;
  return tessera_solve(shared->solver, TESSERA_DOUBLE, rows, 1, b, rows, x, rows) ==
         TESSERA_SUCCESS;
}

int main(void) {
  static Work alone, together[threads];
  thrd_t started[threads];
  /* All at once from the first call on: the runtime is started once. */
  for (int t = 0; t < threads; ++t)
    thrd_create(&started[t], solve, &together[t]);
  for (int t = 0; t < threads; ++t)
    thrd_join(started[t], NULL);
  solve(&alone);
  CHECK(alone.good);
  for (int t = 0; t < threads; ++t) {
    CHECK(together[t].good);
    CHECK(memcmp(together[t].x, alone.x, sizeof alone.x) == 0);
  }

  Shared shared = {NULL, 0, 0, TESSERA_SUCCESS};
  tessera_problem* problem = NULL;
  tessera_matrix A;
  CHECK_OK(tessera_problem_create(&problem, "poisson2d n=40", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(problem, &A));
  CHECK_OK(tessera_create(&shared.solver));
  CHECK_OK(tessera_set(shared.solver, "solver.single_kernel=off preconditioner=amg"));
  CHECK_OK(tessera_set_progress(shared.solver, wait_inside, &shared));
  CHECK_OK(tessera_setup(shared.solver, &A));
  thrd_t other;
  thrd_create(&other, solve_slowly, &shared);
  while (!atomic_load(&shared.is_inside))
    thrd_yield();
  CHECK_ERROR(tessera_setup(shared.solver, &A), TESSERA_ERROR_BUSY, "take one for each thread");
  CHECK_STATUS(tessera_destroy(shared.solver), TESSERA_ERROR_BUSY);
  CHECK(shared.of_progress == TESSERA_ERROR_BUSY);
  atomic_store(&shared.may_go_on, 1);
  int converged = 0;
  thrd_join(other, &converged);
  CHECK(converged == 1);
  CHECK_OK(tessera_destroy(shared.solver));
  CHECK_OK(tessera_problem_destroy(problem));
  return failures > 0;
}
