// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Galerkin products of tiles.

#include "kernels_mbsr_spgemm/product_test.hpp"

#include "tessera/kernels/spgemm/mbsr/mbsr_galerkin.hpp"

namespace tessera::kernels::test::galerkin_test {

/// Storages of R and P, of A, and of the product.
template <class StorageP, class StorageA, class StorageC, class SpaceType>
struct Galerkin {
  using P = StorageP;
  using A = StorageA;
  using C = StorageC;
  using Space = SpaceType;
};

#define TESSERA_DETAIL_GALERKIN(Space)                                            \
  Galerkin<double, double, double, Space>, Galerkin<float, float, float, Space>,  \
      Galerkin<Half, Half, float, Space>, Galerkin<float, double, double, Space>, \
      Galerkin<Half, double, double, Space> TESSERA_IF_ALL_STORAGE_SCALARS(       \
          , Galerkin<BFloat16, BFloat16, double, Space>)

using Galerkins = TESSERA_TEST_SPACES(TESSERA_DETAIL_GALERKIN);
#undef TESSERA_DETAIL_GALERKIN

template <class T>
struct TileGalerkin : ::testing::Test {
  using Space = typename T::Space;
  using Matrix = Mbsr<typename T::C, Space>;

  Space exec;
  HostMatrix<double> A = poisson<double>(15, 13);
  HostMatrix<double> P = random_matrix<double>(
      {.num_rows = 15 * 13, .num_cols = 41, .density = 0.05, .empty_row_fraction = 0.1});

  auto make_a(double factor = 1) {
    HostMatrix<double> scaled = A;
    for (double& value : scaled.values)
      value *= factor;
    return make_mbsr<typename T::A>(exec, scaled);
  }
  auto make_p() { return make_mbsr<typename T::P>(exec, P); }
  auto make_r() { return make_mbsr<typename T::P>(exec, transpose(P)); }

  /// Against products in long double. Entries of A and P are at most 4 and 1: an entry of R A P
  /// sums at most 195 times 5 products of magnitude at most 4, rounded twice.
  void expect_galerkin(const Matrix& Ac, double factor) {
    ASSERT_NO_FATAL_FAILURE(expect_well_formed(Ac));
    using Scalar = ProductArithmetic<typename T::P, typename T::A, typename T::C>;
    const double bound = 2 * 195 * 5 * 4 * factor * 200 * unit_roundoff<Scalar>;
    const auto exact = multiply(
        to_dense(to_host_matrix(make_r())),
        multiply(to_dense(to_host_matrix(make_a(factor))), to_dense(to_host_matrix(make_p()))));
    const auto c = to_dense(to_host_matrix(Ac));
    for (Ordinal i = 0; i < 41; ++i)
      for (Ordinal j = 0; j < 41; ++j)
        ASSERT_LE(std::abs(c(i, j) - exact(i, j)), bound) << i << " " << j;
  }
};
TYPED_TEST_SUITE(TileGalerkin, Galerkins);

TYPED_TEST(TileGalerkin, OnceAndAgain) {
  const auto R = this->make_r();
  const auto P = this->make_p();
  for (const TileLayout layout : tile_layouts) {
    MbsrGalerkinPlan<typename TypeParam::C, typename TypeParam::Space> plan;
    const auto A = this->make_a();
    const auto Ac = galerkin_product(this->exec, R.view(), A.view(), P.view(), layout, plan);
    EXPECT_EQ(Ac.layout, layout);
    this->expect_galerkin(Ac, 1);
    expect_same_bits(Ac, galerkin_product<typename TypeParam::C>(this->exec, R.view(), A.view(),
                                                                 P.view(), layout));
    const auto other = this->make_a(3);
    galerkin_numeric(this->exec, plan, R.view(), other.view(), P.view(), Ac);
    this->expect_galerkin(Ac, 3);
    expect_same_bits(Ac, galerkin_product<typename TypeParam::C>(this->exec, R.view(), other.view(),
                                                                 P.view(), layout));
    release_intermediate(plan);
    EXPECT_EQ(plan.AP.values.extent(0), 0U);
    galerkin_numeric(this->exec, plan, R.view(), A.view(), P.view(), Ac);
    this->expect_galerkin(Ac, 1);
  }
}

/// A P of aggregates of four: R A P sums blocks of A, exactly here.
TYPED_TEST(TileGalerkin, AggregatesSumExactly) {
  const Ordinal n = 64;
  const auto P = by_rows<double>(n, n / 4, [&](auto& P, Ordinal row) { P.push(row / 4, 1); });
  const auto A = poisson<double>(n);
  const auto Ac = galerkin_product<typename TypeParam::C>(
      this->exec, make_mbsr<typename TypeParam::P>(this->exec, transpose(P)).view(),
      make_mbsr<typename TypeParam::A>(this->exec, A).view(),
      make_mbsr<typename TypeParam::P>(this->exec, P).view());
  // The one-dimensional Laplacian again.
  expect_same(to_host_matrix(Ac), poisson<double>(n / 4));
}

}  // namespace tessera::kernels::test::galerkin_test
