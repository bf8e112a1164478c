// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A factorised sparse approximate inverse: G of a given lower pattern with G^T G near A^-1.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// Most entries of a row of G: what the dense system of a row has room for.
inline constexpr int fsai_longest_row = 64;

/// The pattern of A with the values |a_ij| / sqrt(|a_ii a_jj|), 0 where that is at most `drop` or
/// no number: how strongly unknowns are coupled whatever their scaling. Rows may be unsorted.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> scaled_couplings(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double drop);

/// A lower triangular pattern, rows ascending, the diagonal last in each: of `couplings`, square,
/// the columns before it with the `max_row_entries` - 1 largest values above 0 (of equal ones those
/// next to the diagonal). Rows may be unsorted and hold duplicates. Waits.
/// @throws Error where `max_row_entries` is not in [1, `fsai_longest_row`]
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> fsai_pattern(const Space& exec,
                                        const CsrView<Scalar, Space, Offset>& couplings,
                                        int max_row_entries);

/// What was found while G was made.
struct FsaiReport {
  Ordinal num_diagonal = 0;  ///< rows whose part of A is not positive definite
  Ordinal first_row = 0;  ///< of those; none: the number of rows
};

/// Values of G in a pattern of `fsai_pattern`: FSAI (L. Kolotilina & A. Yeremin, SIAM J. Matrix
/// Anal. Appl. 14, 1993). Row i solves A_JJ y = e_i for its columns J, the last being i, and is
/// y / sqrt(y_i): of all G of the pattern that with G A G^T of unit diagonal which minimises
/// ||I - G L|| in the Frobenius norm, L the Cholesky factor of A. Of A the lower triangle is read;
/// rows may be unsorted, and hold duplicates, which are summed. Sums are in double, and do not
/// depend on threads.
///
/// Where A_JJ is not positive definite to rounding, or the row leaves the range of its scalar, it
/// is 1 / sqrt(a_ii) on the diagonal alone, and 0 where a_ii is not positive. Waits.
template <class Scalar, class Space, class Offset>
FsaiReport fill_fsai(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const Csr<Scalar, Space, Offset>& G);

}  // namespace tessera::kernels
