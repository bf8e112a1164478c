// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The scalar of this PETSc.
#pragma once

#include <petscsys.h>

#include "tessera.h"

#if defined(PETSC_USE_COMPLEX) || \
    !(defined(PETSC_USE_REAL_DOUBLE) || defined(PETSC_USE_REAL_SINGLE))
#error "Tessera solves real systems in double or float; this PETSc has another scalar"
#endif

namespace tessera::petsc {

inline constexpr tessera_type scalar_type =
    sizeof(PetscScalar) == sizeof(double) ? TESSERA_DOUBLE : TESSERA_FLOAT;

}  // namespace tessera::petsc
