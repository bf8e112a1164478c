// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nodes whose unknowns turn into each other, as species do that react. What these have in common
/// spreads slowly beside a fast reaction: of D^-1 A it has small eigenvalues, whatever its shape,
/// which no point smoother damps, and aggregates of nodes leave it to the smoother. Taken one by
/// one they are joined by the reaction where it is strong.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera {

/// How unknowns are coupled to other unknowns, of their own node or of others: from a sample of
/// rows.
struct NodeCouplings {
  /// Within nodes, of the sign opposite to the diagonal's: their sum over it, on the mean.
  double reaction = 0;
  /// Of all, the share of magnitudes over the diagonal that has its sign.
  double same_sign = 0;
};

template <class Scalar, class Space, class Offset>
NodeCouplings sampled_node_couplings(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& A,
                                     const amg::Nodes& nodes);

/// The nodes that multigrid goes by where `found` was found from the pattern of A: nodes of one
/// unknown where unknowns react, whose number per node becomes `facts.reacting_unknowns`.
template <class Scalar, class Space, class Offset>
amg::Nodes without_reacting(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                            const amg::Nodes& found, MatrixFacts& facts);

}  // namespace tessera
