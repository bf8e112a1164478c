// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nullspace that a program gives to a solver over several processes: its copy, its checks, and
/// what projects it out.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/vector_projector.hpp"

#include <memory>

namespace tessera::distributed {

/// This process's rows of the vectors, by m; m is the same on all processes.
template <class Space>
struct GivenNullspace {
  MultiVector<double, Space> basis;
  MultiVector<double, Space> left;  ///< of the transpose, where that is another one

  bool empty() const { return basis.extent(1) == 0; }
};

/// Copies of the vectors, each times a power of two that brings it to about 1. Collective.
/// @throws Error on all processes where they have other numbers of vectors, a left nullspace is
///         given without the matrix's own, or a vector is all zeros or holds a NaN or an infinity
template <class Space>
GivenNullspace<Space> copied_nullspace(const Space& exec, const Communicator& processes,
                                       const NonDeduced<ConstMultiVectorView<double, Space>>& basis,
                                       const NonDeduced<ConstMultiVectorView<double, Space>>& left);

/// What is taken out of x, and out of residuals; null: nothing.
template <class Space>
struct NullspaceProjectors {
  std::shared_ptr<NullspaceProjector<Space>> of_x;
  std::shared_ptr<NullspaceProjector<Space>> of_residuals;
};

/// Of a nullspace that is not empty. Collective.
/// @throws Error on all processes where it has another number of rows on one, or A or its transpose
///         does not annihilate it.
template <class Space>
NullspaceProjectors<Space> checked_nullspace(const Space& exec, const Matrix<Space>& A,
                                             bool symmetric, const GivenNullspace<Space>& given);

}  // namespace tessera::distributed
