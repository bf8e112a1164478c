// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the user, or what is left open, comes to for one level.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// What the user's list chooses for the level of that number.
LevelParameters listed_choice(const Parameters& p, int number);

/// That, and what the callback makes of it.
/// @throws Error of kind `configuration` where the callback's choice cannot be had.
template <class Scalar, class Space, class Offset>
LevelParameters choices_for(const Parameters& p, const FineLevel<Scalar, Space, Offset>& fine,
                            int number, bool symmetric);

/// Whether any of a level's matrices is to be stored as its values suit.
bool has_open_storage(const LevelParameters& asked);

/// Fills in what the level's `asked` leaves open of its storage, narrow where rounding costs no
/// iterations. `b`: the level's near-nullspace.
template <class Scalar, class Space, class Offset>
void pick_storage(const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
