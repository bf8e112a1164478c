// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products of tiles against the reference, for all storages, layouts and forms.

#include "kernels_mbsr_spgemm/product_test.hpp"

namespace tessera::kernels::test::tile_product_test {

template <class P>
struct TileProduct : ::testing::Test {
  using Space = typename P::Space;
  Space exec;

  /// Every form, the layouts of A, B and C in turn.
  void check(const HostMatrix<double>& A, const HostMatrix<double>& B, double scale_a = 1,
             double scale_b = 1) {
    const auto reference = reference_product(rounded_to<typename P::A>(A, scale_a),
                                             rounded_to<typename P::B>(B, scale_b));
    for (const bool by_teams : forms<Space>()) {
      for (int choice = 0; choice < 4; ++choice) {
        SCOPED_TRACE("by_teams " + std::to_string(by_teams) + " layouts " + std::to_string(choice));
        const TileLayout layout_a = tile_layouts[choice % 2];
        const TileLayout layout_b = tile_layouts[choice / 2];
        const TileLayout layout_c = tile_layouts[(choice + 1) / 2 % 2];
        const auto a = make_mbsr<typename P::A>(exec, A, layout_a, scale_a);
        const auto b = make_mbsr<typename P::B>(exec, B, layout_b, scale_b);
        const auto C = multiply_tiles<typename P::C>(exec, a.view(), b.view(), layout_c, by_teams);
        ASSERT_EQ(C.layout, layout_c);
        ASSERT_NO_FATAL_FAILURE(expect_product<P>(C, reference, B.num_cols));
      }
    }
  }
};
TYPED_TEST_SUITE(TileProduct, Products, ProductNames);

/// The edge cases that fit as second factors, beside a first factor of few rows.
TYPED_TEST(TileProduct, EdgeCasesFromTheRight) {
  std::uint64_t seed = 100;
  for (const auto& B : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE(std::to_string(B.num_rows) + " by " + std::to_string(B.num_cols));
    this->check(random_matrix<double>({.num_rows = 9,
                                       .num_cols = B.num_rows,
                                       .density = 0.1,
                                       .empty_row_fraction = 0.2,
                                       .unsorted = true,
                                       .seed = ++seed}),
                B);
  }
}

TYPED_TEST(TileProduct, EdgeCasesFromTheLeft) {
  std::uint64_t seed = 200;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    SCOPED_TRACE(std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols));
    this->check(A, random_matrix<double>({.num_rows = A.num_cols,
                                          .num_cols = 10,
                                          .density = 0.1,
                                          .empty_row_fraction = 0.3,
                                          .seed = ++seed}));
  }
}

TYPED_TEST(TileProduct, Squares) {
  for (const auto& A : share_of(mbsr_edge_cases())) {
    if (A.num_rows != A.num_cols) continue;
    SCOPED_TRACE(std::to_string(A.num_rows) + " rows");
    this->check(A, A);
  }
}

TYPED_TEST(TileProduct, ManyShapes) {
  Random random(31);
  const auto factor = [&](Ordinal num_rows, Ordinal num_cols) {
    const double root = random.uniform();
    return random_matrix<double>({.num_rows = num_rows,
                                  .num_cols = num_cols,
                                  .density = root * root,
                                  .empty_row_fraction = 0.2,
                                  .unsorted = true,
                                  .seed = random.next()});
  };
  Share share;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(trial);
    const Ordinal m = random.below(40), k = random.below(50), n = random.below(40);
    const auto A = factor(m, k);
    const auto B = factor(k, n);
    if (share.takes()) this->check(A, B);
  }
}

/// The scales of the factors come out in the values of the product, whose own is 1.
TYPED_TEST(TileProduct, ScaledFactors) {
  const auto A = random_matrix<double>({.num_rows = 37, .num_cols = 41, .seed = 32});
  const auto B = random_matrix<double>({.num_rows = 41, .num_cols = 30, .seed = 33});
  this->check(A, B, 0.25, 1);
  this->check(A, B, 1, 0x1p-7);
  this->check(A, B, 4, 0x1p-12);
}

/// Rows of all sizes of bins in one product, those beyond scratch among them.
TYPED_TEST(TileProduct, RowsOfAllBins) {
  std::vector<Ordinal> lengths_a;
  for (Ordinal row = 0; row < 64; ++row)
    lengths_a.push_back(row / 4 == 15 ? 260 : (row / 4) % 8);
  std::vector<Ordinal> lengths_b;
  for (Ordinal row = 0; row < 400; ++row)
    lengths_b.push_back(Ordinal(1) << (row / 4 % 8));
  this->check(with_row_lengths(400, lengths_a, 34), with_row_lengths(40000, lengths_b, 35));
}

}  // namespace tessera::kernels::test::tile_product_test
