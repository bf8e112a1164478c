// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/fitting_scale.hpp"

namespace tessera::test::properties_test {

TESSERA_TEST_SUITE(MbsrPropertiesTest, StoredTypes, StoredNames);

TESSERA_STORED_TEST(MbsrPropertiesTest, EntriesPerTile) {
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const auto tiles = make_mbsr<Storage>(exec, A);
    double num_tiles = 0;
    for (const auto& row : tiles_of<Storage>(A, 1))
      num_tiles += static_cast<double>(row.size());
    EXPECT_EQ(kernels::entries_per_tile(tiles.view()),
              num_tiles == 0 ? 0 : static_cast<double>(A.num_entries()) / num_tiles);
  }
}

/// The values on the diagonal of a matrix of that size.
HostMatrix<double> diagonal(const std::vector<double>& values) {
  HostMatrix<double> A = identity<double>(static_cast<std::int32_t>(values.size()));
  A.values = values;
  return A;
}

/// The scale for the values, the same from CSR and from tiles under another scale.
template <class Storage, class Space>
double scale_for(const Space& exec, const std::vector<double>& values) {
  const HostMatrix<double> A = diagonal(values);
  const auto csr = make_csr(exec, A);
  const double scale = kernels::fitting_scale<Storage>(exec, csr.view());
  const auto csr_64 = make_csr<std::int64_t>(exec, A);
  EXPECT_EQ(kernels::fitting_scale<Storage>(exec, csr_64.view()), scale);
  for (const auto layout : tile_layouts) {
    const auto tiles = make_mbsr<double>(exec, A, layout, 0x1p-9);
    EXPECT_EQ(kernels::fitting_scale<Storage>(exec, tiles.view()), scale);
  }
  return scale;
}

TESSERA_STORED_TEST(MbsrPropertiesTest, FittingScaleBringsTheLargestToTheTop) {
  const double top = largest_finite<Storage>;
  const double least = smallest_normal<Storage>;
  EXPECT_EQ(scale_for<Storage>(exec, {}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {0, 0}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, -1, 0}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, std::nan(""), 1e-300}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, -HUGE_VAL, 1e-300}), 1);
  if (std::is_same_v<Storage, double>) return;  // nothing is out of its range
  EXPECT_EQ(scale_for<Storage>(exec, {-top, least}), 1);
  const double goal = std::min(top, 0x1p64);  // sums in float have to hold more
  const auto expected = [&](double largest) {
    double scale = 1;
    while (largest > scale * goal)
      scale *= 2;
    while (largest <= scale / 2 * goal)
      scale /= 2;
    return scale;
  };
  for (const double largest :
       {8 * top, std::nextafter(8 * top, HUGE_VAL), std::nextafter(8 * top, 0.0)}) {
    EXPECT_EQ(scale_for<Storage>(exec, {-largest, 1}), expected(largest));
  }
  for (const double largest : {least / 2, 1.75, top / 4, top})
    EXPECT_EQ(scale_for<Storage>(exec, {largest, least / 2}), expected(largest));
}

TESSERA_STORED_TEST(MbsrPropertiesTest, FittingScaleKeepsHugeAndTinyMatrices) {
  for (const double factor : {1e-12, 1e12}) {
    HostMatrix<double> A = poisson<double>(9, 8, 7);
    for (double& value : A.values)
      value *= factor;
    const auto csr = make_csr(exec, A);
    const double scale = kernels::fitting_scale<Storage>(exec, csr.view());
    const auto held = rounded_to<Storage>(A, scale);
    for (std::size_t e = 0; e < A.values.size(); ++e) {
      EXPECT_NEAR(held.values[e], A.values[e],
                  unit_roundoff<Storage> * std::abs(A.values[e]) * (1 + 1e-12));
    }
  }
}

}  // namespace tessera::test::properties_test
