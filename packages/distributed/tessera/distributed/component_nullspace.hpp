// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which connected components of a matrix over several processes are singular.
#pragma once

#include "tessera/distributed/matrix.hpp"

#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// Of components whose constants A makes zero; the lists are the host's. First come those that
/// several processes have rows of, all of them on all processes, then those of this one alone.
struct ComponentNullspace {
  std::vector<int> component;  ///< by own row; -1 where that is regular
  std::vector<std::int64_t> size;  ///< by component: rows of all processes
  int num_shared = 0;
  std::int64_t num_components = 0;  ///< of all processes
  std::int64_t num_rows = 0;  ///< in them

  bool empty() const { return num_components == 0; }
};

/// tessera::detail::singular_components of the rows of all processes, for the constant: where a
/// row's sum is at most `tolerance` times that of the entries' magnitudes in each row. A is
/// symmetric. Collective.
template <class Space>
ComponentNullspace singular_components(const Space& exec, const Matrix<Space>& A, double tolerance);

}  // namespace tessera::distributed
