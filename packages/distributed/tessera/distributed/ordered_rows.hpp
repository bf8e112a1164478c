// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows whose entries are in the order of all processes' columns.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// How many of the ghosts come before the process's own columns among all columns.
template <class Space>
Ordinal num_ghosts_before(const Space& exec, const Matrix<Space>& A);

/// The same entries under the same numbers, own columns first, but in each row by the columns'
/// places among those of all processes: sums along a row do not depend on the shares then.
/// Waits for `exec`.
template <class Space>
LocalRows<Space> in_order_of_all(const Space& exec, const LocalRows<Space>& rows, Ordinal num_own,
                                 Ordinal num_before);

template <class Space>
LocalRows<Space> in_order_of_all(const Space& exec, const Matrix<Space>& A) {
  return in_order_of_all(exec, A.rows, A.num_own_columns(), num_ghosts_before(exec, A));
}

}  // namespace tessera::distributed
