// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The near-nullspace vectors that multigrid of a system is made from.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve/component_nullspace.hpp"

#include <vector>

namespace tessera::detail {

/// The near-nullspace that multigrid is made from; no vectors stand for a unit vector for each
/// unknown of a node.
template <class Scalar, class Space>
struct NearNullspace {
  ConstMultiVectorView<Scalar, Space> near_nullspace;
  std::vector<int> annihilated;  ///< columns of which A makes zero, to round-off or to 2^-40
  int block_size = 1;  ///< unknowns per node
};

/// What multigrid of `system` takes, its nodes being known: the vectors given (n by m), numbered
/// node by node, or those that its nodes ask for, and which of them A annihilates. New vectors lie
/// in `storage`, which the result refers to.
template <class Scalar, class Space, class Offset>
NearNullspace<Scalar, Space> find_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& given,
    MultiVector<Scalar, Space>& storage);

/// The same vectors in another precision.
template <class To, class From, class Space>
MultiVector<To, Space> converted(const Space& exec, const ConstMultiVectorView<From, Space>& v) {
  const auto result =
      allocate_multivector<To>(exec, "tessera::near_nullspace", v.extent(0), v.extent(1));
  kernels::copy(exec, v, MultiVectorView<To, Space>(result));
  return result;
}

}  // namespace tessera::detail
