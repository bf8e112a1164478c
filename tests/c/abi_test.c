/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Sizes, places and numbers that programs which were compiled before rely on. */
#include "check.h"

_Static_assert(sizeof(tessera_status) == 4, "an enumeration is an int");
_Static_assert(sizeof(tessera_type) == 4 && sizeof(tessera_memory) == 4 &&
                   sizeof(tessera_part) == 4,
               "an enumeration is an int");
_Static_assert(sizeof(void*) != 8 || sizeof(tessera_matrix) == 88, "the size of tessera_matrix");
_Static_assert(offsetof(tessera_matrix, rows) == 0 && offsetof(tessera_matrix, entries) == 8 &&
                   offsetof(tessera_matrix, offsets) == 16,
               "its first members");
_Static_assert(sizeof(void*) != 8 || (offsetof(tessera_matrix, columns) == 24 &&
                                      offsetof(tessera_matrix, values) == 32 &&
                                      offsetof(tessera_matrix, offset_type) == 40 &&
                                      offsetof(tessera_matrix, value_type) == 44 &&
                                      offsetof(tessera_matrix, block_size) == 48 &&
                                      offsetof(tessera_matrix, flags) == 52 &&
                                      offsetof(tessera_matrix, reserved) == 56),
               "its other members");
_Static_assert(TESSERA_SUCCESS == 0 && TESSERA_LEAST_SQUARES == 1 && TESSERA_MAX_ITERATIONS == 2 &&
                   TESSERA_TIME_LIMIT == 3 && TESSERA_STAGNATED == 4 && TESSERA_DIVERGED == 5 &&
                   TESSERA_NOT_A_NUMBER == 6 && TESSERA_BREAKDOWN == 7 && TESSERA_INTERRUPTED == 8,
               "the statuses of a solve");
_Static_assert(TESSERA_ERROR_ARGUMENT == -1 && TESSERA_ERROR_INPUT == -2 &&
                   TESSERA_ERROR_CONFIGURATION == -3 && TESSERA_ERROR_MEMORY == -4 &&
                   TESSERA_ERROR_DEVICE == -5 && TESSERA_ERROR_BUSY == -6 &&
                   TESSERA_ERROR_RUNTIME == -7 && TESSERA_ERROR_INTERNAL == -8,
               "the errors");
_Static_assert(TESSERA_FLOAT == 1 && TESSERA_DOUBLE == 2 && TESSERA_INT32 == 3 &&
                   TESSERA_INT64 == 4 && TESSERA_MEMORY_AUTO == 0 && TESSERA_MEMORY_HOST == 1 &&
                   TESSERA_MEMORY_DEVICE == 2 && TESSERA_TRUSTED == 1 &&
                   TESSERA_RIGHT_HAND_SIDE == 0 && TESSERA_NEAR_NULLSPACE == 1 &&
                   TESSERA_COORDINATES == 2,
               "the other numbers");

int main(void) {
  CHECK(strcmp(tessera_version(), TESSERA_VERSION) == 0);
  CHECK(strncmp(tessera_build(), "tessera " TESSERA_VERSION, 8 + strlen(TESSERA_VERSION)) == 0);
  CHECK(strcmp(tessera_last_error(), "") == 0);
  for (int status = TESSERA_ERROR_INTERNAL; status <= TESSERA_INTERRUPTED; ++status)
    CHECK(strcmp(tessera_status_name((tessera_status)status), "unknown") != 0);
  CHECK(strcmp(tessera_status_name(TESSERA_SUCCESS), "success") == 0);
  CHECK(strcmp(tessera_status_name((tessera_status)9), "unknown") == 0);
  const char* schema = NULL;
  CHECK_OK(tessera_parameter_schema(&schema));
  CHECK(strstr(schema, "\"tolerance\"") != NULL);
  return failures > 0;
}
