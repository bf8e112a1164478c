// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The matrices that a cycle reads, stored as was chosen, and the next level's as setup goes on.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// The level's operator and, where it `relaxes`, its smoother.
template <class Scalar, class Space, class Offset>
void finish_level(const Space& exec, const Parameters& p, SetupLevel<Scalar, Space, Offset>& here,
                  bool relaxes, Level<Scalar, Space>& level, PhaseTimer<Space>& timer);

/// The next level's operator R A P, and tiles of it if a product made them, with the plan of its
/// products. Those of P and R in rows are planned with it: a device is waited for once. Notes where
/// tiles were to be multiplied and could not.
/// `block_size`: unknowns per node there.
template <class Scalar, class Space, class Offset>
SetupLevel<Scalar, Space, Offset> next_level(const Space& exec,
                                             SetupLevel<Scalar, Space, Offset>& here,
                                             int block_size, PhaseTimer<Space>& timer);

/// The level's P and R, and where A was stored before coarsening what relaxes its fine points.
/// Before that R and the coarse operator, whose arrays stay where they are, are scaled by a power
/// of two where the latter would leave half's range.
template <class Scalar, class Space, class Offset>
void connect_levels(const Space& exec, const Parameters& p, bool symmetric,
                    SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level,
                    PhaseTimer<Space>& timer);

/// Takes the scale off R again, before coarsening makes new values of it or of the coarse operator.
template <class Scalar, class Space, class Offset>
void unscale_restriction(const Space& exec, SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
