// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// In which format a level is multiplied and kept, before it is coarsened, and what of it is freed.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Decides whether the coarse operator is a product of tiles, of which it makes those of A where no
/// product has, and what of the level is kept in rows. `is_last`: the level is not coarsened.
template <class Scalar, class Space, class Offset>
void decide_storage(const Space& exec, const Parameters& p, bool is_last,
                    SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer);

/// The values of tiles that are made from the level's rows again.
template <class Scalar, class Space, class Offset>
void refill_tiles(const Space& exec, SetupLevel<Scalar, Space, Offset>& here);

/// Frees the values of P and R once the cycle has them in another format than compressed rows,
/// where new values of A make them again.
template <class Scalar, class Space, class Offset>
void release_connection(Reuse reuse, SetupLevel<Scalar, Space, Offset>& here);

/// P and R in rows, with their plans, have the values that coarsening has made by now.
template <class Scalar, class Space, class Offset>
void renew_connection(SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
