// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in mixed precision, read back on the host.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/mixed_tiles.hpp"
#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

#include <array>
#include <cstring>

namespace tessera::test {

using kernels::TileCriterion;
using kernels::TileKind;
using kernels::TileLoss;

/// The matrix that the tiles hold, rows sorted; checks the upper level on the way.
template <class Scalar, class Space, class Offset, int size>
HostMatrix<Scalar> read_tiles(const kernels::MixedTiles<Scalar, Space, Offset, size>& tiles) {
  const auto offsets = to_host(tiles.tile_offsets);
  const auto keys = to_host(tiles.keys);
  const auto begins = to_host(tiles.begins);
  const auto words = to_host(tiles.words);
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(tiles.num_rows);
  const auto view = tiles.view();
  EXPECT_EQ(offsets.size(), static_cast<std::size_t>(view.num_tile_rows()) + 1);
  EXPECT_EQ(begins.size(), keys.size() + 1);
  EXPECT_EQ(static_cast<std::size_t>(offsets.back()), keys.size());
  EXPECT_EQ(static_cast<std::size_t>(begins.back()), words.size());
  std::array<std::int64_t, kernels::num_tile_kinds> tiles_of{}, entries_of{};
  for (Ordinal tile_row = 0; tile_row < view.num_tile_rows(); ++tile_row) {
    Ordinal before = -1;
    for (auto t = offsets[tile_row]; t < offsets[tile_row + 1]; ++t) {
      const auto column_of_tiles = static_cast<Ordinal>(keys[t] >> 3);
      EXPECT_GT(column_of_tiles, before);
      before = column_of_tiles;
      const auto kind = static_cast<TileKind>(keys[t] & 7);
      const std::uint64_t* const tile = words.data() + begins[t];
      const auto head = kernels::detail::TileHead<size>::of(tile[0]);
      EXPECT_EQ(head.num_words(kind), begins[t + 1] - begins[t]);
      ++tiles_of[static_cast<int>(kind)];
      entries_of[static_cast<int>(kind)] += head.entries;
      // As bits, so that NaN equals NaN.
      std::vector<std::pair<int, std::uint64_t>> by_rows[size];
      kernels::detail::for_entries_of_tile<size, Scalar>(
          tile, kind, [&](int row, int column, double value) {
            by_rows[row].emplace_back(column, Kokkos::bit_cast<std::uint64_t>(value));
            rows[tile_row * size + row].emplace_back(column_of_tiles * size + column,
                                                     static_cast<Scalar>(value));
          });
      // The other way to read it.
      for (int row = 0; row < size; ++row) {
        std::vector<std::pair<int, std::uint64_t>> alone;
        kernels::detail::for_row_of_tile<size, Scalar>(
            tile, kind, row, [&](int column, double value) {
              alone.emplace_back(column, Kokkos::bit_cast<std::uint64_t>(value));
            });
        EXPECT_EQ(alone, by_rows[row]);
      }
    }
  }
  EXPECT_EQ(tiles_of, tiles.tiles_of_kind);
  EXPECT_EQ(entries_of, tiles.entries_of_kind);
  return from_rows(tiles.num_cols, rows);
}

template <class Offset, class Space, class Scalar>
auto make_tiles(const Space& exec, const HostMatrix<Scalar>& A,
                const TileCriterion& criterion = {}) {
  const auto csr = make_csr<Offset>(exec, A);
  return kernels::csr_to_mixed_tiles(exec, csr.view(), criterion);
}

/// Bit by bit: zeros have signs, and NaN equals NaN.
template <class Scalar>
void expect_same_bits(const HostMatrix<Scalar>& actual, const HostMatrix<Scalar>& expected) {
  EXPECT_EQ(actual.num_rows, expected.num_rows);
  EXPECT_EQ(actual.num_cols, expected.num_cols);
  EXPECT_EQ(actual.offsets, expected.offsets);
  EXPECT_EQ(actual.columns, expected.columns);
  ASSERT_EQ(actual.values.size(), expected.values.size());
  if (actual.values.empty()) return;  // memcmp takes no null pointer
  EXPECT_EQ(std::memcmp(actual.values.data(), expected.values.data(),
                        actual.values.size() * sizeof(Scalar)),
            0);
}

/// Numbers that few bits hold, and some that need many: what `index` says.
template <class Scalar>
HostMatrix<Scalar> with_values(HostMatrix<Scalar> A, int variety) {
  Random random(variety + 5);
  for (auto& value : A.values) {
    const int which = variety == 4 ? random.below(4) : variety;
    const double sign = random.below(2) == 0 ? -1 : 1;
    const double number[] = {sign * (1 + random.below(8)), sign * (1 + random.below(1000)) / 1024.0,
                             static_cast<double>(static_cast<float>(random.uniform(-1, 1))),
                             random.uniform(-1, 1)};
    value = static_cast<Scalar>(number[which]);
  }
  return A;
}

}  // namespace tessera::test
