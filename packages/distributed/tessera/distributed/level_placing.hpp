// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// On which processes a coarse level is to be.
#pragma once

#include "tessera/distributed/gather_rows.hpp"
#include "tessera/distributed/matrix.hpp"

#include <string>
#include <vector>

namespace tessera::distributed {

/// How far levels are spread.
struct LevelShares {
  int gather_rows =
      default_gather_rows;  ///< levels of at most so many rows go to the first process
  int rows_per_process = 1;  ///< that a process keeps of a coarse level, at least
  bool measures_messages = false;  ///< and goes by what these cost instead
};

struct LevelPlacing {
  std::vector<int> keepers;  ///< by rank who has its rows from now on
  std::string note;  ///< how many have some, and by which rule; empty where the level just stays
};

/// By rows per process, or by the processes that are expected to have a cycle's part done first.
/// The same on all processes. Collective.
template <class Space>
LevelPlacing placing_of(const Space& exec, const Matrix<Space>& coarse, const LevelShares& shares);

}  // namespace tessera::distributed
