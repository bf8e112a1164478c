// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A connected piece of a matrix, to learn from.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::detail {

/// Rows and columns of some nodes of a matrix, in the order that they have there.
template <class Scalar, class Space, class Offset>
struct MatrixPiece {
  kernels::Csr<Scalar, Space, Offset> A;
  MultiVector<Scalar, Space> vectors;  ///< the rows of those given
};

/// The nodes nearest to the middle one in the matrix's graph, with about `entries` entries in all
/// of their rows; couplings to others are left out, and so are those to columns that A has behind
/// its square part. Found on the host, by a copy of A. Waits.
template <class Scalar, class Space, class Offset>
MatrixPiece<Scalar, Space, Offset> piece_around_the_middle(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A, const amg::Nodes& nodes,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& vectors, std::size_t entries);

}  // namespace tessera::detail
