// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the rows of all processes tell of a nullspace and of a method.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// What products with vectors do not tell.
struct SumsOfRows {
  bool all_zero = false;  ///< every row sums to zero, but for rounding, and there is a row
  bool any_of_zeros = false;  ///< a row has no entry but zeros
  bool positive_diagonal = false;
};

/// Collective.
template <class Space>
SumsOfRows sums_of_rows(const Space& exec, const Matrix<Space>& A);

}  // namespace tessera::distributed
