// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nullspace that a program gives: the copy that a solver keeps, its checks, and what projects
/// it out.
#pragma once

#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solver/nullspace_projector.hpp"

namespace tessera::detail {

/// A copy of the vectors, each times a power of two that brings it to about 1.
/// @throws Error of kind `bad_input` where one is all zeros or holds a NaN or an infinity.
template <class Scalar, class Space>
MultiVector<Scalar, Space> nullspace_copy(const Space& exec,
                                          const ConstMultiVectorView<Scalar, Space>& basis);

/// Of a matrix and its transpose; either may be empty.
template <class Scalar, class Space>
struct NullspaceProjectors {
  NullspaceProjector<Scalar, Space> of_matrix;
  NullspaceProjector<Scalar, Space> of_transpose;
};

/// Checks the nullspace that `system` was given, and makes what projects it out.
/// @throws Error of kind `configuration` where there is none, the parameters name another one, or
///         A or its transpose does not annihilate it; of kind `precondition` where it has another
///         number of rows.
template <class Scalar, class Space, class Offset>
NullspaceProjectors<Scalar, Space> checked_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system);

/// Whether A, whose values are new, and its transpose still annihilate what is projected out.
template <class Scalar, class Space, class Offset>
bool still_annihilated(const Space& exec, const CrsMatrix<Scalar, Space, Offset>& A,
                       const NonDeduced<NullspaceProjectors<Scalar, Space>>& projectors);

}  // namespace tessera::detail
