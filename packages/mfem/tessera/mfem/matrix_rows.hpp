// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is read of MFEM's matrices.
#pragma once

#include "tessera/hypre/host_rows.hpp"

#include <mfem.hpp>

namespace tessera::mfem {

/// This process's rows. @throws Error as `hypre::rows_of`
hypre::HostRows rows_of(const ::mfem::HypreParMatrix& A);

/// @throws Error where A is not square or not finalised
hypre::HostRows rows_of(const ::mfem::SparseMatrix& A);

}  // namespace tessera::mfem
