// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The vector update of the Lanczos recurrence for D^-1 A, without roots.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

namespace tessera::kernels {

/// The numbers of the recurrence, by step. Vectors are not normalised.
template <class Scalar, class Space>
struct LanczosNumbers {
  ArrayView<const Scalar, Space> dots;  ///< u'Au; length: steps
  ArrayView<Scalar, Space> norms;  ///< u'Du; length: steps + 1
};

/// u_next = D^-1 A u - (u'Au / u'Du) u - (u'Du / u_before'Du_before) u_before of step `step`, and
/// u_next'D u_next into norms(step + 1). `u_before` is overwritten by u_next; rows of zero diagonal
/// become 0, and all rows do where u'Du is 0. Vectors: n by 1. Nothing waits. The sum is in an
/// order that the number of threads has no say in; on a host it is a `Scalar`, on a device a
/// double.
template <class Scalar, class Space>
void lanczos_step(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const LanczosNumbers<Scalar, Space>& numbers, int step,
                  const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& Au,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& u,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& u_before);

}  // namespace tessera::kernels
