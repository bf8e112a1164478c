// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a multigrid method and the solve on the coarsest one.
#pragma once

#include "tessera/amg/coarse_solver.hpp"
#include "tessera/amg/hierarchy_info.hpp"
#include "tessera/amg/level.hpp"

#include <vector>

namespace tessera::amg {

/// What setup makes and a cycle runs through.
template <class Scalar, class Space>
struct Hierarchy {
  std::vector<Level<Scalar, Space>> levels;
  CoarseSolver<Scalar, Space> coarse_solver;
  bool coarsest_is_relaxed = false;  ///< instead of solved: it is too large for a dense inverse
  HierarchyInfo info;
};

}  // namespace tessera::amg
