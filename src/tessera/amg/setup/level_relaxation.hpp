// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The relaxation that a coarsening has made for its level.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Where the level's coarsening has made what relaxes its fine points: makes the smoother of it,
/// for `level.A`, in the place of one before. Else false. M is stored as R is asked to be.
template <class Scalar, class Space, class Offset>
bool relax_fine_points(const Space& exec, const SetupLevel<Scalar, Space, Offset>& here,
                       Level<Scalar, Space>& level);

}  // namespace tessera::amg
