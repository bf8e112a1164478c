// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The lanes of the tensor-core products, with the instructions carried out on the host.
#include "support/random_matrix.hpp"

#include "tessera/kernels/spmv/cuda/tile_pair.hpp"
#include "tessera/kernels/spmv/hip/tile_quad.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test::tile_pair_test {

using kernels::tile_places;
using kernels::tile_size;
using kernels::cuda::MmaF64;
using kernels::cuda::TilePair;

struct Fragments {
  double a[MmaF64::lanes] = {};
  double b[MmaF64::lanes] = {};
  double c[MmaF64::lanes][2] = {};
};

/// C += A B by the definition of the fragments.
void multiply_add(Fragments& f) {
  double A[8][4];
  double B[4][8];
  for (int lane = 0; lane < MmaF64::lanes; ++lane) {
    A[MmaF64::a_row(lane)][MmaF64::a_col(lane)] = f.a[lane];
    B[MmaF64::b_row(lane)][MmaF64::b_col(lane)] = f.b[lane];
  }
  for (int lane = 0; lane < MmaF64::lanes; ++lane) {
    for (int which = 0; which < 2; ++which) {
      for (int k = 0; k < 4; ++k) {
        f.c[lane][which] += A[MmaF64::c_row(lane)][k] * B[k][MmaF64::c_col(lane, which)];
      }
    }
  }
}

TEST(TilePair, FragmentsHoldEveryElementOnce) {
  int a[8][4] = {};
  int b[4][8] = {};
  int c[8][8] = {};
  for (int lane = 0; lane < MmaF64::lanes; ++lane) {
    ++a[MmaF64::a_row(lane)][MmaF64::a_col(lane)];
    ++b[MmaF64::b_row(lane)][MmaF64::b_col(lane)];
    ++c[MmaF64::c_row(lane)][MmaF64::c_col(lane, 0)];
    ++c[MmaF64::c_row(lane)][MmaF64::c_col(lane, 1)];
  }
  const auto expect_once = [](const auto& counts) {
    for (const auto& row : counts) {
      for (const int count : row)
        EXPECT_EQ(count, 1);
    }
  };
  expect_once(a);
  expect_once(b);
  expect_once(c);
}

TEST(TilePair, ProductsOfManyPairsAddUp) {
  constexpr int tiles = 6;
  const auto values = random_vector<double>(tiles * tile_places, 3);
  const auto x = random_vector<double>(tiles * tile_size * TilePair::max_columns, 4);
  const auto x_at = [&](int tile, int row, int column) {
    return x[(tile * tile_size + row) * TilePair::max_columns + column];
  };
  Fragments f;
  for (int first = 0; first < tiles; first += 2) {
    for (int lane = 0; lane < MmaF64::lanes; ++lane) {
      const int tile = first + TilePair::tile(lane);
      f.a[lane] = values[tile * tile_places + TilePair::place(lane)];
      f.b[lane] = x_at(tile, TilePair::x_row(lane), TilePair::x_column(lane));
    }
    multiply_add(f);
  }
  int results = 0;
  for (int lane = 0; lane < MmaF64::lanes; ++lane) {
    if (!TilePair::has_result(lane)) continue;
    for (int which = 0; which < 2; ++which) {
      const int row = TilePair::result_row(lane);
      const int column = TilePair::result_column(lane, which);
      double expected = 0;
      for (int tile = 0; tile < tiles; ++tile) {
        for (int k = 0; k < tile_size; ++k) {
          expected += values[tile * tile_places + tile_size * row + k] * x_at(tile, k, column);
        }
      }
      EXPECT_NEAR(f.c[lane][which] + f.c[TilePair::partner(lane)][which], expected, 1e-14);
      ++results;
    }
  }
  EXPECT_EQ(results, tile_size * TilePair::max_columns);
}

TEST(TileQuad, ProductsOfManyQuadsAddUp) {
  using kernels::hip::TileQuad;
  constexpr int tiles = 8;
  const auto values = random_vector<double>(tiles * tile_places, 5);
  const auto x = random_vector<double>(tiles * tile_size * TileQuad::max_columns, 6);
  const auto x_at = [&](int tile, int row, int column) {
    return x[(tile * tile_size + row) * TileQuad::max_columns + column];
  };
  std::vector<double> d(TileQuad::lanes, 0.0);
  for (int first = 0; first < tiles; first += TileQuad::tiles) {
    double A[4][4][4];
    double B[4][4][4];
    for (int lane = 0; lane < TileQuad::lanes; ++lane) {
      const int block = TileQuad::tile(lane);
      const int tile = first + block;
      A[block][TileQuad::a_row(lane)][TileQuad::a_col(lane)] =
          values[tile * tile_places + TileQuad::place(lane)];
      B[block][TileQuad::b_row(lane)][TileQuad::b_col(lane)] =
          x_at(tile, TileQuad::b_row(lane), TileQuad::b_col(lane));
    }
    for (int lane = 0; lane < TileQuad::lanes; ++lane) {
      const int block = TileQuad::tile(lane);
      for (int k = 0; k < 4; ++k)
        d[lane] += A[block][TileQuad::d_row(lane)][k] * B[block][k][TileQuad::d_col(lane)];
    }
  }
  int results = 0;
  for (int lane = 0; lane < TileQuad::lanes; ++lane) {
    if (TileQuad::tile(lane) != 0) continue;
    const auto pair_sum = [&](int l) { return d[l] + d[l ^ TileQuad::first_neighbour]; };
    const double sum = pair_sum(lane) + pair_sum(lane ^ TileQuad::second_neighbour);
    double expected = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      for (int k = 0; k < tile_size; ++k) {
        expected += values[tile * tile_places + tile_size * TileQuad::d_row(lane) + k] *
                    x_at(tile, k, TileQuad::d_col(lane));
      }
    }
    EXPECT_NEAR(sum, expected, 1e-14);
    ++results;
  }
  EXPECT_EQ(results, tile_size * TileQuad::max_columns);
}

}  // namespace tessera::test::tile_pair_test
