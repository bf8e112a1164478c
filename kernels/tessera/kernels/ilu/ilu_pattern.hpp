// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of an incomplete factorisation without fill, and how a matrix's values get into it.
#pragma once

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

}  // namespace tessera::kernels
