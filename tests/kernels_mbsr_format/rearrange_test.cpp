// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/diagonal.hpp"
#include "tessera/kernels/format/mbsr/scale.hpp"
#include "tessera/kernels/format/mbsr/transpose.hpp"

namespace tessera::test {
namespace {

template <class Param>
class MbsrRearrangeTest : public ::testing::Test {};
TYPED_TEST_SUITE(MbsrRearrangeTest, StoredTypes, StoredNames);

TYPED_TEST(MbsrRearrangeTest, TransposeIsExactOnEveryShape) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  int number = 0;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    for (const auto layout : tile_layouts) {
      const auto tiles = make_mbsr<Storage>(exec, A, layout, 0.5);
      const auto expected = make_mbsr<Storage>(exec, transpose(A), layout, 0.5);
      const auto actual = kernels::transpose(exec, tiles.view());
      expect_well_formed(actual);
      expect_same_arrays(actual, expected);
      expect_same_arrays(kernels::transpose(exec, actual.view()), tiles);
    }
  }
}

/// Where the values of each tile begin, as the visits say.
template <class Space>
struct NoteVisit {
  Array<std::int64_t, Space> starts;
  Array<Ordinal, Space> tile_rows;

  KOKKOS_FUNCTION void operator()(Ordinal tile_row, std::int32_t tile, std::int64_t start) const {
    starts(tile) = start;
    tile_rows(tile) = tile_row;
  }
};

TYPED_TEST(MbsrRearrangeTest, VisitsEveryTileByThreadsAndByLanes) {
  using Storage = typename TypeParam::Storage;
  using Space = typename TypeParam::Space;
  const Space exec;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    for (const auto layout : tile_layouts) {
      const auto tiles = make_mbsr<Storage>(exec, A, layout);
      const auto maps = to_host(tiles.maps);
      const auto offsets = to_host(tiles.tile_offsets);
      std::vector<std::int64_t> starts;
      std::vector<Ordinal> tile_rows;
      std::int64_t next = 0;
      for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        for (auto t = offsets[row]; t < offsets[row + 1]; ++t) {
          starts.push_back(next);
          tile_rows.push_back(static_cast<Ordinal>(row));
          for (int place = 0; place < 16; ++place)
            next += layout == kernels::TileLayout::dense || (maps[t] >> place & 1) != 0 ? 1 : 0;
        }
      }
      const auto pattern = kernels::detail::tile_places_of(tiles.view());
      for (const bool by_lanes : {false, true}) {
        const NoteVisit<Space> visit{allocate<std::int64_t>(exec, "tessera::test", maps.size()),
                                     allocate<Ordinal>(exec, "tessera::test", maps.size())};
        if (by_lanes) {
          kernels::detail::for_each_tile_by_lanes(exec, "tessera::test", pattern, visit);
        } else {
          kernels::detail::for_each_tile_by_rows(exec, "tessera::test", pattern, visit);
        }
        EXPECT_EQ(to_host(visit.starts), starts);
        EXPECT_EQ(to_host(visit.tile_rows), tile_rows);
      }
    }
  }
}

template <class Param>
class MbsrVectorTest : public ::testing::Test {};
TYPED_TEST_SUITE(MbsrVectorTest, MixedTypes, StoredNames);

TYPED_TEST(MbsrVectorTest, Diagonal) {
  using Storage = typename TypeParam::Storage;
  using Working = typename TypeParam::Working;
  using Space = typename TypeParam::Space;
  const Space exec;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const auto held = rounded_to<Storage>(A, 2);
    std::vector<Working> diagonal(A.num_rows, Working(0));
    std::vector<Working> inverse(A.num_rows, Working(0));
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        if (A.columns[e] == i) diagonal[i] = static_cast<Working>(held.values[e]);
      }
      if (diagonal[i] != 0) inverse[i] = Working(0.75) / diagonal[i];
    }
    for (const auto layout : tile_layouts) {
      const auto tiles = make_mbsr<Storage>(exec, A, layout, 2);
      const auto d = allocate<Working>(exec, "tessera::test", A.num_rows);
      Kokkos::deep_copy(exec, d, Working(-77));
      kernels::extract_diagonal<Working>(exec, tiles.view(), d);
      EXPECT_EQ(to_host(d), diagonal);
      EXPECT_EQ(to_host(kernels::inverse_diagonal<Working>(exec, tiles.view(), Working(0.75))),
                inverse);
    }
  }
  const auto wrong = allocate<Working>(exec, "tessera::test", 4);
  const auto tiles = make_mbsr<Storage>(exec, identity<double>(5));
  EXPECT_THROW(kernels::extract_diagonal<Working>(exec, tiles.view(), wrong), Error);
}

/// A's entries as held, times the factors of their rows or columns, held again.
template <class Storage, class Working>
HostMatrix<double> scaled(const HostMatrix<double>& A, double scale, const std::vector<Working>& d,
                          bool by_column) {
  HostMatrix<double> B = A;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const auto held = static_cast<double>(static_cast<Storage>(A.values[e] / scale));
      B.values[e] = scale * held * static_cast<double>(d[by_column ? A.columns[e] : i]);
    }
  }
  return rounded_to<Storage>(B, scale);
}

TYPED_TEST(MbsrVectorTest, ScalesRowsAndColumnsInPlace) {
  using Storage = typename TypeParam::Storage;
  using Working = typename TypeParam::Working;
  using Space = typename TypeParam::Space;
  const Space exec;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const auto rows = random_vector<Working>(A.num_rows, 21);
    const auto columns = random_vector<Working>(A.num_cols, 22);
    for (const auto layout : tile_layouts) {
      const auto by_rows = make_mbsr<Storage>(exec, A, layout, 0.125);
      kernels::scale_rows<Working>(exec, by_rows, to_device(exec, rows));
      expect_well_formed(by_rows);
      expect_same(to_host_matrix(by_rows), sorted(scaled<Storage>(A, 0.125, rows, false)));
      const auto by_columns = make_mbsr<Storage>(exec, A, layout, 0.125);
      kernels::scale_columns<Working>(exec, by_columns, to_device(exec, columns));
      expect_well_formed(by_columns);
      expect_same(to_host_matrix(by_columns), sorted(scaled<Storage>(A, 0.125, columns, true)));
    }
  }
  const auto tiles =
      make_mbsr<Storage>(exec, random_matrix<double>({.num_rows = 5, .num_cols = 6}));
  const auto of_rows = allocate<Working>(exec, "tessera::test", 5);
  const auto of_columns = allocate<Working>(exec, "tessera::test", 6);
  EXPECT_THROW(kernels::scale_rows<Working>(exec, tiles, of_columns), Error);
  EXPECT_THROW(kernels::scale_columns<Working>(exec, tiles, of_rows), Error);
}

}  // namespace
}  // namespace tessera::test
