// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/mbsr/csr_to_mbsr_impl.hpp"

#include <cmath>

namespace tessera::test {
namespace {

using kernels::TileLayout;

template <class Param>
class CsrToMbsrTest : public ::testing::Test {};
TYPED_TEST_SUITE(CsrToMbsrTest, StoredTypes, StoredNames);

/// The conversion of one matrix by the way that the library picks, against the plain one.
template <class Storage, class Scalar, class Offset, class Space>
void check(const Space& exec, const HostMatrix<double>& host, double scale) {
  const HostMatrix<Scalar> A = as<Scalar>(host);
  const auto csr = make_csr<Offset>(exec, A);
  for (const TileLayout layout : tile_layouts) {
    const auto actual = kernels::csr_to_mbsr<Storage>(exec, csr.view(), layout, scale);
    expect_well_formed(actual);
    expect_same_arrays(actual, make_mbsr<Storage>(exec, as<double>(host), layout, scale));
  }
}

/// The same by threads and by lanes, with long rows from `longest_short` + 1 entries on.
template <class Storage, class Scalar, class Offset, class Space>
void check_each_way(const Space& exec, const HostMatrix<double>& host, TileLayout layout) {
  const auto csr = make_csr<Offset>(exec, as<Scalar>(host));
  const auto expected = make_mbsr<Storage>(exec, host, layout);
  const kernels::detail::TilesByMerging<Space, Offset> by_merging;
  expect_same_arrays(
      kernels::detail::csr_to_mbsr_by<Storage>(exec, csr.view(), by_merging, layout, 1.0),
      expected);
  for (const std::int64_t longest_short : {0, 11, 8192}) {
    const kernels::detail::TilesByLanes<Space, Offset> by_lanes(exec, csr.num_entries(),
                                                                longest_short);
    expect_same_arrays(
        kernels::detail::csr_to_mbsr_by<Storage>(exec, csr.view(), by_lanes, layout, 1.0),
        expected);
  }
}

/// Values of float, so that every scalar of CSR holds them.
std::vector<HostMatrix<double>> cases() {
  std::vector<HostMatrix<double>> list = mbsr_edge_cases();
  for (auto& A : list)
    A = as<double>(rounded_to<float>(A));
  return list;
}

TYPED_TEST(CsrToMbsrTest, IsExactOnEveryShape) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  int number = 0;
  for (const auto& A : cases()) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    check<Storage, double, std::int32_t>(exec, A, 1);
    check<Storage, float, std::int64_t>(exec, A, 1);
    check<Storage, float, std::int32_t>(exec, A, 0x1p-7);
    check<Storage, double, std::int64_t>(exec, A, 0x1p+3);
  }
}

TYPED_TEST(CsrToMbsrTest, GivesTheSameByThreadsAndByLanes) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  int number = 0;
  for (const auto& A : cases()) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    check_each_way<Storage, double, std::int32_t>(exec, A, TileLayout::packed);
    check_each_way<Storage, float, std::int64_t>(exec, A, TileLayout::dense);
  }
}

template <class Param>
class CsrToMbsrErrors : public ::testing::Test {};
using Spaces = ::testing::Types<Stored<double, HostSpace>
#if TESSERA_HAVE_DEVICE
                                ,
                                Stored<double, DeviceSpace>
#endif
                                >;
TYPED_TEST_SUITE(CsrToMbsrErrors, Spaces, StoredNames);

TYPED_TEST(CsrToMbsrErrors, DuplicatesThrow) {
  const typename TypeParam::Space exec;
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

TYPED_TEST(CsrToMbsrErrors, ScalesThatAreNotPowersOfTwoThrow) {
  const typename TypeParam::Space exec;
  const auto csr = make_csr(exec, identity<double>(3));
  for (const double scale : {0.0, -2.0, 3.0, 0.1, std::nan(""), HUGE_VAL, 0x1p-1074}) {
    EXPECT_THROW(kernels::csr_to_mbsr<Half>(exec, csr.view(), TileLayout::packed, scale), Error)
        << scale;
  }
}

TYPED_TEST(CsrToMbsrErrors, MoreTilesThan32BitsCountThrow) {
  using Space = typename TypeParam::Space;
  const Space exec;
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

}  // namespace
}  // namespace tessera::test
