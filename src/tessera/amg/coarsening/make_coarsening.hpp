// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsening that the parameters name.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"

#include <memory>
#include <string>

namespace tessera::amg {

/// How the level of that number is coarsened: as `chosen` or, where that is `same`, as
/// `all_levels` are. Nothing of it is left open: the kind is what is made, and the threshold of
/// strength is the level's.
LevelCoarsening coarsening_of_level(const LevelCoarsening& all_levels,
                                    const LevelCoarsening& chosen, int number);

/// One step for one level, whose coarsening is `coarsening_of_level`. `keeps_pattern`:
/// `Coarsening::compute` will be called.
template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(const LevelCoarsening& of_level,
                                                                   bool keeps_pattern);

/// As parameters name it.
std::string coarsening_name(CoarseningKind kind);

}  // namespace tessera::amg
