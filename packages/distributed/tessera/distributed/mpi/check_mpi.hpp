// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What calls of MPI return, as exceptions.
#pragma once

#include "tessera/kernels/execution/error.hpp"

#include <mpi.h>

#include <string>

namespace tessera::distributed {

/// @throws Error in MPI's own words where the call `what` has returned anything but success.
inline void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorKind::precondition,
              std::string("MPI failed in ") + what + ": " + std::string(text, text + length));
}

}  // namespace tessera::distributed
