// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tentative prolongator of smoothed aggregation.
#pragma once

#include "tessera/kernels/graph/aggregate.hpp"

namespace tessera::amg {

/// What `tentative_prolongator` makes of the near-nullspace vectors.
template <class Scalar, class Space, class Offset>
struct Tentative {
  kernels::Csr<Scalar, Space, Offset> T;  ///< n by num_aggregates * m
  MultiVector<Scalar, Space> coarse_near_nullspace;  ///< num_aggregates * m by m
  /// By column of T: 1 where the column is zero, for the aggregate's near-nullspace vectors are
  /// linearly dependent (or it has no member). The coarse matrix has an empty row there.
  Array<char, Space> dropped;
  Array<const Ordinal, Space> aggregate_of;  ///< by node, -1 for none
  int block_size = 1;  ///< rows of T per node
};

/// T and B_c with T B_c = B on the aggregated rows and T^T T = I on the columns not dropped (Cusp
/// paper, sections 1.2.4 and 3.4): an orthonormal basis of the near-nullspace vectors on each
/// aggregate, by modified Gram-Schmidt, twice.
///
/// `B`: n by m with m >= 1; n is `block_size` unknowns for each of the graph's nodes, a node's
/// unknowns consecutive. Rows of nodes without an aggregate are empty, others have m entries. A
/// near-nullspace vector is dropped from an aggregate where less than eps^(2/3) of it is left after
/// the ones before it are taken off. Waits for `exec` where the aggregates do not say how many
/// nodes they have.
template <class Offset = std::int32_t, class Scalar, class Space>
Tentative<Scalar, Space, Offset> tentative_prolongator(const Space& exec,
                                                       const kernels::Aggregates<Space>& aggregates,
                                                       const ConstMultiVectorView<Scalar, Space>& B,
                                                       int block_size = 1);

}  // namespace tessera::amg
