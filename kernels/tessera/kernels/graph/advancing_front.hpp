// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Splitting of classical multigrid by measures that change as it goes.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>

namespace tessera::kernels {

/// Which points are coarse, 1, and which fine, 0, as by the first pass of Ruge & Stueben
/// ("Algebraic multigrid", in Multigrid Methods, SIAM, 1987, section 4.6.1), in rounds: fronts of
/// it advance side by side from scattered seeds. Row i of `strong` has what i depends on; its graph
/// need not be symmetric.
///
/// A point's measure is how many depend on it, and one more for each of them that has become fine;
/// those that became coarse no longer count. Of equal measures the larger hash of the number is
/// the heavier. In each round the candidates that are heavier than all others which they depend on
/// or that depend on them become coarse, and what depends on them fine. Candidates are the points
/// that a fine one depends on, and the seeds: a 256th of all points at first, by hash, twice as
/// many each four rounds. A neighbour of larger measure keeps a candidate from becoming coarse even
/// if it is none; it is one from the next round on. What lies behind a front has the regular
/// pattern of Ruge & Stueben's pass; where two meet, it has not. PMIS (pmis.hpp) lets all points
/// begin at once, and has no such pattern.
///
/// What is fine from the beginning, `stays`, and that the result depends on the graph and `seed`
/// alone are as in `pmis`.
template <class Space, class Offset>
Array<std::int8_t, Space> advancing_front(
    const Space& exec, const Graph<Space, Offset>& strong,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& stays = {}, std::uint32_t seed = 0);

}  // namespace tessera::kernels
