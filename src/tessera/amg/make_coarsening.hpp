// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsening that the parameters name.
#pragma once

#include "tessera/amg/coarsening.hpp"
#include "tessera/amg/parameters.hpp"

#include <memory>
#include <string>

namespace tessera::amg {

/// One step for one level, as `chosen` or, where that is `same`, as the parameters for all levels
/// say. `keeps_pattern`: `Coarsening::compute` will be called.
template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(const Parameters& parameters,
                                                                   const LevelCoarsening& chosen,
                                                                   bool keeps_pattern);

/// "smoothed_aggregation", "plain_aggregation" or "pairwise", whichever that one is.
std::string coarsening_name(const Parameters& parameters, const LevelCoarsening& chosen);

}  // namespace tessera::amg
