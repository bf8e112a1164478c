// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a program of PETSc's runs at all with the compiler's flags.
#include <petscsys.h>

int main(int argc, char** argv) {
  const PetscErrorCode error = PetscInitialize(&argc, &argv, nullptr, nullptr);
  return error != 0 || PetscFinalize() != 0 ? 1 : 0;
}
