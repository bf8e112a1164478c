// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What relaxation and the smoothing of a prolongator need to know of a level.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/parameters.hpp"

namespace tessera::amg {

/// The diagonal's inverse and, where something asks for it, the spectral radius. False where the
/// level holds a NaN or an infinity, or where that radius is none: its products overflow.
template <class Scalar, class Space, class Offset>
bool prepare_level(const Space& exec, const Parameters& p, FineLevel<Scalar, Space, Offset>& fine,
                   PhaseTimer<Space>& timer);

}  // namespace tessera::amg
