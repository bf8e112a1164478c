// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsening that the parameters name.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"

#include <memory>

namespace tessera::amg {

/// How the level of that number is coarsened: as `chosen` or, where that is `same`, as
/// `all_levels` are. Nothing of it is left open: the kind is what is made, and the threshold of
/// strength is the level's.
LevelCoarsening coarsening_of_level(const LevelCoarsening& all_levels,
                                    const LevelCoarsening& chosen, int number);

/// One step for the level `fine`, whose coarsening is `coarsening_of_level`. `keeps_pattern`:
/// `Coarsening::compute` will be called.
/// @throws Error of kind `configuration` where `of_level` names none, and as
/// `make_registered_coarsening` for one that is registered (register_coarsening.hpp)
template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(
    const FineLevel<Scalar, Space, Offset>& fine, const LevelCoarsening& of_level,
    bool keeps_pattern);

}  // namespace tessera::amg
