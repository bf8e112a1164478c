/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tessera as a preconditioner of PETSc's: -pc_type tessera. Programs that load the plug-in by
 * -dll_append need nothing of this; those that link it call TesseraPetscRegister(). The guide is
 * docs/guide/petsc.md.
 */
#ifndef TESSERA_PETSC_H
#define TESSERA_PETSC_H

#include <petscpc.h>

/* The type's name, for PCSetType. */
#define PCTESSERA "tessera"

/* Registers the type, after PetscInitialize. Collective on PETSC_COMM_WORLD, for it counts the
 * processes that share a machine. A second call does nothing. */
PETSC_EXTERN PetscErrorCode TesseraPetscRegister(void);

#endif
