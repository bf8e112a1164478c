/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* Arrays in a GPU's memory, in place and behind the caller's stream, by CUDA's runtime. For builds with CUDA alone. */
#include <cuda_runtime_api.h>

#include "check.h"

#define CHECK_CUDA(call) CHECK((call) == cudaSuccess)

enum { rows = 3600 };

/* A problem on the device: the five-point Laplacian of 60 x 60 points, and b = A 1. */
typedef struct System {
  tessera_problem* problem;
  tessera_matrix host, device;
  double b[rows];
  double *b_device, *x_device;
} System;

static void* on_device(const void* from, size_t bytes) {
  void* made = NULL;
  CHECK_CUDA(cudaMalloc(&made, bytes));
  CHECK_CUDA(cudaMemcpy(made, from, bytes, cudaMemcpyHostToDevice));
  return made;
}

static void make_system(System* s) {
  CHECK_OK(tessera_problem_create(&s->problem, "poisson2d n=60", TESSERA_DOUBLE, TESSERA_INT32));
  CHECK_OK(tessera_problem_matrix(s->problem, &s->host));
  CHECK(s->host.rows == rows);
  const int32_t* const offsets = s->host.offsets;
  const double* const values = s->host.values;
  for (int i = 0; i < rows; ++i) {
    s->b[i] = 0;
    for (int32_t e = offsets[i]; e < offsets[i + 1]; ++e)
      s->b[i] += values[e];
  }
  const size_t entries = (size_t)s->host.entries;
  s->device = s->host;
  s->device.offsets = on_device(offsets, sizeof(int32_t) * (rows + 1));
  s->device.columns = on_device(s->host.columns, sizeof(int32_t) * entries);
  s->device.values = on_device(values, sizeof(double) * entries);
  s->b_device = on_device(s->b, sizeof s->b);
  s->x_device = on_device(s->b, sizeof s->b);
}

static void free_system(System* s) {
  CHECK_CUDA(cudaFree((void*)s->device.offsets));
  CHECK_CUDA(cudaFree((void*)s->device.columns));
  CHECK_CUDA(cudaFree((void*)s->device.values));
  CHECK_CUDA(cudaFree(s->b_device));
  CHECK_CUDA(cudaFree(s->x_device));
  CHECK_OK(tessera_problem_destroy(s->problem));
}

/* max |x - expected| of x on the device. */
static double far_from(const double* x_device, double expected) {
  static double x[rows];
  CHECK_CUDA(cudaMemcpy(x, x_device, sizeof x, cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int i = 0; i < rows; ++i)
    worst = fmax(worst, fabs(x[i] - expected));
  return worst;
}

static void zero(double* x_device) { CHECK_CUDA(cudaMemset(x_device, 0, sizeof(double) * rows)); }

/* Matrix, right-hand side and solution where they lie; new values in the same arrays. */
static void in_place(System* s) {
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_setup(solver, &s->device));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 1) < 1e-5);
  CHECK_OK(tessera_apply(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));

  const size_t entries = (size_t)s->host.entries;
  double* const twice = malloc(sizeof(double) * entries);
  for (size_t e = 0; e < entries; ++e)
    twice[e] = 2 * ((const double*)s->host.values)[e];
  CHECK_CUDA(cudaMemcpy((void*)s->device.values, twice, sizeof(double) * entries,
                        cudaMemcpyHostToDevice));
  CHECK_OK(tessera_update(solver, NULL));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 0.5) < 1e-5);
  CHECK_CUDA(cudaMemcpy((void*)s->device.values, s->host.values, sizeof(double) * entries,
                        cudaMemcpyHostToDevice));
  free(twice);
  CHECK_OK(tessera_destroy(solver));
}

/* Any of the arrays may lie on the other side, be managed, or be said to lie there. */
static void mixed(System* s) {
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_setup(solver, &s->host));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 1) < 1e-5);
  static double x[rows];
  memset(x, 0, sizeof x);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, x, rows));
  for (int i = 0; i < rows; ++i)
    CHECK(fabs(x[i] - 1) < 1e-5);
  double* managed = NULL;
  CHECK_CUDA(cudaMallocManaged((void**)&managed, sizeof x, cudaMemAttachGlobal));
  memset(managed, 0, sizeof x);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b, rows, managed, rows));
  for (int i = 0; i < rows; ++i)
    CHECK(fabs(managed[i] - 1) < 1e-5);
  CHECK_CUDA(cudaFree(managed));
  CHECK_OK(tessera_set_memory(solver, TESSERA_MEMORY_DEVICE));
  CHECK_OK(tessera_setup(solver, &s->device));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 1) < 1e-5);
  CHECK_OK(tessera_set_memory(solver, TESSERA_MEMORY_AUTO));
  CHECK_OK(tessera_set_device(solver, "host"));
  CHECK_ERROR(tessera_setup(solver, &s->device), TESSERA_ERROR_ARGUMENT, "lies in device memory");
  CHECK_OK(tessera_setup(solver, &s->host));
  memset(x, 0, sizeof x);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b, rows, x, rows));
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, x, rows),
              TESSERA_ERROR_ARGUMENT, "lies in device memory");
  CHECK_OK(tessera_destroy(solver));
}

/* What a setup is told may lie on the device, and so may columns that are apart. */
static void vectors(System* s) {
  enum { leading = rows + 7 };
  double* const ones = malloc(sizeof(double) * rows);
  for (int i = 0; i < rows; ++i)
    ones[i] = 1;
  double* const there = on_device(ones, sizeof(double) * rows);
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set(solver, "preconditioner=amg"));
  CHECK_OK(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, rows, 1, there, rows));
  CHECK_OK(tessera_setup(solver, &s->device));
  double *b = NULL, *x = NULL;
  CHECK_CUDA(cudaMalloc((void**)&b, sizeof(double) * 3 * leading));
  CHECK_CUDA(cudaMalloc((void**)&x, sizeof(double) * 3 * leading));
  CHECK_CUDA(cudaMemset(b, 0xff, sizeof(double) * 3 * leading)); /* NaN between the columns */
  CHECK_CUDA(cudaMemset(x, 0, sizeof(double) * 3 * leading));
  for (int j = 0; j < 3; ++j)
    CHECK_CUDA(cudaMemcpy(b + j * leading, s->b, sizeof s->b, cudaMemcpyHostToDevice));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 3, b, leading, x, leading));
  for (int j = 0; j < 3; ++j)
    CHECK(far_from(x + j * leading, 1) < 1e-5);
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFree(x));
  CHECK_CUDA(cudaFree(there));
  free(ones);
  CHECK_OK(tessera_destroy(solver));
}

/* Holds a stream up until the host says so. */
static void hold(void* turns) {
  for (volatile int* left = turns; *left > 0; --*left) {
  }
}

/* b is written on a stream that nothing else waits for, behind work that takes a while. */
static void on_a_stream(System* s) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  tessera_solver* solver = NULL;
  CHECK_OK(tessera_create(&solver));
  CHECK_OK(tessera_set_stream(solver, stream));
  CHECK_OK(tessera_setup(solver, &s->device));
  double* pinned = NULL;
  CHECK_CUDA(cudaMallocHost((void**)&pinned, sizeof s->b));
  memcpy(pinned, s->b, sizeof s->b);
  zero(s->x_device);
  zero(s->b_device);
  CHECK_CUDA(cudaDeviceSynchronize());
  static volatile int turns = 200000000;
  CHECK_CUDA(cudaLaunchHostFunc(stream, hold, (void*)&turns));
  CHECK_CUDA(cudaMemcpyAsync(s->b_device, pinned, sizeof s->b, cudaMemcpyHostToDevice, stream));
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(turns == 0);
  CHECK(far_from(s->x_device, 1) < 1e-5);
  CHECK_CUDA(cudaFreeHost(pinned));
  /* The stream goes before the solver, and another takes its place. */
  CHECK_OK(tessera_set_stream(solver, NULL));
  CHECK_CUDA(cudaStreamDestroy(stream));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 1) < 1e-5);
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_OK(tessera_set_stream(solver, stream));
  zero(s->x_device);
  CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, rows, 1, s->b_device, rows, s->x_device, rows));
  CHECK(far_from(s->x_device, 1) < 1e-5);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_OK(tessera_destroy(solver));
}

int main(void) {
  static System system;
  make_system(&system);
  in_place(&system);
  mixed(&system);
  vectors(&system);
  on_a_stream(&system);
  free_system(&system);
  return failures > 0;
}
