// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/threads.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "petsc/status.hpp"

namespace tessera::petsc {

namespace {
PetscMPIInt neighbours = 1;  ///< processes on this machine, this one included
}

PetscErrorCode count_neighbours() {
  MPI_Comm machine = MPI_COMM_NULL;
  PetscFunctionBegin;
  PetscCallMPI(
      MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine));
  PetscCallMPI(MPI_Comm_size(machine, &neighbours));
  PetscCallMPI(MPI_Comm_free(&machine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode start_threads() {
  std::int32_t threads = 0;
  PetscFunctionBegin;
  if (neighbours > 1 && std::getenv("OMP_NUM_THREADS") == nullptr &&
      std::getenv("KOKKOS_NUM_THREADS") == nullptr) {
    const auto cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
    threads = std::max<std::int32_t>(1, cores / neighbours);
  }
  TESSERA_CALL(tessera_initialize(threads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
