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

/// Up to this share a level that cannot be coarsened is relaxed rather than factored. Its radius is
/// at most 1 + theta, which makes the usual omega, 4/3 over it, 8/9: each of the 17 sweeps that the
/// coarsest level gets leaves at most 5/9, all of them 5e-5.
inline constexpr double decided_by_diagonal = 0.5;

}  // namespace tessera::amg
