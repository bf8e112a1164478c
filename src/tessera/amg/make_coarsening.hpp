// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsening that the parameters name.
#pragma once

#include "tessera/amg/coarsening.hpp"
#include "tessera/amg/parameters.hpp"

namespace tessera::amg {

/// One step for one level. `keeps_pattern`: `Coarsening::compute` will be called.
template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(const Parameters& parameters,
                                                                   bool keeps_pattern);

}  // namespace tessera::amg
