// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/mbsr_to_csr_impl.hpp"

namespace tessera::test::convert_test {

using kernels::TileLayout;

TESSERA_TEST_SUITE(MbsrConvertTest, StoredTypes, StoredNames);

/// The values of `A` rounded to `Storage` under `scale`, then to `Scalar`, rows sorted.
template <class Scalar, class Storage>
HostMatrix<Scalar> expected_csr(const HostMatrix<double>& A, double scale) {
  return converted<Scalar>(sorted(rounded_to<Storage>(A, scale)));
}

template <class Scalar, class Offset, class Storage, class Space>
void check_to_csr(const Space& exec, const HostMatrix<double>& A, TileLayout layout) {
  const double scale = 0.5;
  const auto tiles = make_mbsr<Storage>(exec, A, layout, scale);
  const HostMatrix<Scalar> expected = expected_csr<Scalar, Storage>(A, scale);
  const auto by_parts = [&](auto... capacity) {
    return kernels::detail::mbsr_to_csr_by_parts<Scalar, Offset>(
        exec, tiles.view(),
        kernels::detail::TileParts(tiles.view().num_tile_rows(), tiles.num_entries, capacity...));
  };
  for (const auto& actual :
       {kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.view()),
        kernels::detail::mbsr_to_csr_by_threads<Scalar, Offset>(exec, tiles.view()), by_parts(16),
        by_parts(100), by_parts()})
    expect_same(to_host(actual), expected);
}

TESSERA_STORED_TEST(MbsrConvertTest, ToCsrIsExactOnEveryShape) {
  int number = 0;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    check_to_csr<double, std::int32_t, Storage>(exec, A, TileLayout::packed);
    check_to_csr<double, std::int64_t, Storage>(exec, A, TileLayout::dense);
    check_to_csr<float, std::int64_t, Storage>(exec, A, TileLayout::packed);
    check_to_csr<float, std::int32_t, Storage>(exec, A, TileLayout::dense);
  }
}

TESSERA_STORED_TEST(MbsrConvertTest, ToTilesAndBackKeepsWhatTheStorageHolds) {
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const HostMatrix<double> held = rounded_to<Storage>(A);
    const auto csr = make_csr(exec, held);
    for (const TileLayout layout : tile_layouts) {
      const auto tiles = kernels::csr_to_mbsr<Storage>(exec, csr.view(), layout);
      expect_same(to_host(kernels::mbsr_to_csr<double, std::int32_t>(exec, tiles.view())),
                  sorted(held));
    }
  }
}

template <class To, class From, class Space>
void check_convert(const Space& exec, const HostMatrix<double>& A, TileLayout from_layout,
                   TileLayout to_layout) {
  const double from_scale = 0.25;
  const double to_scale = 2;
  const auto tiles = make_mbsr<From>(exec, A, from_layout, from_scale);
  const auto actual = kernels::convert_mbsr<To>(exec, tiles, to_layout, to_scale);
  expect_well_formed(actual);
  expect_same_arrays(actual,
                     make_mbsr<To>(exec, rounded_to<From>(A, from_scale), to_layout, to_scale));
}

TESSERA_STORED_TEST(MbsrConvertTest, ConvertsBetweenStoragesLayoutsAndScales) {
  using From = typename TypeParam::Storage;
  int number = 0;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    for (const TileLayout from : tile_layouts) {
      for (const TileLayout to : tile_layouts) {
        check_convert<double, From>(exec, A, from, to);
        check_convert<float, From>(exec, A, from, to);
        check_convert<Half, From>(exec, A, from, to);
#if TESSERA_ALL_STORAGE_SCALARS
        check_convert<BFloat16, From>(exec, A, from, to);
        check_convert<Fp8E4M3, From>(exec, A, from, to);
        check_convert<Fp8E5M2, From>(exec, A, from, to);
#endif
      }
    }
  }
}

TESSERA_STORED_TEST(MbsrConvertTest, SharesWhatDoesNotChange) {
  const auto A = make_mbsr<Storage>(exec, poisson<double>(9, 9), TileLayout::packed, 4);
  const auto same = kernels::convert_mbsr<Storage>(exec, A, TileLayout::packed, 4);
  EXPECT_EQ(same.values.data(), A.values.data());
  const auto rescaled = kernels::convert_mbsr<Storage>(exec, A, TileLayout::packed, 2);
  EXPECT_NE(rescaled.values.data(), A.values.data());
  EXPECT_EQ(rescaled.tile_columns.data(), A.tile_columns.data());
  EXPECT_EQ(rescaled.maps.data(), A.maps.data());
  EXPECT_EQ(rescaled.value_offsets.data(), A.value_offsets.data());
  EXPECT_THROW(kernels::convert_mbsr<Storage>(exec, A, TileLayout::packed, 3), Error);
}

TESSERA_STORED_TEST(MbsrConvertTest, MoreEntriesThanOffsetsCountThrow) {
  kernels::MbsrView<Storage, Space> A;
  A.num_entries = 3'000'000'000;
  EXPECT_THROW((kernels::mbsr_to_csr<double, std::int32_t>(exec, A)), Error);
}

}  // namespace tessera::test::convert_test
