// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of the fine points of a level that is distributed over processes.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// amg::FinePoints over processes: the level is relaxed on its fine points alone, after the
/// correction and not before. M has no share where the level has a smoother.
template <class Space>
struct FineRelaxation {
  Matrix<Space> M;  ///< approximates the inverse of A_ff
  int sweeps = 1;
  Array<double, Space> coarse_weights;  ///< of own points, for a sweep on coarse ones; or none

  bool has_share() const { return M.has_share(); }
};

}  // namespace tessera::distributed
