// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the products of a level are made of: of its coarse operator, and with vectors.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Decides whether the coarse operator is a product of tiles, and makes those of A where no product
/// has.
template <class Scalar, class Space, class Offset>
void choose_products(const Space& exec, const Parameters& p,
                     SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer);
/// Says so where a product could not be made of tiles.
template <class Scalar, class Space, class Offset>
void note_products(SetupLevel<Scalar, Space, Offset>& here);

/// A on tiles, from its compressed rows.
template <class Scalar, class Space, class Offset>
void convert_to_tiles(const Space& exec, FineLevel<Scalar, Space, Offset>& fine);
/// The values of these tiles again.
template <class Scalar, class Space, class Offset>
void refill_tiles(const Space& exec, FineLevel<Scalar, Space, Offset>& fine);

/// Plans the products of the level's P and R, and returns the next level's operator with its own,
/// and on tiles, if a product made them.
template <class Scalar, class Space, class Offset>
FineLevel<Scalar, Space, Offset> plan_products(const Space& exec,
                                               SetupLevel<Scalar, Space, Offset>& here,
                                               int block_size, PhaseTimer<Space>& timer);

}  // namespace tessera::amg
