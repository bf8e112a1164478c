// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels are stored of which a process has no rows.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/distributed/communicator.hpp"

#include <vector>

namespace tessera::distributed {

/// Where a matrix in `levels` says nothing of its storage, since this process has none of its rows,
/// its format, scalar and kernel are those of the process that has most bytes of it. Its own stay
/// 0. `levels`: those that this process has a share in, from the finest on. Collective.
void take_storage_of_others(const Communicator& processes, std::vector<LevelInfo>& levels);

}  // namespace tessera::distributed
