// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices of tiles for tests: a plain construction on the host, and the types that typed tests
/// run over.
#pragma once

#include "support/device.hpp"
#include "support/mbsr_matrices.hpp"
#include "support/random_matrix.hpp"
#include "support/same_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace tessera::test {

/// A storage scalar and a space.
template <class StorageType, class SpaceType>
struct Stored {
  using Storage = StorageType;
  using Space = SpaceType;
};

/// A storage scalar, a working scalar and a space.
template <class StorageType, class WorkingType, class SpaceType>
struct Mixed {
  using Storage = StorageType;
  using Working = WorkingType;
  using Space = SpaceType;
};

/// The working scalar of each.
template <class Storage, class Space>
Storage working_of(Stored<Storage, Space>);
template <class Storage, class Working, class Space>
Working working_of(Mixed<Storage, Working, Space>);

#define TESSERA_TEST_STORED(Space)                        \
  Stored<double, Space>, Stored<float, Space>,            \
      Stored<Half, Space> TESSERA_IF_ALL_STORAGE_SCALARS( \
          , Stored<BFloat16, Space>, Stored<Fp8E4M3, Space>, Stored<Fp8E5M2, Space>)
#define TESSERA_TEST_MIXED(Working, Space)                                   \
  Mixed<double, Working, Space>, Mixed<float, Working, Space>,               \
      Mixed<Half, Working, Space> TESSERA_IF_ALL_STORAGE_SCALARS(            \
          , Mixed<BFloat16, Working, Space>, Mixed<Fp8E4M3, Working, Space>, \
          Mixed<Fp8E5M2, Working, Space>)

#define TESSERA_TEST_ALL_MIXED(Space) \
  TESSERA_TEST_MIXED(double, Space), TESSERA_TEST_MIXED(float, Space)

/// Every storage scalar in every enabled space.
using StoredTypes = TESSERA_TEST_SPACES(TESSERA_TEST_STORED);
/// Every storage scalar beside every working scalar in every enabled space.
using MixedTypes = TESSERA_TEST_SPACES(TESSERA_TEST_ALL_MIXED);

#undef TESSERA_TEST_STORED
#undef TESSERA_TEST_MIXED
#undef TESSERA_TEST_ALL_MIXED

/// A test of a suite over such types; its body is a function of these and of an instance.
#define TESSERA_STORED_TEST(Suite, Name)                                                       \
  template <class TypeParam, class Storage, class Working, class Space>                        \
  void Suite##_##Name(const Space& exec);                                                      \
  TYPED_TEST(Suite, Name) {                                                                    \
    using Space = typename TypeParam::Space;                                                   \
    Suite##_##Name<TypeParam, typename TypeParam::Storage, decltype(working_of(TypeParam()))>( \
        Space());                                                                              \
  }                                                                                            \
  template <class TypeParam, class Storage, class Working, class Space>                        \
  void Suite##_##Name([[maybe_unused]] const Space& exec)

/// "half" for Half, and so on.
template <class Scalar>
std::string scalar_name() {
  if (std::is_same_v<Scalar, double>) return "double";
  if (std::is_same_v<Scalar, float>) return "float";
  if (std::is_same_v<Scalar, Half>) return "half";
  if (std::is_same_v<Scalar, BFloat16>) return "bfloat16";
  if (std::is_same_v<Scalar, Fp8E4M3>) return "e4m3";
  return "e5m2";
}

/// Readable names: half_OpenMP for a Stored, half_double_OpenMP for a Mixed.
class StoredNames {
 public:
  template <class Param>
  static std::string GetName(int) {
    std::string name = scalar_name<typename Param::Storage>();
    if constexpr (requires { typename Param::Working; }) {
      name += "_" + scalar_name<typename Param::Working>();
    }
    return name + "_" + Param::Space::name();
  }
};

inline constexpr std::array tile_layouts{kernels::TileLayout::packed, kernels::TileLayout::dense};

/// A with the values that storage of `Storage` under `scale` stands for; the order of the entries
/// is kept.
template <class Storage>
HostMatrix<double> rounded_to(HostMatrix<double> A, double scale = 1) {
  for (double& value : A.values)
    value = scale * static_cast<double>(static_cast<Storage>(value / scale));
  return A;
}

/// A tile of a tile row under construction: its entries by place.
template <class Storage>
using HostTile = std::map<int, Storage>;

/// The tiles of each tile row, by tile column. Rows of `A` may be unsorted.
template <class Storage>
std::vector<std::map<Ordinal, HostTile<Storage>>> tiles_of(const HostMatrix<double>& A,
                                                           double scale) {
  std::vector<std::map<Ordinal, HostTile<Storage>>> rows((A.num_rows + 3) / 4);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    rows[i / 4][j / 4][4 * (i % 4) + j % 4] = static_cast<Storage>(value / scale);
  });
  return rows;
}

/// `A`, without duplicates, as tiles in the memory of `Space`: value `v` is stored as v / scale
/// rounded to `Storage`.
template <class Storage, class Space>
kernels::Mbsr<Storage, Space> make_mbsr(const Space& exec, const HostMatrix<double>& A,
                                        kernels::TileLayout layout = kernels::TileLayout::packed,
                                        double scale = 1) {
  const bool packed = layout == kernels::TileLayout::packed;
  std::vector<std::int32_t> tile_offsets{0};
  std::vector<Ordinal> tile_columns;
  std::vector<kernels::TileMap> maps;
  std::vector<std::int64_t> value_offsets;
  std::vector<Storage> values;
  if (packed) value_offsets.push_back(0);
  for (const auto& row : tiles_of<Storage>(A, scale)) {
    for (const auto& [column, tile] : row) {
      unsigned map = 0;
      std::array<Storage, 16> places;
      places.fill(static_cast<Storage>(0.0));
      for (const auto& [place, value] : tile) {
        map |= 1u << place;
        places[place] = value;
        if (packed) values.push_back(value);
      }
      if (!packed) values.insert(values.end(), places.begin(), places.end());
      tile_columns.push_back(column);
      maps.push_back(static_cast<kernels::TileMap>(map));
    }
    tile_offsets.push_back(static_cast<std::int32_t>(maps.size()));
    if (packed) value_offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  kernels::Mbsr<Storage, Space> B;
  B.num_rows = A.num_rows;
  B.num_cols = A.num_cols;
  B.num_entries = A.num_entries();
  B.layout = layout;
  B.scale = scale;
  B.tile_offsets = to_device(exec, tile_offsets);
  B.tile_columns = to_device(exec, tile_columns);
  B.maps = to_device(exec, maps);
  B.value_offsets = to_device(exec, value_offsets);
  B.values = to_device(exec, values);
  return B;
}

/// Fails the running test where an array of `A` has the wrong length, offsets do not ascend, tiles
/// are not sorted by column, a tile is empty or reaches over the edge, or a dense tile has a value
/// that its map does not. A test that goes on to read `A` stops at a failure
/// (ASSERT_NO_FATAL_FAILURE).
template <class Storage, class Space>
void expect_well_formed(const kernels::Mbsr<Storage, Space>& A) {
  const bool packed = A.layout == kernels::TileLayout::packed;
  const auto tile_offsets = to_host(A.tile_offsets);
  const auto tile_columns = to_host(A.tile_columns);
  const auto maps = to_host(A.maps);
  const auto value_offsets = to_host(A.value_offsets);
  const auto values = to_host(A.values);
  const std::size_t tile_rows = (A.num_rows + 3) / 4;
  ASSERT_EQ(tile_offsets.size(), tile_rows + 1);
  ASSERT_EQ(tile_offsets.front(), 0);
  ASSERT_EQ(static_cast<std::size_t>(tile_offsets.back()), tile_columns.size());
  ASSERT_EQ(maps.size(), tile_columns.size());
  ASSERT_EQ(value_offsets.size(), packed ? tile_rows + 1 : 0);
  ASSERT_EQ(values.size(), packed ? A.num_entries : 16 * maps.size());
  std::int64_t entries = 0;
  for (std::size_t row = 0; row < tile_rows; ++row) {
    ASSERT_LE(tile_offsets[row], tile_offsets[row + 1]);
    if (packed) {
      ASSERT_EQ(value_offsets[row], entries) << "tile row " << row;
    }
    for (auto t = tile_offsets[row]; t < tile_offsets[row + 1]; ++t) {
      ASSERT_NE(maps[t], 0) << "tile " << t << " of tile row " << row;
      if (t > tile_offsets[row]) {
        ASSERT_LT(tile_columns[t - 1], tile_columns[t]);
      }
      ASSERT_GE(tile_columns[t], 0);
      for (int place = 0; place < 16; ++place) {
        const bool set = (maps[t] >> place & 1) != 0;
        entries += set ? 1 : 0;
        if (set) {
          ASSERT_LT(4 * static_cast<Ordinal>(row) + place / 4, A.num_rows);
          ASSERT_LT(4 * tile_columns[t] + place % 4, A.num_cols);
        } else if (!packed) {
          ASSERT_EQ(static_cast<double>(values[16 * static_cast<std::size_t>(t) + place]), 0);
        }
      }
    }
  }
  ASSERT_EQ(static_cast<std::size_t>(entries), A.num_entries);
  if (packed) {
    ASSERT_EQ(value_offsets.back(), entries);
  }
}

/// The matrix that `A` stands for, scale included, rows sorted.
template <class Storage, class Space>
HostMatrix<double> to_host_matrix(const kernels::Mbsr<Storage, Space>& A) {
  const auto tile_offsets = to_host(A.tile_offsets);
  const auto tile_columns = to_host(A.tile_columns);
  const auto maps = to_host(A.maps);
  const auto values = to_host(A.values);
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(A.num_rows);
  std::size_t next = 0;
  for (std::size_t row = 0; row + 1 < tile_offsets.size(); ++row) {
    for (auto t = tile_offsets[row]; t < tile_offsets[row + 1]; ++t) {
      for (int place = 0; place < 16; ++place) {
        const bool set = (maps[t] >> place & 1) != 0;
        if (set) {
          rows.at(4 * row + place / 4)
              .emplace_back(4 * tile_columns[t] + place % 4,
                            A.scale * static_cast<double>(values.at(next)));
        }
        next += set || A.layout == kernels::TileLayout::dense ? 1 : 0;
      }
    }
  }
  return from_rows(A.num_cols, rows);
}

}  // namespace tessera::test
