/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* The end of a program: handles that nobody destroys, and such that are destroyed after the library
 * has finalised what it runs on; a child of fork. */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static tessera_solver* kept;
static tessera_problem* kept_problem;

/* Registered before the library's own, so that it runs after it. */
static void destroy_late(void) {
  const char* json = NULL;
  CHECK_STATUS(tessera_report(kept, &json), TESSERA_ERROR_RUNTIME);
  CHECK_STATUS(tessera_problem_matrix(kept_problem, &(tessera_matrix){0}), TESSERA_ERROR_ARGUMENT);
  CHECK_OK(tessera_destroy(kept));
  CHECK_OK(tessera_problem_destroy(kept_problem));
  fflush(stdout);
  if (failures > 0) _exit(1);
}

int main(void) {
  atexit(destroy_late);
  Line line = make_line(3000);
  const tessera_matrix A = matrix_of_line(&line);
  tessera_solver* forgotten = NULL;
  CHECK_OK(tessera_create(&kept));
  CHECK_OK(tessera_create(&forgotten));
  CHECK_OK(tessera_setup(kept, &A));
  CHECK_OK(tessera_setup(forgotten, &A));
  CHECK_OK(tessera_problem_create(&kept_problem, "poisson2d n=5", TESSERA_FLOAT, TESSERA_INT64));
  const pid_t child = fork();
  if (child == 0) {
    failures = 0;
    CHECK_ERROR(tessera_setup(kept, &A), TESSERA_ERROR_RUNTIME, "forked");
    fflush(stdout);
    _exit(failures > 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  free_line(&line);
  return failures > 0;
}
