// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How far the diagonal dominates each row of a matrix.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// The largest of all rows' sum of |a_ij|, j != i, over |a_ii|: theta. All eigenvalues of D^-1 A
/// lie within theta of 1 (Gershgorin), so that a Jacobi sweep damped by omega <= 1 leaves at most
/// 1 - omega (1 - theta) of an error's largest entry. Infinite where a coupled row has no diagonal;
/// waits once.
template <class Scalar, class Space, class Offset>
double off_diagonal_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::amg
