// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Connected components of a matrix's graph.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The least row of the connected component that each row belongs to, in the graph of the entries
/// that are not zero, taken in both directions; A is square. Rows hook to the least label around
/// them and labels are followed to their roots, in turn, until nothing changes (after Shiloach &
/// Vishkin, J. Algorithms 3 (1982)): some log n rounds of a pass over A each, with a wait. The
/// result does not depend on the order in which that happens.
template <class Scalar, class Space, class Offset>
Array<Ordinal, Space> connected_components(const Space& exec,
                                           const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
