// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner type "tessera".
#pragma once

#include <petscpc.h>

#include <memory>
#include <string>

#include "petsc/matrix_arrays.hpp"
#include "petsc/near_nullspace.hpp"
#include "petsc/parameters.hpp"
#include "petsc/several_processes.hpp"

namespace tessera::petsc {

/// What a PC of this type keeps: of a matrix of one process in `solver` and `arrays`, of one over
/// several in `processes`.
struct Preconditioner {
  tessera_solver* solver = nullptr;
  Parameters parameters;
  NearNullspace near_nullspace;
  MatrixArrays arrays;  ///< of the last setup or update
  std::unique_ptr<SeveralProcesses> processes;
  PetscInt num_rows = 0;  ///< of this process
  PetscInt gather_rows = 0;  ///< 0: not set
  PetscBool copies_matrix = PETSC_FALSE;
  bool is_set_up = false;
  bool settings_changed = false;  ///< since the last setup
  PetscInt setups = 0, updates = 0;
  std::string failure;  ///< why the last setup failed, where that is a PCFailedReason
};

/// The constructor that PCRegister takes.
PetscErrorCode create(PC pc);

/// Of a PC of this type.
Preconditioner& of(PC pc);

/// PCSetUp, PCApply and PCMatApply.
PetscErrorCode set_up(PC pc);
PetscErrorCode apply(PC pc, Vec r, Vec z);
PetscErrorCode mat_apply(PC pc, Mat R, Mat Z);

/// PCView.
PetscErrorCode view(PC pc, PetscViewer viewer);

}  // namespace tessera::petsc
