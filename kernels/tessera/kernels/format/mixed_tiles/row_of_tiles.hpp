// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A row of a matrix in tiles, tile after tile, by a lane of a device.
#pragma once

#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"
#include "tessera/kernels/precision/float_pairs.hpp"

namespace tessera::kernels::detail {

/// A tile as a product finds it.
struct TilePlace {
  const std::uint64_t* words = nullptr;  ///< null: nothing to be read
  Ordinal first_column = 0;
  TileKind kind = TileKind::fp64;
};

/// Exact; fp8 two by two.
template <class Value, int count>
KOKKOS_FORCEINLINE_FUNCTION void as_doubles(const Value (&from)[count], double (&to)[count]) {
  static_assert(count % 2 == 0);
  for (int k = 0; k < count; k += 2) {
    if constexpr (std::is_same_v<Value, Fp8E4M3>) {
      float pair[2];
      to_floats<Value>({from[k], from[k + 1]}, pair);
      to[k] = static_cast<double>(pair[0]);
      to[k + 1] = static_cast<double>(pair[1]);
    } else {
      to[k] = static_cast<double>(from[k]);
      to[k + 1] = static_cast<double>(from[k + 1]);
    }
  }
}

/// The entries of row `row` of a tile whose head is known, four at a time: what they are is asked
/// for before the first of them is used.
template <int size, class Scalar, class Function>
KOKKOS_FORCEINLINE_FUNCTION void for_row_in_fours(const TilePlace& tile, const TileHead<size>& head,
                                                  int row, const Function& function) {
  using Head = TileHead<size>;
  if (!head.has_row(row)) return;
  const auto* const bytes = reinterpret_cast<const std::byte*>(tile.words);
  const auto* const starts = reinterpret_cast<const typename Head::Start*>(bytes + Head::bytes);
  const int num_rows = head.num_rows();
  const int number = head.rows_before(row);
  const int begin = number == 0 ? 0 : starts[number - 1];
  const int end = number + 1 == num_rows ? head.entries : starts[number];
  const auto* const columns =
      reinterpret_cast<const std::uint8_t*>(bytes + head.columns_at(num_rows));
  with_tile_kind(tile.kind, [&]<TileKind is>() {
    const auto* const values = reinterpret_cast<const TileValue<is>*>(
        bytes + head.values_at(num_rows, sizeof(TileValue<is>)));
    const double scale = tile_scale<Scalar, is>(head.exponent);
    constexpr int at_once = 4;
    for (int e = begin; e < end; e += at_once) {
      int column[at_once] = {};
      TileValue<is> value[at_once] = {};
      for (int k = 0; k < at_once; ++k) {
        if (e + k < end) {
          column[k] = columns[e + k];
          value[k] = values[e + k];
        }
      }
      double number[at_once];
      as_doubles(value, number);
      for (int k = 0; k < at_once; ++k) {
        if (e + k < end) function(tile.first_column + column[k], number[k] * scale);
      }
    }
  });
}

/// Calls `function(column, value)` for the entries of row `row` within the tiles `begin`,
/// `begin + step`, … below `end`. `place(t)` says where tile t is. While a tile is read, the next
/// one's head is on its way, and where the one after it lies.
template <int size, class Scalar, class Place, class Function>
KOKKOS_FORCEINLINE_FUNCTION void for_row_of_tiles(std::int64_t begin, std::int64_t end, int step,
                                                  int row, const Place& place,
                                                  const Function& function) {
  const auto place_at = [&](std::int64_t t) { return t < end ? place(t) : TilePlace(); };
  const auto head_of = [](const TilePlace& tile) {
    return tile.words != nullptr ? tile.words[0] : std::uint64_t(0);
  };
  TilePlace now = place_at(begin);
  TilePlace next = place_at(begin + step);
  std::uint64_t head = head_of(now);
  for (std::int64_t t = begin; t < end; t += step) {
    const TilePlace after = place_at(t + 2 * static_cast<std::int64_t>(step));
    const std::uint64_t next_head = head_of(next);
    if (now.words != nullptr)
      for_row_in_fours<size, Scalar>(now, TileHead<size>::of(head), row, function);
    now = next;
    next = after;
    head = next_head;
  }
}

}  // namespace tessera::kernels::detail
