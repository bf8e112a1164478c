// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A program that has Kokkos of its own: the C interface leaves it initialised, and lets it end.
#include <Kokkos_Core.hpp>

#include "check.h"

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  tessera_solver* solver = nullptr;
  double b[50] = {1}, x[50] = {0};
  Line line = make_line(50);
  const tessera_matrix A = matrix_of_line(&line);
  {
    const Kokkos::View<double*> mine("mine", 10);
    CHECK_OK(tessera_initialize(0));
    CHECK_OK(tessera_create(&solver));
    CHECK_OK(tessera_setup(solver, &A));
    CHECK_OK(tessera_solve(solver, TESSERA_DOUBLE, 50, 1, b, 50, x, 50));
    CHECK(Kokkos::is_initialized());
    Kokkos::deep_copy(mine, 1.0);
  }
  Kokkos::finalize();  // with a solver that holds memory
  CHECK_ERROR(tessera_setup(solver, &A), TESSERA_ERROR_RUNTIME, "Kokkos is finalised");
  CHECK_ERROR(tessera_solve(solver, TESSERA_DOUBLE, 50, 1, b, 50, x, 50), TESSERA_ERROR_RUNTIME,
              "Kokkos is finalised");
  CHECK_OK(tessera_destroy(solver));
  free_line(&line);
  return failures > 0;
}
