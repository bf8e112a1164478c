// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is read of hypre's matrices and vectors.
#pragma once

#include "tessera/hypre/host_rows.hpp"

#include <_hypre_parcsr_mv.h>

#include <vector>

namespace tessera::hypre {

/// This process's rows: those of `diag`, and behind them those of `offd` with the numbers of its
/// column map.
/// @throws Error where A is not square, rows and columns are not the same processes', or it lies in
///         a device's memory.
HostRows rows_of(hypre_ParCSRMatrix* A);

/// This process's entries. `name` is what messages call the vector.
/// @throws Error for a null pointer, another length than `rows`, several columns, and where it lies
///         in a device's memory.
double* entries_of(hypre_ParVector* vector, std::int64_t rows, const char* name);

}  // namespace tessera::hypre
