// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a cycle whose vectors are stored in half.
///
/// In the thesis of Tsai (section 6.3) a level in half computes in half, too. Here its vectors and,
/// where its storage says so, its matrices lie in memory as half; each kernel reads them into
/// float, sums and updates in float and rounds once where it writes. The coarsest level's direct
/// solve takes vectors in float. What fails by half's range fails here as well: a residual that is
/// too large becomes an infinity, one that is too small a zero.
#pragma once

#include "tessera/amg/cycle.hpp"
#include "tessera/amg/hierarchy.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace tessera::amg {

/// Where `hierarchy` or its tail stores vectors in half: moves the first of those levels down
/// beneath all that cannot, with a note, and shows the others as "half".
template <class Scalar, class Space>
void settle_half(CycleType type, Hierarchy<Scalar, Space>& hierarchy);

/// Shows the levels whose vectors are stored in half as such.
template <class Scalar, class Space>
void show_half(Hierarchy<Scalar, Space>& hierarchy);

/// Whether any level's vectors are stored in half.
template <class Scalar, class Space>
bool has_half(const Hierarchy<Scalar, Space>& hierarchy);

/// What the level above takes of the level at `depth` of `hierarchy`, from which on vectors are
/// stored in half, or, where `once`, a single visit of it, between two conversions of the vectors.
/// `hierarchy` outlives it.
template <class Space>
std::shared_ptr<Preconditioner<float, Space>> make_half_cycle(
    CycleType type, const Hierarchy<float, Space>& hierarchy, std::size_t depth, bool once);

}  // namespace tessera::amg
