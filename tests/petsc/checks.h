/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What programs check that link the plug-in: each check that fails prints a line and counts.
 */
#pragma once

#include <petscksp.h>
#include <stdio.h>
#include <string.h>

static int failures;
static char said[4096];   /* by the last error on this process */
static PetscMPIInt rank;  /* of this process, where a program asks for it */

static void check_at(int ok, const char* file, int line, const char* what) {
  if (ok) return;
  ++failures;
  printf("%s:%d, process %d: %s; the last error: %s\n", file, line, rank, what, said);
}
#define check(ok, line, what) check_at(ok, __FILE__, line, what)
#define CHECK(condition) check(!!(condition), __LINE__, #condition)

/* Keeps what an error says, and lets the program go on. */
static PetscErrorCode keep_message(MPI_Comm comm, int line, const char* function, const char* file,
                                   PetscErrorCode code, PetscErrorType kind, const char* message, void* context) {
  (void)comm, (void)line, (void)function, (void)file, (void)context;
  if (kind == PETSC_ERROR_INITIAL) snprintf(said, sizeof said, "%s", message);
  return code;
}

/* That the call fails with these words, on every process. */
#define CHECK_ERROR(call, words)                                           \
  do {                                                                     \
    said[0] = 0;                                                           \
    PetscCall(PetscPushErrorHandler(keep_message, NULL));                  \
    const PetscErrorCode found = (call);                                   \
    PetscCall(PetscPopErrorHandler());                                     \
    check(found != PETSC_SUCCESS && strstr(said, words), __LINE__, words); \
  } while (0)

/* Whether PCView prints the words: on the first process, which prints; true on the others. */
static PetscErrorCode view_has(PC pc, const char* words, int* has) {
  PetscViewer viewer;
  FILE* file = tmpfile();
  char line[1024];
  PetscFunctionBeginUser;
  *has = rank > 0;
  PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "no temporary file");
  PetscCall(PetscViewerASCIIOpenWithFILE(PETSC_COMM_WORLD, file, &viewer));
  PetscCall(PCView(pc, viewer));
  PetscCall(PetscViewerDestroy(&viewer));
  rewind(file);
  while (fgets(line, sizeof line, file))
    if (strstr(line, words)) *has = 1;
  fclose(file);
  PetscFunctionReturn(PETSC_SUCCESS);
}
#define CHECK_VIEW(pc, words)               \
  do {                                      \
    int has;                                \
    PetscCall(view_has(pc, words, &has));   \
    check(has, __LINE__, "PCView: " words); \
  } while (0)
