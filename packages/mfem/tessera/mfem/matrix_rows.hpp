// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is read of MFEM's matrices.
#pragma once

#include "tessera/hypre/host_parts.hpp"

#include <mfem.hpp>

namespace tessera::mfem {

/// This process's rows, as `hypre::parts_of` has them: values and columns are A's.
/// @throws Error as that
hypre::HostParts parts_of(const ::mfem::HypreParMatrix& A);

/// The same of a matrix of one process. @throws Error where A is not square or not finalised
hypre::HostParts parts_of(const ::mfem::SparseMatrix& A);

}  // namespace tessera::mfem
