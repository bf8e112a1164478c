// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a host looks at in rows and vectors to pick a coarsening, the same for any shares.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera::distributed {

/// Adds `on_host`, `has_vectors`, and on a host `repeated_rows` and `has_hubs`, as `Solver` finds
/// them on one process: from the rows of the same numbers, whatever process has them. `vectors`:
/// this process's part of the near-nullspace that was given; of a single one a device's is taken
/// for the constant. Collective.
template <class Space>
void add_row_facts(const Space& exec, const Matrix<Space>& A,
                   const NonDeduced<ConstMultiVectorView<double, Space>>& vectors,
                   MatrixFacts& facts);

}  // namespace tessera::distributed
