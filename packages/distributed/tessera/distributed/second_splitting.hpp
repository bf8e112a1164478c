// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second splitting of aggressive coarsening over processes.
#pragma once

#include "tessera/distributed/point_splitting.hpp"

namespace tessera::distributed {

/// amg::split_coarse_points of the graph of all processes: 1 for the points here, ghosts
/// among them, that are coarse once more. What ghosts depend on of coarse points is sent for
/// `amg::coarse_paths`, and hashes are of the numbers of `first` among all coarse points, so that
/// the splitting is that of one process. `stays`: for each own point at least whether it is coarse
/// whatever depends on it. Collective.
template <class Space>
Array<std::int8_t, Space> split_coarse_points(const Space& exec, const SplitPoints<Space>& first,
                                              const Array<std::int8_t, Space>& stays,
                                              amg::PointSplitting how, int min_paths);

}  // namespace tessera::distributed
