// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner type "tessera".
#pragma once

#include <petscpc.h>

#include <string>

#include "petsc/matrix_arrays.hpp"
#include "petsc/near_nullspace.hpp"
#include "petsc/parameters.hpp"

namespace tessera::petsc {

/// What a PC of this type keeps.
struct Preconditioner {
  tessera_solver* solver = nullptr;
  Parameters parameters;
  NearNullspace near_nullspace;
  MatrixArrays arrays;  ///< of the last setup or update
  PetscBool copies_matrix = PETSC_FALSE;
  bool is_set_up = false;
  bool settings_changed = false;  ///< since the last setup
  PetscInt setups = 0, updates = 0;
  std::string failure;  ///< why the last setup failed, where that is a PCFailedReason
};

/// The constructor that PCRegister takes.
PetscErrorCode create(PC pc);

/// PCView.
PetscErrorCode view(PC pc, PetscViewer viewer);

}  // namespace tessera::petsc
