// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/preconditioner.hpp"
#include "petsc/status.hpp"
#include "petsc/threads.hpp"
#include "tessera_petsc.h"

PetscErrorCode TesseraPetscRegister(void) {
  PetscFunctionBegin;
  PetscCall(tessera::petsc::count_neighbours());
  PetscCall(PCRegister(PCTESSERA, tessera::petsc::create));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// What PETSc calls in a library libtessera_petsc that it loads.
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_tessera_petsc(void);

PetscErrorCode PetscDLLibraryRegister_tessera_petsc(void) {
  PetscFunctionBegin;
  PetscCall(TesseraPetscRegister());
  PetscFunctionReturn(PETSC_SUCCESS);
}
