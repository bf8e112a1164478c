// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is read of hypre's matrices and vectors.
#pragma once

#include "tessera/hypre/host_parts.hpp"

#include <_hypre_parcsr_mv.h>

#include <vector>

namespace tessera::hypre {

/// This process's rows: `diag` is the own part and `offd` the other one. Values are hypre's, and so
/// are integers where they have the width of Tessera's: columns where HYPRE_Int has 32 bits,
/// offsets where it has 64, and the column map where HYPRE_BigInt has. Neighbours and what is sent
/// are those of hypre's communication package where the matrix has one by now, as its first product
/// with a vector makes it; with a HYPRE_Int of 32 bits the list of what is sent is hypre's, too,
/// unless it is in another order than that of ascending processes. What is shared stays until the
/// parts, and what was set up by them, are gone; that list is where `moved_exports` finds it, for
/// hypre replaces it in products with vectors of another number of columns. On each process after
/// Kokkos's beginning.
/// @throws Error where A is not square, rows and columns are not the same processes', or it lies in
///         a device's memory.
HostParts parts_of(hypre_ParCSRMatrix* A);

/// This process's entries. `name` is what messages call the vector.
/// @throws Error for a null pointer, another length than `rows`, several columns, and where it lies
///         in a device's memory.
double* entries_of(hypre_ParVector* vector, std::int64_t rows, const char* name);

}  // namespace tessera::hypre
