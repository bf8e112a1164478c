// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioners of solves within one launch: what CgMethod and BicgstabMethod ask of M.
///
/// `M::reach` says of which rows of r a row of M r is made:
///
/// - `Reach::row`: of itself. `M::row(share.M, scales, l, r)` is row l of M r, r being that of the
///   residual.
/// - `Reach::share`: of those of its share, whose first row is a multiple of `granule()`.
///   `M::row(share.M, scales, l, r)` reads the share's rows of r, which its lanes have written
///   before they synchronized.
/// - `Reach::group`: of any. A row of r is handed over by `take(share.M, i, r, factor)`, by the one
///   who makes it; after a barrier, all lanes of the group call `work(group, shares)`, and then,
///   for each share, `finish(group, share.M, share, scales, factor, f)`, which calls `f(i, z)` for
///   rows of z = M r by lanes that need not be those of the residual's share. A barrier follows.
///
/// Each has `Share`, what a worker keeps of it for a share of rows, made by
/// `make_share(group, rows, scratch)`; and `granule()`.
#pragma once

#include "tessera/kernels/persistent/detail/multiply_rows.hpp"
#include "tessera/kernels/persistent/detail/row_shares.hpp"
#include "tessera/kernels/persistent/detail/scales.hpp"

namespace tessera::kernels::detail {

enum class Reach { row, share, group };

/// None, or a diagonal matrix.
template <class Scalar>
struct DiagonalOrNone {
  static constexpr Reach reach = Reach::row;
  struct Share {
    const Scalar* d = nullptr;  ///< of the share's rows; null for none
  };

  const Scalar* diagonal;  ///< null for none

  KOKKOS_FUNCTION Ordinal granule() const { return 1; }

  template <class Group, class Rows>
  KOKKOS_FUNCTION Share make_share(const Group& group, const Rows& rows, Scratch& scratch) const {
    if (diagonal == nullptr) return {};
    const Scalar* const mine = diagonal + rows.first;
    Scalar* const staged = scratch.take<Scalar>(rows.rows);
    if (staged == nullptr) return {mine};
    visit_rows(group, rows, [&](int l) { staged[l] = mine[l]; });
    return {staged};
  }

  KOKKOS_FUNCTION static Scalar row(const Share& share, const Scales& scales, int l, Scalar r) {
    if (share.d == nullptr) return r;
    return scales.matrix == 1
               ? share.d[l] * r
               : static_cast<Scalar>(static_cast<double>(share.d[l]) / scales.matrix * r);
  }
};

/// Blocks of `block_rows` consecutive rows on the diagonal, the last of which may be shorter.
template <class Scalar>
struct DiagonalBlocks {
  static constexpr Reach reach = Reach::share;
  struct Share {
    const Scalar* blocks = nullptr;  ///< from the share's first row on
    int block_rows = 1;
    int rows = 0;
  };

  const Scalar* blocks;  ///< row i's part of its block at i * block_rows
  int block_rows;

  KOKKOS_FUNCTION Ordinal granule() const { return block_rows; }

  template <class Group, class Rows>
  KOKKOS_FUNCTION Share make_share(const Group&, const Rows& rows, Scratch&) const {
    return {blocks + static_cast<std::size_t>(rows.first) * block_rows, block_rows, rows.rows};
  }

  KOKKOS_FUNCTION static Scalar row(const Share& share, const Scales& scales, int l,
                                    const Scalar* r) {
    const int k = share.block_rows;
    const int begin = l - l % k;
    const int count = begin + k < share.rows ? k : share.rows - begin;
    const Scalar* const block = share.blocks + static_cast<std::size_t>(l) * k;
    Scalar sum = 0;
    for (int j = 0; j < count; ++j)
      sum += block[j] * r[begin + j];
    return scales.matrix == 1 ? sum : static_cast<Scalar>(static_cast<double>(sum) / scales.matrix);
  }
};

}  // namespace tessera::kernels::detail
