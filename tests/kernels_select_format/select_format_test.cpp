// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mbsr.hpp"
#include "support/reference.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/detail/count_tiles.hpp"
#include "tessera/kernels/format/select_format.hpp"

namespace tessera::test::select_format_test {

using kernels::Format;
using kernels::FormatChoice;
using kernels::FormatStatistics;

#define TESSERA_TEST_OFFSETS(Space) Types<double, Space>, Types<double, Space, std::int64_t>
using OffsetTypes = TESSERA_TEST_SPACES(TESSERA_TEST_OFFSETS);
#undef TESSERA_TEST_OFFSETS
TESSERA_TEST_SUITE(SelectFormat, OffsetTypes, TypeNames);

/// What the device rule makes of the statistics of `A`, which any space counts alike.
template <class Offset, class Space>
FormatChoice choice_on_device(const Space& exec, const HostMatrix<double>& A,
                              const kernels::FormatOptions& options = {.cache_bytes = 1}) {
  const auto choice = kernels::select_format(exec, make_csr<Offset>(exec, A).view(), options);
  return kernels::choose_format(choice.statistics, false);
}

/// Dense blocks of `size` on the places of `pattern`.
HostMatrix<double> blocks_on(const HostMatrix<double>& pattern, std::int32_t size) {
  return by_rows<double>(
      pattern.num_rows * size, pattern.num_cols * size, [&](auto& A, std::int32_t i) {
        for (auto e = pattern.offsets[i / size]; e < pattern.offsets[i / size + 1]; ++e) {
          for (std::int32_t j = 0; j < size; ++j)
            A.push(pattern.columns[e] * size + j, 1.0);
        }
      });
}

/// Rows of `length` entries, each in a tile of its own, and `num_long` of `long_length`.
HostMatrix<double> scattered_uneven(std::int32_t n, std::int32_t length, std::int32_t num_long,
                                    std::int32_t long_length) {
  return by_rows<double>(n, 16 * long_length, [&](auto& A, std::int32_t i) {
    for (std::int32_t j = 0; j < (i < num_long ? long_length : length); ++j)
      A.push(16 * j + 4 * (i % 4), 1.0);
  });
}

/// Tiles counted by their definition.
std::int64_t count_tiles(const HostMatrix<double>& A) {
  std::int64_t tiles = 0;
  for (const auto& row : tiles_of<double>(A, 1))
    tiles += static_cast<std::int64_t>(row.size());
  return tiles;
}

TESSERA_TYPED_TEST(SelectFormat, CountsTheTilesOfMbsr) {
  auto list = edge_case_matrices<double>();
  list.push_back(poisson<double>(13, 11, 7));
  list.push_back(blocks_on(poisson<double>(7, 7), 3));
  for (const auto& A : list) {
    const auto s = kernels::select_format(exec, make_csr<Offset>(exec, A).view()).statistics;
    EXPECT_EQ(s.num_tiles, count_tiles(A));
    EXPECT_EQ(s.num_entries, A.num_entries());
    EXPECT_FALSE(s.duplicates);
    std::size_t longest = 0;
    for (const auto& row : tiles_of<double>(A, 1))
      longest = std::max(longest, row.size());
    EXPECT_EQ(s.longest_tile_row, static_cast<std::int64_t>(longest));
  }
}

/// The count by lanes, which a host does not use, against the one by merging.
TESSERA_TYPED_TEST(SelectFormat, LanesCountAsMergingDoes) {
  using kernels::detail::CountTiles;
  using kernels::detail::TileTally;
  auto list = edge_case_matrices<double>();
  list.push_back(poisson<double>(13, 11, 7));
  list.push_back(from_rows<double>(9, {{{0, 1}, {0, 1}, {8, 1}}, {{1, 1}, {8, 1}, {8, 1}}}));
  for (const auto& matrix : list) {
    const auto A = make_csr<Offset>(exec, sorted(matrix));
    const Ordinal tile_rows = kernels::tiles_for(A.num_rows);
    const auto merged = allocate<TileTally>(exec, "tessera::test", tile_rows);
    const auto by_lanes = allocate<TileTally>(exec, "tessera::test", tile_rows);
    Kokkos::parallel_for("tessera::test", Kokkos::RangePolicy<Space>(exec, 0, tile_rows),
                         CountTiles<Space, Offset>{A.offsets, A.columns, A.num_rows, merged});
    const int threads = kernels::is_host_space<Space> ? 1 : 32;
    const int lanes = kernels::is_host_space<Space> ? 1 : 8;
    Kokkos::parallel_for("tessera::test",
                         Kokkos::TeamPolicy<Space>(exec, tile_rows / threads + 1, threads, lanes),
                         CountTiles<Space, Offset>{A.offsets, A.columns, A.num_rows, by_lanes});
    const auto expected = to_host(merged);
    const auto actual = to_host(by_lanes);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(actual[i].tiles, expected[i].tiles) << "tile row " << i;
      ASSERT_EQ(actual[i].duplicates, expected[i].duplicates) << "tile row " << i;
      ASSERT_EQ(actual[i].descents, expected[i].descents) << "tile row " << i;
    }
  }
}

TESSERA_TYPED_TEST(SelectFormat, StencilGoesToPackedTiles) {
  const auto choice = choice_on_device<Offset>(Space(), poisson<double>(40, 40, 4));
  EXPECT_EQ(choice.format, Format::mbsr);
  EXPECT_EQ(choice.layout, kernels::TileLayout::packed);
  EXPECT_FALSE(choice.load_balanced);
}

TESSERA_TYPED_TEST(SelectFormat, BlocksOfFourGoToDenseTiles) {
  const auto choice = choice_on_device<Offset>(Space(), blocks_on(poisson<double>(20, 20), 4));
  EXPECT_EQ(choice.format, Format::mbsr);
  EXPECT_EQ(choice.layout, kernels::TileLayout::dense);
  const auto three = choice_on_device<Offset>(Space(), blocks_on(poisson<double>(20, 20), 3));
  EXPECT_EQ(three.format, Format::mbsr);
  EXPECT_EQ(three.layout, kernels::TileLayout::packed);
}

TESSERA_TYPED_TEST(SelectFormat, ScatteredEntriesGoToEllWhereRowsAreEven) {
  const auto choice = choice_on_device<Offset>(Space(), scattered_uneven(4000, 4, 0, 4));
  EXPECT_EQ(choice.format, Format::ell);
  EXPECT_NE(choice.reason.find("4 slots per row, 0.0 % padding"), std::string::npos)
      << choice.reason;
}

TESSERA_TYPED_TEST(SelectFormat, ADenseRowNeedsTheLoadBalancedKernel) {
  const auto choice = choice_on_device<Offset>(Space(), scattered_uneven(4000, 12, 40, 6000));
  EXPECT_EQ(choice.format, Format::csr);
  EXPECT_TRUE(choice.load_balanced);
  EXPECT_NE(choice.reason.find("rows uneven (longest 6000"), std::string::npos) << choice.reason;
}

TESSERA_TYPED_TEST(SelectFormat, FewLongRowsGoBesideEll) {
  const auto choice = choice_on_device<Offset>(Space(), scattered_uneven(4000, 3, 1, 50));
  EXPECT_EQ(choice.format, Format::hyb);
  EXPECT_EQ(choice.statistics.hyb_width, 3);
  EXPECT_EQ(choice.statistics.hyb_rest, 47u);
  EXPECT_NE(choice.reason.find("3 slots per row and 47 entries beside"), std::string::npos)
      << choice.reason;
}

TESSERA_TYPED_TEST(SelectFormat, AnArrowHasUnevenTileRows) {
  const auto A = with_long_rows<double>(
      3000, [](std::int32_t i) { return i == 0; }, [](std::int32_t, std::int32_t) { return 1; });
  const auto choice = choice_on_device<Offset>(Space(), A);
  EXPECT_TRUE(choice.statistics.rows_uneven());
  EXPECT_TRUE(choice.statistics.tile_rows_uneven());
  EXPECT_EQ(choice.format, Format::mbsr);
  EXPECT_TRUE(choice.load_balanced);
  EXPECT_NE(choice.reason.find("tile rows uneven (longest 750"), std::string::npos)
      << choice.reason;
}

TESSERA_TYPED_TEST(SelectFormat, DuplicatesKeepAMatrixOutOfMbsr) {
  auto A = blocks_on(poisson<double>(10, 10), 4);
  A.columns[1] = A.columns[0];
  const auto choice = choice_on_device<Offset>(Space(), A);
  EXPECT_TRUE(choice.statistics.duplicates);
  EXPECT_NE(choice.format, Format::mbsr);
}

TESSERA_TYPED_TEST(SelectFormat, UnsortedRowsAreSortedFirst) {
  auto A = poisson<double>(20, 20);
  const auto expected = choice_on_device<Offset>(Space(), A);
  for (std::int32_t i = 0; i < A.num_rows; ++i)
    std::reverse(A.columns.begin() + A.offsets[i], A.columns.begin() + A.offsets[i + 1]);
  const auto choice = choice_on_device<Offset>(Space(), A);
  EXPECT_FALSE(choice.statistics.sorted);
  EXPECT_EQ(choice.statistics.num_tiles, expected.statistics.num_tiles);
  EXPECT_EQ(choice.reason, expected.reason);
}

TESSERA_TYPED_TEST(SelectFormat, InTheCacheCsrStays) {
  const auto choice = choice_on_device<Offset>(Space(), poisson<double>(30, 30), {});
  EXPECT_EQ(choice.format, Format::csr);
  EXPECT_NE(choice.reason.find("% saved, under the 30 % that pay "), std::string::npos)
      << choice.reason;
}

TESSERA_TYPED_TEST(SelectFormat, NoEntriesIsCsr) {
  for (const std::int32_t rows : {0, 5}) {
    const auto choice = choice_on_device<Offset>(
        Space(), random_matrix<double>({.num_rows = rows, .num_cols = 5, .density = 0}));
    EXPECT_EQ(choice.format, Format::csr);
    EXPECT_EQ(choice.reason, "csr: no entries");
  }
}

/// The figures of 7-point 256^3: what a user reads in the setup table.
TEST(ChooseFormat, SaysWhyWithTheNumbers) {
  FormatStatistics s;
  s.num_entries = 117047296;
  s.num_tiles = 29187072;
  s.rows.longest = 7;
  s.rows.mean = 6.977;
  s.longest_tile_row = 7;
  s.mean_tile_row = 6.96;
  s.ell_padding = 0.0034;
  s.cache_bytes = 50'000'000;
  s.csr_bytes = 1.740e9;
  s.coo_bytes = 2.1e9;
  s.ell_bytes = 1.678e9;
  s.hyb_bytes = std::numeric_limits<double>::infinity();
  s.mbsr_packed_bytes = 1.396e9;
  s.mbsr_dense_bytes = 4.2e9;
  const auto choice = kernels::choose_format(s, false);
  EXPECT_EQ(choice.format, Format::mbsr);
  EXPECT_EQ(choice.reason,
            "mbsr, packed: 4.01 entries per tile, 1.40 GB per product against 1.74 GB in csr; tile "
            "rows even");
  // On a device up to three caches count as small.
  s.cache_bytes = 600'000'000;
  const auto small = kernels::choose_format(s, false);
  EXPECT_EQ(small.format, Format::csr);
  EXPECT_NE(small.reason.find("that pay near a cache of 600 MB"), std::string::npos)
      << small.reason;
  EXPECT_EQ(kernels::choose_format(s, true).format, Format::mbsr);
  s.cache_bytes = 50'000'000;
  // Storage of 16 bits shrinks the values, not the columns that packed tiles save.
  s.csr_bytes = 1.038e9;
  s.mbsr_packed_bytes = 0.70e9;
  EXPECT_EQ(kernels::choose_format(s, true).format, Format::mbsr);
  s.mbsr_packed_bytes = 0.90e9;
  EXPECT_EQ(kernels::choose_format(s, true).format, Format::csr);
  EXPECT_EQ(kernels::choose_format(s, true).reason,
            "csr: 4.01 entries per tile, 1.04 GB per product against 900 MB in mbsr, packed: 13 % "
            "saved, under the 15 % that pay on a host; rows even");
}

TEST(ChooseFormat, CooWhereItIsSmallest) {
  FormatStatistics s;
  s.num_entries = 1000;
  s.num_tiles = 1000;
  s.rows.mean = 0.25;
  s.rows.empty_rows = 3000;
  s.ell_padding = 3;
  s.csr_bytes = 108000;
  s.coo_bytes = 92000;
  s.ell_bytes = 112000;
  s.hyb_bytes = 112000;
  s.mbsr_packed_bytes = 93000;
  s.mbsr_dense_bytes = 210000;
  const auto choice = kernels::choose_format(s, false);
  EXPECT_EQ(choice.format, Format::coo);
  EXPECT_EQ(
      choice.reason,
      "coo: 0.25 entries per row, 3000 rows empty, 92.0 kB per product against 108 kB in csr");
}

/// Bytes are those of the arrays: what the conversions allocate, for one product.
TESSERA_TYPED_TEST(SelectFormat, BytesAreThoseOfTheArrays) {
  const auto A = poisson<double>(16, 8);
  const auto csr = make_csr<Offset>(exec, A);
  const auto s = kernels::select_format(exec, csr.view(), {.value_bytes = 2}).statistics;
  const double vectors = 2.0 * 128 * 8;
  const auto entries = static_cast<double>(A.num_entries());
  EXPECT_EQ(s.num_rows, 128);
  EXPECT_EQ(s.value_bytes, 2);
  EXPECT_EQ(s.vector_bytes, vectors);
  EXPECT_EQ(s.csr_bytes, vectors + entries * 6 + 129 * sizeof(Offset));
  EXPECT_EQ(s.coo_bytes, vectors + entries * 10);
  EXPECT_EQ(s.ell_bytes, vectors + 5 * 128 * 6);
  const auto packed = make_mbsr<Half>(exec, A);
  EXPECT_EQ(s.mbsr_packed_bytes, vectors + static_cast<double>(packed.bytes()));
  const auto dense = make_mbsr<Half>(exec, A, kernels::TileLayout::dense);
  EXPECT_EQ(s.mbsr_dense_bytes, vectors + static_cast<double>(dense.bytes()));
}

}  // namespace tessera::test::select_format_test
