// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr/csr_to_mbsr_impl.hpp"

namespace tessera::test::csr_to_mbsr_test {

using kernels::TileLayout;

TESSERA_TEST_SUITE(CsrToMbsrTest, StoredTypes, StoredNames);

/// The conversion of one matrix by the way that the library picks, against the plain one.
template <class Storage, class Scalar, class Offset, class Space>
void check(const Space& exec, const HostMatrix<double>& host, double scale) {
  const HostMatrix<Scalar> A = converted<Scalar>(host);
  const auto csr = make_csr<Offset>(exec, A);
  for (const TileLayout layout : tile_layouts) {
    const auto actual = kernels::csr_to_mbsr<Storage>(exec, csr.view(), layout, scale);
    expect_well_formed(actual);
    expect_same_arrays(actual, make_mbsr<Storage>(exec, converted<double>(host), layout, scale));
  }
}

/// Parts whose stages few entries, most, or all fit into.
template <class Csr>
std::vector<kernels::detail::TileParts> kinds_of_parts(const Csr& A) {
  using kernels::detail::TileParts;
  const std::int32_t tile_rows = kernels::tiles_for(A.num_rows);
  return {TileParts(tile_rows, A.num_entries(), 16), TileParts(tile_rows, A.num_entries(), 100),
          TileParts(tile_rows, A.num_entries())};
}

/// The same by threads, and by each kind of parts.
template <class Storage, class Scalar, class Offset, class Space>
void check_each_variant(const Space& exec, const HostMatrix<double>& host, TileLayout layout) {
  const auto csr = make_csr<Offset>(exec, converted<Scalar>(host));
  const auto expected = make_mbsr<Storage>(exec, host, layout);
  const kernels::detail::TilesByMerging<Space, Offset> by_merging;
  expect_same_arrays(
      kernels::detail::csr_to_mbsr_by<Storage>(exec, csr.view(), by_merging, layout, 1.0),
      expected);
  for (const auto& parts : kinds_of_parts(csr)) {
    const kernels::detail::TilesByParts<Space, Offset> by_parts{parts};
    expect_same_arrays(
        kernels::detail::csr_to_mbsr_by<Storage>(exec, csr.view(), by_parts, layout, 1.0),
        expected);
  }
}

/// Values of float, so that every scalar of CSR holds them.
std::vector<HostMatrix<double>> cases() {
  std::vector<HostMatrix<double>> list = mbsr_edge_cases();
  for (auto& A : list)
    A = converted<double>(rounded_to<float>(A));
  return list;
}

TESSERA_STORED_TEST(CsrToMbsrTest, IsExactOnEveryShape) {
  int number = 0;
  for (const auto& A : share_of(cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    check<Storage, double, std::int32_t>(exec, A, 1);
    check<Storage, float, std::int64_t>(exec, A, 1);
    check<Storage, float, std::int32_t>(exec, A, 0x1p-7);
    check<Storage, double, std::int64_t>(exec, A, 0x1p+3);
  }
}

TESSERA_STORED_TEST(CsrToMbsrTest, GivesTheSameByThreadsAndByParts) {
  int number = 0;
  for (const auto& A : share_of(cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    check_each_variant<Storage, double, std::int32_t>(exec, A, TileLayout::packed);
    check_each_variant<Storage, float, std::int64_t>(exec, A, TileLayout::dense);
  }
}

TESSERA_TEST_SUITE(CsrToMbsrErrors, Spaces, TypeNames);

TESSERA_TYPED_TEST(CsrToMbsrErrors, DuplicatesThrow) {
  for (const bool adjacent : {true, false}) {
    HostMatrix<double> A = identity<double>(9);
    A.columns.push_back(adjacent ? 8 : 3);
    A.columns.push_back(8);
    A.values.resize(A.columns.size(), 2.0);
    A.offsets.back() += 2;
    const auto csr = make_csr(exec, A);
    EXPECT_THROW(kernels::csr_to_mbsr<float>(exec, csr.view()), Error);
  }
}

/// Columns from `first` on in steps of three.
void push_every_third(HostMatrix<double>& A, std::int32_t first, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i)
    A.push(first + 3 * i, 1.0 + i % 8);
}

/// Whether the first pass by each kind of parts finds what is amiss in tile row 2 alone.
template <class Space>
void expect_found(const Space& exec, const HostMatrix<double>& A) {
  const auto csr = make_csr(exec, A);
  const auto sizes = kernels::detail::allocate_sizes(exec, A.num_rows, kernels::TileLayout::packed);
  for (const auto& parts : kinds_of_parts(csr)) {
    const kernels::detail::TilesByParts<Space, std::int32_t> by_parts{parts};
    by_parts.count(exec, csr.offsets, csr.columns, csr.num_rows, sizes);
    const std::vector<std::int32_t> lengths = to_host(sizes.lengths);
    for (int tile_row = 0; tile_row < 4; ++tile_row)
      EXPECT_EQ(lengths[tile_row] == kernels::detail::not_ascending, tile_row == 2)
          << "tile row " << tile_row << ", capacity " << parts.capacity;
  }
}

TESSERA_TYPED_TEST(CsrToMbsrErrors, EntriesOutOfOrderAreFoundWhereverTheyAre) {
  const int length = 40;
  const auto A = by_rows<double>(14, 400, [&](auto& A, std::int32_t row) {
    if (row % 4 != 3) push_every_third(A, 7 * row, row % 4 == 2 ? length : 5);
  });
  for (int i = 1; i < length; ++i) {
    for (const bool twice : {true, false}) {
      HostMatrix<double> B = A;
      std::int32_t* const column = &B.columns[B.offsets[10] + i];
      if (twice) {
        column[0] = column[-1];
      } else {
        std::swap(column[0], column[-1]);
      }
      expect_found(exec, B);
    }
  }
}

TESSERA_TYPED_TEST(CsrToMbsrErrors, ScalesThatAreNotPowersOfTwoThrow) {
  const auto csr = make_csr(exec, identity<double>(3));
  for (const double scale : {0.0, -2.0, 3.0, 0.1, std::nan(""), HUGE_VAL, 0x1p-1074}) {
    EXPECT_THROW(kernels::csr_to_mbsr<Half>(exec, csr.view(), TileLayout::packed, scale), Error)
        << scale;
  }
}

TESSERA_TYPED_TEST(CsrToMbsrErrors, LengthsAreSummedAtEveryNumberOfThem) {
  for (int number = 0; number < 70; ++number) {
    std::vector<std::int32_t> lengths(number + 1);
    for (int i = 0; i < number; ++i)
      lengths[i] = i % 9 == 4 ? kernels::detail::not_ascending : i * 37 % 11;
    std::vector<std::int32_t> sums(number + 1, 0);
    for (int i = 0; i < number; ++i)
      sums[i + 1] = sums[i] + std::max(lengths[i], 0);
    const auto scanned = to_device(exec, lengths);
    const auto totals = kernels::detail::scan_tile_lengths<Space>(exec, scanned);
    EXPECT_EQ(to_host(scanned), sums);
    EXPECT_EQ(totals.tiles, sums.back());
    EXPECT_EQ(totals.not_ascending_rows, (number + 4) / 9);
  }
}

TESSERA_TYPED_TEST(CsrToMbsrErrors, MoreTilesThan32BitsCountThrow) {
  const auto lengths =
      to_device(exec, std::vector<std::int32_t>{2'000'000'000, 100'000'000, 47'483'647, 0});
  auto totals = kernels::detail::scan_tile_lengths<Space>(exec, lengths);
  EXPECT_EQ(totals.tiles, 2'147'483'647);
  EXPECT_EQ(totals.not_ascending_rows, 0);
  EXPECT_EQ(kernels::detail::checked_tile_count(totals), 2'147'483'647);
  ++totals.tiles;
  EXPECT_THROW(kernels::detail::checked_tile_count(totals), Error);

  const auto marked = to_device(
      exec, std::vector<std::int32_t>{1, kernels::detail::not_ascending, 2'147'483'647, 7, -1, 99});
  totals = kernels::detail::scan_tile_lengths<Space>(exec, marked);
  EXPECT_EQ(totals.tiles, 2'147'483'655);
  EXPECT_EQ(totals.not_ascending_rows, 2);
}

}  // namespace tessera::test::csr_to_mbsr_test
