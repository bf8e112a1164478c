// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's statuses and C++'s exceptions as PETSc's errors.
#pragma once

#include <petscsys.h>

#include <exception>

#include "tessera.h"

namespace tessera::petsc {

/// The error of PETSc's that says most nearly the same.
inline PetscErrorCode error_of(tessera_status status) {
  switch (status) {
    case TESSERA_ERROR_ARGUMENT:
      return PETSC_ERR_ARG_WRONG;
    case TESSERA_ERROR_INPUT:
      return PETSC_ERR_ARG_INCOMP;
    case TESSERA_ERROR_CONFIGURATION:
      return PETSC_ERR_USER_INPUT;
    case TESSERA_ERROR_MEMORY:
      return PETSC_ERR_MEM;
    case TESSERA_ERROR_DEVICE:
      return PETSC_ERR_GPU;
    default:
      return PETSC_ERR_LIB;
  }
}

/// Runs `work`, which returns one of PETSc's error codes, and lets no exception out.
template <class Work>
PetscErrorCode guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "tessera: memory ran out");
  } catch (const std::exception& error) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "tessera: %s", error.what());
  }
}

}  // namespace tessera::petsc

/// In a function that returns one of PETSc's error codes: ends it where the call fails, with
/// Tessera's sentence.
#define TESSERA_CALL(call)                                                                   \
  do {                                                                                       \
    const tessera_status tessera_call_status = (call);                                       \
    PetscCheck(tessera_call_status >= 0, PETSC_COMM_SELF,                                    \
               ::tessera::petsc::error_of(tessera_call_status), "%s", tessera_last_error()); \
  } while (0)
