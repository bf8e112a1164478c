// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation of classical multigrid as a product of two sparse matrices.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <optional>

namespace tessera::amg {

/// M and N, whose product M N is the interpolation, n by n_c, before truncation. N has the strong
/// couplings of rows to coarse points. In rows of coarse points, both are the identity. In the row
/// of a fine point that depends on nothing M is empty: relaxation alone solves for it.
///
/// Extended+i interpolation in the form of products (R. Li, B. Sjogreen & U. M. Yang, "A new class
/// of AMG interpolation methods based on matrix-matrix multiplications", SIAM J. Sci. Comput. 43,
/// 2021, section 3.3). With C_i and F_i the coarse and fine points that i depends on, and a_ki
/// counting where k depends on i,
///
///   b_ik = sum of a_kc over c in C_k, + a_ki,
///   d_i  = a_ii + weak couplings of i + sum of a_ik a_ki / b_ik over k in F_i,
///   M_ii = -1 / d_i,   M_ik = -a_ik / (b_ik d_i),   N_ic = a_ic.
///
/// Extended+e interpolation (section 3.4) has the mean of a_kl over l in F_k in the place of a_ki:
/// no row is searched for its way back.
///
/// Where the terms of b_ik cancel, or there are none, k cannot pass i's coupling on: a_ik is added
/// to d_i. Where weights would come to more than 100 in magnitude, the row is zero; to more than 10
/// where d_i is less than a hundredth of its terms. It may be that small in a good row: where one
/// of many neighbours alone has a coarse point, the others hand back most of a_ii.
///
/// Direct interpolation (K. Stueben, in U. Trottenberg, C. Oosterlee & A. Schueller, "Multigrid",
/// 2001, appendix A.7.1) has a diagonal M: N's couplings stand for all of the sign opposite to the
/// diagonal's, and others are added to that. Its rows are bounded in the same way.
///
/// So has classical modified interpolation: `fill_modified_interpolation`.
template <class Scalar, class Space, class Offset>
struct InterpolationFactors {
  kernels::Csr<Scalar, Space, Offset> M;
  kernels::Csr<Scalar, Space, Offset> N;
  Array<const Ordinal, Space> coarse_number;  ///< by row of A; below 0 for fine points
  kernels::Graph<Space, Offset> fine = {};  ///< `fine_dependences`; of classical_modified alone
};

/// Lanes that share a row on a device where patterns are listed, by the mean number of its strong
/// couplings; 0: each row has a thread, as on a host.
template <class Space, class Offset>
int pattern_lanes(const kernels::Graph<Space, Offset>& strong);

/// The patterns, without values. `strong`: `kernels::strong_dependences`. They do not depend on
/// `lanes`, a power of two of at most 32 or 0, `pattern_lanes` unless given.
template <class Scalar, class Space, class Offset>
InterpolationFactors<Scalar, Space, Offset> interpolation_pattern(
    const Space& exec, const kernels::Graph<Space, Offset>& strong,
    const Array<const Ordinal, Space>& coarse_number, Ordinal num_coarse,
    Interpolation interpolation, std::optional<int> lanes = {});

/// Lanes that share a row of A on a device where its couplings are copied, by the mean length of
/// its rows; 0: each row has a thread, as on a host.
template <class Scalar, class Space, class Offset>
int coupling_lanes(const kernels::CsrView<Scalar, Space, Offset>& A);

/// The same for a row of M where extended weights are made.
template <class Scalar, class Space, class Offset>
int weight_lanes(const kernels::Csr<Scalar, Space, Offset>& M);

/// Makes the values by those of A, of the pattern that `strong` was made from; no column of it is
/// there twice. The values do not depend on `lanes`, a power of two of at most 32 or 0, which are
/// `coupling_lanes` and `weight_lanes` unless given; direct interpolation has a thread for each
/// row.
template <class Scalar, class Space, class Offset>
void fill_interpolation(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        Interpolation interpolation,
                        InterpolationFactors<Scalar, Space, Offset>& factors,
                        std::optional<int> lanes = {});

}  // namespace tessera::amg
