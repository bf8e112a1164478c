// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels of a multigrid that was built, in compressed rows.
#pragma once

#include "tessera/solve/built_multigrid.hpp"
#include "tessera/solve/level_matrices.hpp"

namespace tessera::detail {

/// Up to how many columns a matrix in a registered format is read by products with unit vectors.
inline constexpr Ordinal max_columns_by_products = 20000;

/// Copies of the matrices of level `number`, which there is. Waits.
/// @throws Error of kind `configuration` where they are in a registered format, of more columns.
template <class Scalar, class Space, class Offset>
LevelMatrices<Scalar, Space, Offset> copied_level(const Space& exec,
                                                  const BuiltMultigrid<Scalar, Space>& built,
                                                  int number);

}  // namespace tessera::detail
