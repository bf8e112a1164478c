// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One-dimensional Lagrange elements on the Gauss-Lobatto nodes.
#pragma once

#include <vector>

namespace tessera::gallery_detail {

/// Mass and stiffness matrices of the element of the given order on [0, 1], (order + 1)^2 entries
/// each, row after row, integrated exactly (Gauss-Legendre, order + 1 points).
struct LobattoElement {
  std::vector<double> mass;
  std::vector<double> stiffness;
};

/// order: 1 or more. Both matrices are symmetric to the last bit.
LobattoElement lobatto_element(int order);

}  // namespace tessera::gallery_detail
