/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Checks of the C interface's tests: each that fails prints a line, and the program ends with 1. */
#ifndef TESSERA_TESTS_CHECK_H
#define TESSERA_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

static int failures;

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ++failures;                                                                    \
      printf("%s:%d: %s is false; last error: %s\n", __FILE__, __LINE__, #condition, \
             tessera_last_error());                                                  \
    }                                                                                \
  } while (0)

/* The call's status, and words that its message has. */
#define CHECK_STATUS(call, expected)                                                           \
  do {                                                                                         \
    const tessera_status found = (call);                                                       \
    if (found != (expected)) {                                                                 \
      ++failures;                                                                              \
      printf("%s:%d: %s: %s, expected %s; last error: %s\n", __FILE__, __LINE__, #call,        \
             tessera_status_name(found), tessera_status_name(expected), tessera_last_error()); \
    }                                                                                          \
  } while (0)
#define CHECK_OK(call) CHECK_STATUS(call, TESSERA_SUCCESS)
#define CHECK_ERROR(call, expected, words)                                          \
  do {                                                                              \
    CHECK_STATUS(call, expected);                                                   \
    if (strstr(tessera_last_error(), words) == NULL) {                              \
      ++failures;                                                                   \
      printf("%s:%d: %s: the message '%s' lacks '%s'\n", __FILE__, __LINE__, #call, \
             tessera_last_error(), words);                                          \
    }                                                                               \
  } while (0)

/* -u'' on n points: 2 on the diagonal, -1 beside it, in arrays that free_line frees. */
typedef struct Line {
  int32_t n;
  int32_t* offsets;
  int32_t* columns;
  double* values;
} Line;

static inline Line make_line(int32_t n) {
  const size_t count = (size_t)n;
  Line line = {n, (int32_t*)malloc(sizeof(int32_t) * (count + 1)),
               (int32_t*)malloc(sizeof(int32_t) * 3 * count),
               (double*)malloc(sizeof(double) * 3 * count)};
  int32_t entry = 0;
  line.offsets[0] = 0;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= n) continue;
      line.columns[entry] = j;
      line.values[entry++] = i == j ? 2.0 : -1.0;
    }
    line.offsets[i + 1] = entry;
  }
  return line;
}

static inline tessera_matrix matrix_of_line(const Line* line) {
  tessera_matrix A;
  memset(&A, 0, sizeof A);
  A.rows = line->n;
  A.entries = line->offsets[line->n];
  A.offsets = line->offsets;
  A.columns = line->columns;
  A.values = line->values;
  A.offset_type = TESSERA_INT32;
  A.value_type = TESSERA_DOUBLE;
  return A;
}

/* max |b - A x| of column-major b and x. */
static inline double residual(const tessera_matrix* A, const double* b, const double* x) {
  double worst = 0;
  for (int64_t i = 0; i < A->rows; ++i) {
    double sum = b[i];
    const int32_t* offsets = (const int32_t*)A->offsets;
    const double* values = (const double*)A->values;
    for (int32_t e = offsets[i]; e < offsets[i + 1]; ++e)
      sum -= values[e] * x[A->columns[e]];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static inline void free_line(Line* line) {
  free(line->offsets);
  free(line->columns);
  free(line->values);
}

#endif
