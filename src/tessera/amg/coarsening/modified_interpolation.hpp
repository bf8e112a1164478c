// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical modified interpolation.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"

namespace tessera::amg {

/// The fine points that each fine point depends on, without those that depend on nothing: what
/// `fill_modified_interpolation` passes on. In the order of `strong`.
template <class Space, class Offset>
kernels::Graph<Space, Offset> fine_dependences(const Space& exec,
                                               const kernels::Graph<Space, Offset>& strong,
                                               const Array<const Ordinal, Space>& coarse_number);

/// Ruge and Stueben's interpolation from the coarse points C_i that a fine point i depends on, with
/// the modification of hypre's type 0 (H. De Sterck, R. D. Falgout, J. W. Nolting & U. M. Yang,
/// "Distance-two interpolation for parallel algebraic multigrid", Numer. Linear Algebra Appl. 15,
/// 2008, section 3). A fine point k that i depends on passes its coupling on to C_i by its own
/// couplings abar_kc, which are the a_kc of the sign opposite to a_kk's, weak ones as well:
///
///   b_ik = sum of abar_kc over c in C_i,
///   d_i  = a_ii + weak couplings of i + sum of a_ik over the k in F_i where b_ik = 0,
///   M_ii = -1 / d_i,   N_ic = a_ic + sum of a_ik abar_kc / b_ik over the other k in F_i.
///
/// The terms of b_ik have one sign and cannot cancel. A point that depends on nothing counts as 0:
/// couplings to it are in neither sum. d_i may be small beside a_ii where couplings between fine
/// points were added to it, as weights sum to one with it; the row is zero where it is less than a
/// hundredth of the magnitudes of N's row.
///
/// The divisor b_ik depends on the pair of points, so that this is no product of matrices of rows'
/// own sums; N has the work, by rows, and M is diagonal.
template <class Scalar, class Space, class Offset>
void fill_modified_interpolation(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 const InterpolationFactors<Scalar, Space, Offset>& factors);

}  // namespace tessera::amg
