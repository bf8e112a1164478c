// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What all mBSR products share: the matrix and the vector as raw pointers, the update of a row.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

namespace tessera::kernels::detail {

/// A matrix of tiles and `active` columns of `x`, of which a kernel of `N` columns carries N sums:
/// those beyond `active` repeat the last one and are dropped.
template <class Storage, class Working>
struct TileArrays {
  using Sum = Arithmetic<Storage, Working>;

  const std::int32_t* tile_offsets;
  const Ordinal* tile_columns;
  const TileMap* maps;
  const std::int64_t* value_offsets;
  const Storage* values;
  Ordinal num_rows;
  Ordinal num_cols;
  std::int32_t num_tiles;
  std::int64_t num_values;
  Sum scale;
  const Working* x;
  std::size_t ldx;
  int first_column;
  int active;
  /// Of the plan: whether a thread of a host can predict the maps.
  bool maps_repeat = true;

  template <class Space>
  TileArrays(const MbsrView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x_all,
             int first, int columns)
      : tile_offsets(A.tile_offsets.data()),
        tile_columns(A.tile_columns.data()),
        maps(A.maps.data()),
        value_offsets(A.value_offsets.data()),
        values(A.values.data()),
        num_rows(A.num_rows),
        num_cols(A.num_cols),
        num_tiles(A.num_tiles),
        num_values(static_cast<std::int64_t>(A.values.extent(0))),
        scale(static_cast<Sum>(A.scale)),
        x(x_all.data() + first * x_all.stride(1)),
        ldx(x_all.stride(1)),
        first_column(first),
        active(columns) {}

  KOKKOS_INLINE_FUNCTION Ordinal num_tile_rows() const { return tiles_for(num_rows); }
  /// What a product with one vector moves at least.
  std::size_t product_bytes() const {
    return num_values * sizeof(Storage) + num_tiles * (sizeof(Ordinal) + sizeof(TileMap)) +
           num_tile_rows() * (sizeof(std::int32_t) + sizeof(std::int64_t)) +
           (static_cast<std::size_t>(num_rows) + num_cols) * sizeof(Working);
  }
  /// Where column `c` of the group begins.
  KOKKOS_INLINE_FUNCTION std::size_t column_begin(int c) const {
    return static_cast<std::size_t>(c < active ? c : active - 1) * ldx;
  }
};

/// One row's sum for whichever epilogue there is.
template <class Sum>
struct UpdateOneRow {
  Ordinal row;
  int column;
  Sum sum;

  template <class Epilogue>
  KOKKOS_INLINE_FUNCTION void operator()(const Epilogue& epilogue) const {
    epilogue(row, column, sum);
  }
};

/// The epilogues of all products in one type, so that each kernel is compiled once for all of them.
template <class Working>
struct RowUpdate {
  enum class Kind { scale_add, subtract, jacobi, chebyshev };

  Kind kind;
  Working alpha = 1;
  Working beta = 0;
  const Working* d = nullptr;
  Columns<const Working> b = {};
  Columns<const Working> x_in = {};
  Columns<Working> p = {};
  Columns<Working> out;

  RowUpdate(const ScaleAdd<Working>& e)
      : kind(Kind::scale_add), alpha(e.alpha), beta(e.beta), out(e.y) {}
  RowUpdate(const SubtractFrom<Working>& e) : kind(Kind::subtract), b(e.b), out(e.r) {}
  RowUpdate(const JacobiUpdate<Working>& e)
      : kind(Kind::jacobi), d(e.d), b(e.b), x_in(e.x_in), out(e.x_out) {}
  RowUpdate(const ChebyshevUpdate<Working>& e)
      : kind(Kind::chebyshev),
        alpha(e.alpha),
        beta(e.beta),
        d(e.d),
        b(e.b),
        x_in(e.x_in),
        p(e.p),
        out(e.x_out) {}

  /// Calls visitor(epilogue).
  template <class Visitor>
  KOKKOS_INLINE_FUNCTION void visit(const Visitor& visitor) const {
    switch (kind) {
      case Kind::scale_add:
        visitor(ScaleAdd<Working>{alpha, beta, out});
        return;
      case Kind::subtract:
        visitor(SubtractFrom<Working>{b, out});
        return;
      case Kind::jacobi:
        visitor(JacobiUpdate<Working>{d, b, x_in, out});
        return;
      case Kind::chebyshev:
        visitor(ChebyshevUpdate<Working>{d, alpha, beta, b, x_in, p, out});
        return;
    }
  }

  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    visit(UpdateOneRow<Sum>{row, column, sum});
  }
};

}  // namespace tessera::kernels::detail
