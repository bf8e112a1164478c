// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Splitting of classical multigrid into coarse and fine points.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <optional>

namespace tessera::kernels {

/// Which points are coarse, 1, and which fine, 0: the parallel modified independent set, PMIS
/// (De Sterck, Yang & Heys, "Reducing complexity in parallel algebraic multigrid preconditioners",
/// SIAM J. Matrix Anal. Appl. 27, 2006, Algorithm 3.1). Row i of `strong` has what i depends on;
/// its graph need not be symmetric.
///
/// A point weighs as many as depend on it, and of equals the larger hash of its number is the
/// heavier. Coarse become, round by round, the points that are heavier than all undecided ones that
/// they depend on or that depend on them; fine, those that depend on a coarse one. So of two that
/// depend on each other at most one is coarse. Fine from the beginning are points on which nothing
/// depends, and those that depend on nothing. `stays`, if not empty, has 1 for points that are
/// coarse whatever depends on them, next to one another, too.
///
/// The result depends on the graph and `seed` alone, not on the number of threads, nor on `lanes`,
/// 0 or a power of two of at most 32, which share a point's couplings; by the mean number of these
/// unless given.
template <class Space, class Offset>
Array<std::int8_t, Space> pmis(const Space& exec, const Graph<Space, Offset>& strong,
                               const NonDeduced<ArrayView<const std::int8_t, Space>>& stays = {},
                               std::uint32_t seed = 0, std::optional<int> lanes = {});

}  // namespace tessera::kernels
