// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The diagonal matrices that Jacobi-like relaxations multiply the residual by.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// d_i = sign(a_ii) / sum_j |a_ij|, 0 where a_ii = 0: l1-Jacobi, which converges for every
/// symmetric positive definite A (Baker, Falgout, Kolev, Yang, SIAM J. Sci. Comput. 33, 2011). Rows
/// may be unsorted.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> l1_jacobi_weights(const Space& exec,
                                       const kernels::CsrView<Scalar, Space, Offset>& A);

/// d_i = a_ii / sum_j a_ij^2, 0 for an empty row: the diagonal M that minimises ||I - M A|| in the
/// Frobenius norm (Broeker, Grote, Appl. Numer. Math. 41, 2002, SPAI-0). Rows may be unsorted.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> spai0_weights(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
