// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factorisation without fill: A = L U on the pattern of A.
#pragma once

#include "tessera/kernels/sptrsv/row_order.hpp"
#include "tessera/kernels/sptrsv/triangle.hpp"

namespace tessera::kernels {

/// The pattern of A with its diagonal, rows sorted and without duplicates. A's own arrays serve
/// where they are like that.
template <class Space, class Offset = std::int32_t>
struct IluPattern {
  Ordinal num_rows = 0;
  Array<const Offset, Space> offsets;
  Array<const Ordinal, Space> columns;
  DiagonalCut<Space, Offset> cut;  ///< the diagonal entry of row i is entry cut.lower_end(i)
  std::int64_t num_added = 0;  ///< diagonal entries that A does not store: zeros in it

  /// Of an A of another pattern: its entries by row and column, and where each goes; length 0
  /// where A's arrays serve.
  Array<Offset, Space> sorted, targets;

  std::size_t num_entries() const { return columns.extent(0); }
};

/// The pattern of a square A, and of the matrices of the same pattern. Shares A's arrays where it
/// can. Waits.
/// @throws Error of kind `precondition` where A is not square.
template <class Scalar, class Space, class Offset>
IluPattern<Space, Offset> make_ilu_pattern(const Space& exec, const Csr<Scalar, Space, Offset>& A);

/// The values of `A`, which has the pattern that was analysed, in that pattern; duplicates are
/// added up. `values`: length pattern.num_entries().
template <class Scalar, class Space, class Offset>
void fill_ilu_values(const Space& exec, const IluPattern<Space, Offset>& pattern,
                     const CsrView<Scalar, Space, Offset>& A,
                     const NonDeduced<ArrayView<Scalar, Space>>& values);

/// L below the diagonal, whose own is of ones, and U on it and above, in one CSR.
template <class Scalar, class Space, class Offset = std::int32_t>
struct IluFactors {
  IluPattern<Space, Offset> pattern;
  Array<Scalar, Space> values;
  Array<Scalar, Space> inverse_diagonal;  ///< of U, by which solves multiply

  /// Room for those of a pattern; the values are not set.
  static IluFactors of_pattern(const Space& exec, const IluPattern<Space, Offset>& pattern);

  CsrView<Scalar, Space, Offset> view() const {
    return {pattern.num_rows, pattern.num_rows, pattern.num_entries(),
            pattern.offsets,  pattern.columns,  values};
  }
  TriangleView<Scalar, Space, Offset> lower() const { return lower_triangle(view(), pattern.cut); }
  TriangleView<Scalar, Space, Offset> upper() const {
    return upper_triangle(view(), pattern.cut, inverse_diagonal);
  }
};

struct IluOptions {
  /// A pivot u_ii of a magnitude of at most `shift` times the largest |a_ij| of its row becomes
  /// that bound, with the sign of u_ii, plus for a zero; in a row of zeros, 1. 0: pivots stay as
  /// they are, and a zero makes the factors useless.
  double shift = 1e-6;
  /// 0: the factors. Else so many sweeps of the fixed-point iteration, which all rows make at once.
  int sweeps = 0;
  /// For a symmetric A: L |D| L^T in place of L D L^T. Where a_ii > 0 and u_ii < 0, row i of U
  /// changes its sign once all factors are there, and L's columns after sweeps are those of U^T
  /// over the pivots, so that the factors of a matrix with a positive diagonal are symmetric and
  /// positive definite. Where more than 16 rows, and one in fifty, have such pivots, the factors
  /// are those of A + alpha D instead, with the positive part D of A's diagonal and the first alpha
  /// of 0.001, 0.002, ..., 33 that leaves none (Manteuffel, Math. Comp. 34, 1980), if one does.
  bool absolute = false;
};

/// What became of the pivots.
struct IluReport {
  std::int64_t num_small = 0;  ///< pivots that were shifted or, without shifts, are zero
  std::int64_t num_not_finite = 0;  ///< rows with a NaN or an infinity in them or in 1 / u_ii
  Ordinal first_row = -1;  ///< the first of either kind; -1: none
  double first_pivot = 0;  ///< of that row, before any shift
  std::int64_t num_turned = 0;  ///< negative pivots without the remedy, small ones aside
  Ordinal first_turned = -1;  ///< the first row of those; -1: none
  double first_turned_pivot = 0;
  double diagonal_shift = 0;  ///< alpha; 0: the rows of those changed their sign

  /// Solves with the factors give numbers.
  bool usable(const IluOptions& options) const {
    return num_not_finite == 0 && (options.shift > 0 || num_small == 0);
  }
};

/// Makes the factors of `A`, of the pattern that they were made for; waits for the report.
///
/// Exact (Saad, Iterative Methods for Sparse Linear Systems, algorithm 10.4): in one launch, each
/// row as soon as the rows that it needs are done. By sweeps (Chow and Patel, SIAM J. Sci. Comput.
/// 37, 2015): from l_ij = a_ij / a_jj and u_ij = a_ij, each from the values of the one before, so
/// that any number of threads gives the same bits; after at most twice as many as there are rows,
/// and mostly after a few more than L has levels, they are the exact ones. `order`: rows, each
/// after those that it needs, such as the levels of L; without a list, as they are numbered.
template <class Scalar, class Space, class Offset>
IluReport factor_ilu(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const IluFactors<Scalar, Space, Offset>& factors, const IluOptions& options,
                     const RowOrder& order);

}  // namespace tessera::kernels
