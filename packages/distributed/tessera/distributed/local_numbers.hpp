// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A share of rows as a matrix over several processes.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/pattern_hash.hpp"
#include "tessera/distributed/solver.hpp"

namespace tessera::distributed {

/// A matrix, and where its values were among those given.
template <class Space>
struct Numbered {
  Matrix<Space> matrix;
  Array<std::int64_t, Space> place;  ///< by entry of the matrix
  /// Of others' columns where it was given in parts: their list may be gone by the next update.
  PatternHash ghosts = {};
  bool has_given_lists = false;  ///< on all processes, which made the halo of them
};

/// Rows with columns numbered here, sorted. The numbers are made on the device. Collective.
/// @throws Error on all processes where a share is not as it should be.
template <class Space>
Numbered<Space> numbered(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                         const ShareOfRows<Space>& rows);

/// The matrix with other values, given in the order of before; the arrays are new. Collective.
/// @throws Error on all processes for another number of values.
template <class Space>
Matrix<Space> with_values(const Space& exec, const Numbered<Space>& numbered,
                          const ArrayView<const double, Space>& values);

}  // namespace tessera::distributed
