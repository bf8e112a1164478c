// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A triangle of a CSR matrix, without a copy of its entries.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

enum class TriangleKind { lower, upper };

/// A triangular matrix T whose entries off the diagonal are parts of the rows of some CSR matrix,
/// such as the L or the U of a factorisation that is held in one: those of row i are `begin(i)` up
/// to `end(i)` of `columns` and `values`, all below i in a lower triangle and above i in an upper
/// one, in any order. Not owned.
template <class Scalar, class Space, class Offset = std::int32_t>
struct TriangleView {
  using scalar_type = Scalar;
  using execution_space = Space;
  using offset_type = Offset;

  TriangleKind kind = TriangleKind::lower;
  Ordinal num_rows = 0;
  std::size_t num_entries = 0;  ///< off the diagonal, or a bound of it
  ArrayView<const Offset, Space> begin, end;  ///< length num_rows
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const Scalar, Space> values;
  /// 1 / T(i, i), length num_rows; length 0: a diagonal of ones.
  ArrayView<const Scalar, Space> inverse_diagonal;

  bool has_unit_diagonal() const { return inverse_diagonal.extent(0) == 0; }
};

/// Where the rows of a square matrix with sorted rows are cut: row i's entries below the diagonal
/// end before `lower_end(i)`, and those above it begin at `upper_begin(i)`; the two are equal where
/// no diagonal entry is stored. Length num_rows each.
template <class Space, class Offset = std::int32_t>
struct DiagonalCut {
  Array<Offset, Space> lower_end, upper_begin;
};

/// Cuts the rows of `A`, which are sorted by column without duplicates.
template <class Scalar, class Space, class Offset>
DiagonalCut<Space, Offset> cut_at_diagonal(const Space& exec,
                                           const CsrView<Scalar, Space, Offset>& A);

/// The part of `A` below its diagonal as a triangle. `inverse_diagonal`: see TriangleView.
template <class Scalar, class Space, class Offset>
TriangleView<Scalar, Space, Offset> lower_triangle(
    const CsrView<Scalar, Space, Offset>& A, const DiagonalCut<Space, Offset>& cut,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal = {}) {
  const auto n = static_cast<std::size_t>(A.num_rows);
  return {TriangleKind::lower,
          A.num_rows,
          A.num_entries,
          ArrayView<const Offset, Space>(A.offsets.data(), n),
          cut.lower_end,
          A.columns,
          A.values,
          inverse_diagonal};
}

/// The part above it.
template <class Scalar, class Space, class Offset>
TriangleView<Scalar, Space, Offset> upper_triangle(
    const CsrView<Scalar, Space, Offset>& A, const DiagonalCut<Space, Offset>& cut,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal = {}) {
  const auto n = static_cast<std::size_t>(A.num_rows);
  return {TriangleKind::upper,
          A.num_rows,
          A.num_entries,
          cut.upper_begin,
          ArrayView<const Offset, Space>(n == 0 ? nullptr : A.offsets.data() + 1, n),
          A.columns,
          A.values,
          inverse_diagonal};
}

}  // namespace tessera::kernels
