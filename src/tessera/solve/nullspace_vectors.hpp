// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A nullspace that is found by solves.
#pragma once

#include "tessera/operator/linear_operator.hpp"
#include "tessera/solver/nullspace_projector.hpp"
#include "tessera/solver/solver_parameters.hpp"

namespace tessera::detail {

/// Most vectors of a nullspace that are looked for: the rigid body modes of a body in space, and
/// room to see that these are all.
inline constexpr int max_nullspace_vectors = 8;

template <class Scalar, class Space>
struct NullspaceVectors {
  MultiVector<Scalar, Space> vectors;  ///< orthonormal, n by q
  bool all = false;  ///< what they do not span is regular
};

/// Looks for vectors that a symmetric A annihilates, orthogonal to those that `known` projects out:
/// first in `r` (n by 1), the residual that a solve left, then in hashed vectors until one has
/// nothing new. What w has in the nullspace is left of it by w - A^+ A w. The system A e = -A w has
/// a solution whatever w is, so that the method of `picked` with the preconditioner M (null for
/// none) needs to know no nullspace. Where A is regular, that leaves less of w at each pass.
template <class Scalar, class Space>
NullspaceVectors<Scalar, Space> find_nullspace_vectors(
    const Space& exec, const LinearOperator<Scalar, Space>& A, Preconditioner<Scalar, Space>* M,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
    const NullspaceProjector<Scalar, Space>& known, const SolverParameters& picked);

}  // namespace tessera::detail
