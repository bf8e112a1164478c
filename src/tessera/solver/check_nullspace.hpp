// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a nullspace that somebody gave is one.
#pragma once

#include "tessera/operator/linear_operator.hpp"

#include <string>

namespace tessera {

/// Throws `Error` of kind `configuration` where A (n by n) does not annihilate a column v of
/// `vectors` (n by q) to round-off: where ||A v|| is more than 1000 epsilon times ||A u||, u being
/// v with signs of no pattern, so that ||A u|| is about the root of the sum of a_ij^2 v_j^2.
/// Columns of zeros pass, and so does what is not finite, which is a solve's to report. `name` says
/// in the text what was given. Two products with A, and one wait.
template <class Scalar, class Space>
void require_annihilated(const Space& exec, const LinearOperator<Scalar, Space>& A,
                         const ConstMultiVectorView<Scalar, Space>& vectors,
                         const std::string& name);

}  // namespace tessera
