// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A share of rows of tiles for `multiply_rows`.
#pragma once

#include "tessera/kernels/persistent/detail/long_rows.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// A share seen as rows whose products are those of tiles, in which their length is counted: for
/// `multiply_rows`. The rows of a row of tiles are long together; a warp each keeps all lanes busy.
template <class Share>
struct RowsOfTiles {
  static constexpr bool may_have_long_rows = true;
  static constexpr bool holds_entries = false;
  static constexpr bool may_have_window = false;
  const Share& share;
  int rows;
  LongRows* long_rows;

  KOKKOS_FUNCTION explicit RowsOfTiles(const Share& share)
      : share(share), rows(share.rows), long_rows(share.long_rows_of_tiles) {}
  KOKKOS_FUNCTION std::int64_t length(int l) const { return share.num_tiles_of_row(l); }
  KOKKOS_FUNCTION bool is_long(int l) const {
    return long_rows != nullptr && l <= long_rows->rows[long_rows->count - 1] &&
           length(l) > long_rows->longer_than;
  }
  template <class Entry>
  KOKKOS_FUNCTION double product(int l, int lane, int lanes, const Entry& entry) const {
    return share.tiled_product(l, lane, lanes, entry);
  }
};

}  // namespace tessera::kernels::detail
