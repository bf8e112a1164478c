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

/* Their arguments: another type here does not compile. */
const char* (*const abi_version)(void) = tessera_version;
const char* (*const abi_build)(void) = tessera_build;
const char* (*const abi_status_name)(tessera_status) = tessera_status_name;
const char* (*const abi_last_error)(void) = tessera_last_error;
tessera_status (*const abi_initialize)(int32_t) = tessera_initialize;
tessera_status (*const abi_parameter_schema)(const char**) = tessera_parameter_schema;
tessera_status (*const abi_create)(tessera_solver**) = tessera_create;
tessera_status (*const abi_destroy)(tessera_solver*) = tessera_destroy;
tessera_status (*const abi_set)(tessera_solver*, const char*) = tessera_set;
tessera_status (*const abi_set_json)(tessera_solver*, const char*) = tessera_set_json;
tessera_status (*const abi_set_device)(tessera_solver*, const char*) = tessera_set_device;
tessera_status (*const abi_set_stream)(tessera_solver*, void*) = tessera_set_stream;
tessera_status (*const abi_set_memory)(tessera_solver*, tessera_memory) = tessera_set_memory;
tessera_status (*const abi_set_block_size)(tessera_solver*, int32_t) = tessera_set_block_size;
tessera_status (*const abi_set_near_nullspace)(tessera_solver*, tessera_type, int64_t, int32_t,
                                               const void*, int64_t) = tessera_set_near_nullspace;
tessera_status (*const abi_set_nullspace)(tessera_solver*, tessera_type, int64_t, int32_t,
                                          const void*, int64_t) = tessera_set_nullspace;
tessera_status (*const abi_set_left_nullspace)(tessera_solver*, tessera_type, int64_t, int32_t,
                                               const void*, int64_t) = tessera_set_left_nullspace;
tessera_status (*const abi_set_coordinates)(tessera_solver*, tessera_type, int64_t, int32_t,
                                            const void*, int64_t) = tessera_set_coordinates;
tessera_status (*const abi_set_progress)(tessera_solver*, tessera_progress,
                                         void*) = tessera_set_progress;
tessera_status (*const abi_setup)(tessera_solver*, const tessera_matrix*) = tessera_setup;
tessera_status (*const abi_update)(tessera_solver*, const tessera_matrix*) = tessera_update;
tessera_status (*const abi_forecast)(tessera_solver*, const tessera_matrix*, int64_t*, int64_t*,
                                     int64_t*) = tessera_forecast;
tessera_status (*const abi_solve)(tessera_solver*, tessera_type, int64_t, int32_t, const void*,
                                  int64_t, void*, int64_t) = tessera_solve;
tessera_status (*const abi_apply)(tessera_solver*, tessera_type, int64_t, int32_t, const void*,
                                  int64_t, void*, int64_t) = tessera_apply;
tessera_status (*const abi_result)(tessera_solver*, int32_t*, double*, double*,
                                   double*) = tessera_result;
tessera_status (*const abi_column_result)(tessera_solver*, int32_t, tessera_status*, int32_t*,
                                          double*) = tessera_column_result;
tessera_status (*const abi_history)(tessera_solver*, double*, int64_t, int64_t*) = tessera_history;
tessera_status (*const abi_report)(tessera_solver*, const char**) = tessera_report;
tessera_status (*const abi_problem_create)(tessera_problem**, const char*, tessera_type,
                                           tessera_type) = tessera_problem_create;
tessera_status (*const abi_problem_destroy)(tessera_problem*) = tessera_problem_destroy;
tessera_status (*const abi_problem_matrix)(tessera_problem*,
                                           tessera_matrix*) = tessera_problem_matrix;
tessera_status (*const abi_problem_vectors)(tessera_problem*, tessera_part, const void**, int64_t*,
                                            int32_t*) = tessera_problem_vectors;
tessera_status (*const abi_problem_about)(tessera_problem*, int32_t*,
                                          const char**) = tessera_problem_about;

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
