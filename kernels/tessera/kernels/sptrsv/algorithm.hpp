// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The names of the triangular solves.
#pragma once

namespace tessera {

/// In which order rows are solved for.
enum class SptrsvAlgorithm {
  automatic,  ///< estimated from the number and size of the levels
  levels,  ///< level after level; neighbouring small ones in one launch of one block
  counters,  ///< all in one launch, each row as soon as those that it needs are there
  recursive  ///< in halves: a triangle, a product with the square beside it, a triangle
};

}  // namespace tessera
