// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Connected components of a graph over several processes.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// Components, and the pieces of them that rows of one process connect by themselves.
template <class Space>
struct ConnectedPieces {
  Array<Ordinal, Space> piece;  ///< by own row the least one of its piece
  Array<Partition::Global, Space> component;  ///< by own row the least of all rows of its component
  Array<int, Space> is_divided;  ///< by own row, for the least of a piece: others have rows, too
};

/// Of the entries of A that are not zero, whose pattern is symmetric: the same components for any
/// shares. Each process finds its pieces as kernels::connected_components does, and tells its
/// neighbours their labels until none gets a lower one: as often as a component crosses borders
/// on its way from its least row, at most. Collective.
template <class Space>
ConnectedPieces<Space> connected_pieces(const Space& exec, const Matrix<Space>& A);

}  // namespace tessera::distributed
