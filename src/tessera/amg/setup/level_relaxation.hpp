// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The relaxation that a coarsening has made for its level.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/setup_level.hpp"
#include "tessera/smoother/parameters.hpp"

#include <string>

namespace tessera::amg {

/// Where the level's coarsening has made what relaxes its fine points, and nothing else is asked to
/// relax them: makes the smoother of it, for `level.A`, in the place of one before. Else false. M
/// is stored as R is asked to be.
template <class Scalar, class Space, class Offset>
bool relax_fine_points(const Space& exec, const Parameters& p,
                       const SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level);

/// Where fine and coarse points are to be relaxed apart, and the level is split by now: makes the
/// smoother, in the place of one before. Else false. Reads `here.fine.A` with its values.
template <class Scalar, class Space, class Offset>
bool relax_points(const Space& exec, const SetupLevel<Scalar, Space, Offset>& here,
                  Level<Scalar, Space>& level);

/// What is wrong with points that are to be relaxed apart on the level of that number, which
/// `coarsening_name` does not split.
/// @throws Error of kind `configuration`
[[noreturn]] void refuse_points(RelaxationPoints points, int number,
                                const std::string& coarsening_name);

/// Throws where points are to be relaxed apart that the level's coarsening does not tell apart.
/// @throws Error of kind `configuration`
template <class Scalar, class Space, class Offset>
void require_points(const SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
