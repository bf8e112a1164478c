// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The splitting of a reduction over processes.
#pragma once

#include "tessera/amg/coarsening/reduction_parameters.hpp"
#include "tessera/distributed/level_points.hpp"

#include <cstdint>

namespace tessera::distributed {

/// That of amg::ReductionCoarsening: PMIS on couplings that are strong in either direction, and a
/// share of the fine points of all processes that is converted. It is the same for any number of
/// processes and any shares. `A`: `rows_by_points`. 1 for coarse points, of own ones and of
/// ghosts. Collective.
template <class Space>
Array<std::int8_t, Space> split_for_reduction(const Space& exec, const LevelPoints<Space>& points,
                                              const LocalRows<Space>& A,
                                              const amg::ReductionParameters& parameters);

}  // namespace tessera::distributed
