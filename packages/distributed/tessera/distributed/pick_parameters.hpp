// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What becomes of the parameters of multigrid that were left open, from the facts of all
/// processes.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/solve/parameters.hpp"

#include <string>
#include <vector>

namespace tessera::distributed {

struct PickedParameters {
  SolveParameters solve;
  std::vector<std::string> notes;
  bool may_reduce = false;  ///< where incomplete factors fail
};

/// Whether incomplete factors of each process's own rows may be picked to smooth.
enum class FactorsOfShares { allowed, left_out };

/// As `Solver` on one process picks them, from the same facts. `vectors`: this process's part of
/// the near-nullspace that was given. Collective.
template <class Space>
PickedParameters pick_parameters(const Space& exec, const Matrix<Space>& A,
                                 const MultiVector<double, Space>& vectors,
                                 const SolveParameters& asked, int block_size, bool symmetric,
                                 FactorsOfShares factors);

}  // namespace tessera::distributed
