// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How many threads a process of an MPI program takes.
#pragma once

#include <petscsys.h>

namespace tessera::petsc {

/// Counts the processes on this machine. Collective on PETSC_COMM_WORLD.
PetscErrorCode count_neighbours();

/// Starts what Tessera runs on, unless it is: on as many threads as OMP_NUM_THREADS says, or as
/// this process has cores, divided by the processes on this machine.
PetscErrorCode start_threads();

}  // namespace tessera::petsc
