// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"

namespace tessera::test::rearrange_test {

TESSERA_TEST_SUITE(MbsrRearrangeTest, StoredTypes, StoredNames);

TESSERA_STORED_TEST(MbsrRearrangeTest, TransposeIsExactOnEveryShape) {
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

TESSERA_STORED_TEST(MbsrRearrangeTest, VisitsEveryTileByThreadsAndByLanes) {
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

}  // namespace tessera::test::rearrange_test
