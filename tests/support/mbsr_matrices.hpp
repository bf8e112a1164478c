// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices that are hard on tiles, among them the shapes that every kernel must take.
#pragma once

#include "support/random_matrix.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::test {

/// Rows `rows` by columns `columns`, full.
inline HostMatrix<double> full_matrix(std::int32_t rows, std::int32_t columns,
                                      std::uint64_t seed = 11) {
  return random_matrix<double>(
      {.num_rows = rows, .num_cols = columns, .density = 1.1, .seed = seed});
}

/// A 4 by 4 block diagonal matrix with full blocks, coupled to the next block and to one far away.
inline HostMatrix<double> full_blocks(std::int32_t blocks, std::uint64_t seed = 12) {
  Random random(seed);
  return by_rows<double>(4 * blocks, 4 * blocks, [&](auto& A, std::int32_t row) {
    std::vector<std::int32_t> neighbours{row / 4, (row / 4 + 1) % blocks, (7 * (row / 4)) % blocks};
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (const std::int32_t block : neighbours) {
      for (int c = 0; c < 4; ++c)
        A.push(4 * block + c, random.uniform(-1, 1));
    }
  });
}

/// Tiles alike side by side, as grids have them: in each tile row two diagonal tiles, two of one
/// entry somewhere, and two with a diagonal and one entry more. The last rows of tiles are left
/// out.
inline HostMatrix<double> alike_tiles(std::int32_t tile_rows, std::uint64_t seed = 14) {
  Random random(seed);
  return by_rows<double>(4 * tile_rows - 2, 4 * (tile_rows + 13), [&](auto& A, std::int32_t row) {
    const std::int32_t tile = row / 4;
    const std::int32_t r = row % 4;
    for (const int distance : {0, 3, 5, 8, 9, 12}) {
      const bool one_entry = distance == 5 || distance == 8;
      const int place = (7 * tile + distance) % 16;
      for (int c = 0; c < 4; ++c) {
        if ((c == r && !one_entry) || (4 * r + c == place && distance >= 5))
          A.push(4 * (tile + distance) + c, random.uniform(-1, 1));
      }
    }
  });
}

/// Every third tile row has entries, the rest none, the first and the last among them.
inline HostMatrix<double> empty_tile_rows(std::int32_t tile_rows, std::uint64_t seed = 13) {
  Random random(seed);
  return by_rows<double>(4 * tile_rows, 4 * tile_rows, [&](auto& A, std::int32_t row) {
    for (std::int32_t column = 0; row / 4 % 3 == 1 && column < A.num_cols; ++column) {
      if (random.uniform() < 0.1) A.push(column, random.uniform(-1, 1));
    }
  });
}

/// The shapes that every kernel on tiles must take: those of `edge_case_matrices`, and sizes beside
/// the multiples of 4, one tile row, empty tile rows, a tile row of more than 3000 tiles, full
/// tiles, unsorted rows.
inline std::vector<HostMatrix<double>> mbsr_edge_cases() {
  std::vector<HostMatrix<double>> list = edge_case_matrices<double>();
  list.push_back(full_matrix(1, 1));
  list.push_back(full_matrix(3, 5));
  list.push_back(full_matrix(4, 4));
  list.push_back(full_matrix(5, 9));
  list.push_back(random_matrix<double>({.num_rows = 63, .num_cols = 65, .density = 0.3}));
  list.push_back(
      random_matrix<double>({.num_rows = 65, .num_cols = 63, .density = 0.03, .unsorted = true}));
  list.push_back(random_matrix<double>({.num_rows = 4, .num_cols = 1000, .density = 0.2}));
  list.push_back(empty_tile_rows(30));
  list.push_back(random_matrix<double>({.num_rows = 23,
                                        .num_cols = 13001,
                                        .density = 0.001,
                                        .empty_row_fraction = 0.3,
                                        .dense_row = 9,
                                        .unsorted = true,
                                        .seed = 8}));
  list.push_back(full_blocks(41));
  list.push_back(poisson<double>(13, 9, 7));
  return list;
}

}  // namespace tessera::test
