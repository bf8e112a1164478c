// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values between CSR and tiles of known patterns: what converting again makes of them.
#include "same_arrays.hpp"
#include "support/device.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"

namespace tessera::test::refill_test {

using kernels::TileLayout;

TESSERA_TEST_SUITE(RefillTilesTest, Matrices, TypeNames);

template <class Scalar>
HostMatrix<Scalar> with_other_values(HostMatrix<Scalar> A) {
  for (std::size_t k = 0; k < A.values.size(); ++k)
    A.values[k] = static_cast<Scalar>(1 + k);
  return A;
}

TESSERA_TYPED_TEST(RefillTilesTest, IsTheConversionOfTheNewValues) {
  int number = 0;
  for (const auto& some : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE("matrix " + std::to_string(number++));
    const HostMatrix<Scalar> before = sorted(converted<Scalar>(some));
    const HostMatrix<Scalar> after = with_other_values(before);
    const auto A = make_csr<Offset>(exec, after);
    for (const TileLayout layout : tile_layouts) {
      const auto tiles =
          kernels::csr_to_mbsr<Scalar>(exec, make_csr<Offset>(exec, before).view(), layout);
      kernels::refill_mbsr(exec, A.view(), tiles);
      expect_same_arrays(tiles, kernels::csr_to_mbsr<Scalar>(exec, A.view(), layout));

      const auto transposed = kernels::csr_to_mbsr<Scalar>(
          exec, make_csr<Offset>(exec, transpose(before)).view(), layout);
      kernels::refill_transposed_mbsr(exec, A.view(), transposed);
      expect_same_arrays(transposed,
                         kernels::csr_to_mbsr<Scalar>(
                             exec, make_csr<Offset>(exec, transpose(after)).view(), layout));

      const auto rows = kernels::mbsr_to_csr<Scalar, Offset>(
          exec,
          kernels::csr_to_mbsr<Scalar>(exec, make_csr<Offset>(exec, before).view(), layout).view());
      kernels::refill_csr(exec, tiles.view(), rows);
      EXPECT_EQ(to_host(rows).values, after.values);
    }
  }
}

TESSERA_TYPED_TEST(RefillTilesTest, RefusesOtherShapesAndScales) {
  const auto A = make_csr<Offset>(exec, converted<Scalar>(poisson<double>(5, 4, 1)));
  const auto other = make_csr<Offset>(exec, converted<Scalar>(poisson<double>(5, 5, 1)));
  const auto tiles = kernels::csr_to_mbsr<Scalar>(exec, A.view());
  EXPECT_THROW(kernels::refill_mbsr(exec, other.view(), tiles), Error);
  EXPECT_THROW(kernels::refill_transposed_mbsr(exec, other.view(), tiles), Error);
  EXPECT_THROW(kernels::refill_csr(exec, tiles.view(), other), Error);
  const auto scaled = kernels::csr_to_mbsr<Scalar>(exec, A.view(), TileLayout::packed, 2.0);
  EXPECT_THROW(kernels::refill_mbsr(exec, A.view(), scaled), Error);
}

}  // namespace tessera::test::refill_test
