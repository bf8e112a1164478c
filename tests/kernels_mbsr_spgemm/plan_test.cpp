// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two phases of a product of tiles: plans used again, patterns, bits, errors.

#include "kernels_mbsr_spgemm/product_test.hpp"
#include "kernels_spgemm/grid_matrix.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_columns.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_symbolic.hpp"

namespace tessera::kernels::test::plan_test {

#define TESSERA_DETAIL_PLANS(Space)                                            \
  Product<double, double, double, Space>, Product<float, float, float, Space>, \
      Product<Half, double, double, Space>
using PlanTypes = TESSERA_TEST_SPACES(TESSERA_DETAIL_PLANS);
#undef TESSERA_DETAIL_PLANS

template <class P>
struct TileProductPlan : ::testing::Test {
  using A = typename P::A;
  using B = typename P::B;
  using C = typename P::C;
  using Space = typename P::Space;

  Space exec;
};
TYPED_TEST_SUITE(TileProductPlan, PlanTypes, ProductNames);

HostMatrix<double> with_other_values(HostMatrix<double> A, std::uint64_t seed) {
  Random random(seed);
  for (double& value : A.values)
    value = random.uniform(-1, 1);
  return A;
}

template <class Call>
void expect_refused(const Call& call, const char* part) {
  expect_error(error_of(call), ErrorKind::precondition, {part});
}

/// The values of a product made again are those, to the bit, that a fresh product has.
TYPED_TEST(TileProductPlan, NumericAgain) {
  using T = TestFixture;
  const auto A = random_matrix<double>(
      {.num_rows = 150, .num_cols = 130, .density = 0.06, .dense_row = 70, .seed = 40});
  const auto B = random_matrix<double>(
      {.num_rows = 130, .num_cols = 1700, .density = 0.03, .empty_row_fraction = 0.2, .seed = 41});
  for (const bool by_teams : forms<typename T::Space>()) {
    for (const TileLayout layout : tile_layouts) {
      const auto a = make_mbsr<typename T::A>(this->exec, A, layout);
      const auto b = make_mbsr<typename T::B>(this->exec, B, layout);
      MbsrSpgemmPlan<typename T::Space> plan;
      plan.by_teams = by_teams;
      const auto C = spgemm_symbolic<typename T::C>(this->exec, a.view(), b.view(), layout, plan);
      for (std::uint64_t round = 0; round < 3; ++round) {
        // The scale of a factor may change with its values.
        const double scale = round == 1 ? 0.5 : 1;
        const auto other_a =
            make_mbsr<typename T::A>(this->exec, with_other_values(A, 2 * round), layout, scale);
        const auto other_b =
            make_mbsr<typename T::B>(this->exec, with_other_values(B, 2 * round + 1), layout);
        spgemm_numeric(this->exec, plan, other_a.view(), other_b.view(), C);
        expect_same_bits(C, multiply_tiles<typename T::C>(this->exec, other_a.view(),
                                                          other_b.view(), layout, by_teams));
        ASSERT_NO_FATAL_FAILURE(
            expect_product<TypeParam>(C, to_host_matrix(other_a), to_host_matrix(other_b)));
      }
    }
  }
}

/// [1 1] [1 -1]^T: the entry is zero and stays; so do all of a tile, and a stored zero's products.
TYPED_TEST(TileProductPlan, CancellationIsKept) {
  using T = TestFixture;
  const auto A = by_rows<double>(9, 10, [](auto& A, Ordinal row) {
    A.push(row, 1);
    A.push(row + 1, row == 4 ? 0 : 1);
  });
  const auto B =
      by_rows<double>(10, 7, [](auto& B, Ordinal row) { B.push(6, row % 2 == 0 ? 1 : -1); });
  for (const bool by_teams : forms<typename T::Space>()) {
    const auto C = to_host_matrix(multiply_tiles<typename T::C>(
        this->exec, make_mbsr<typename T::A>(this->exec, A).view(),
        make_mbsr<typename T::B>(this->exec, B).view(), TileLayout::packed, by_teams));
    ASSERT_EQ(C.num_entries(), 9u);
    for (int row = 0; row < 9; ++row) {
      EXPECT_EQ(C.columns[row], 6);
      EXPECT_EQ(C.values[row], row == 4 ? 1 : 0);
    }
  }
}

/// Tiles that meet, but whose entries do not, make no tile.
TYPED_TEST(TileProductPlan, TilesWithoutEntriesDoNotExist) {
  using T = TestFixture;
  const auto A = from_rows<double>(8, {{{1, 2.0}, {5, 1.0}}, {}, {}, {{6, 3.0}}});
  const auto B = from_rows<double>(
      8, {{{0, 1.0}}, {}, {{7, 1.0}}, {{1, 1.0}}, {{2, 1.0}}, {{6, 4.0}}, {}, {}});
  for (const bool by_teams : forms<typename T::Space>()) {
    const auto C = multiply_tiles<typename T::C>(
        this->exec, make_mbsr<typename T::A>(this->exec, A).view(),
        make_mbsr<typename T::B>(this->exec, B).view(), TileLayout::dense, by_teams);
    EXPECT_EQ(C.num_tiles(), 1);
    EXPECT_EQ(C.num_entries, 1u);
    const auto c = to_host_matrix(C);
    ASSERT_EQ(c.num_entries(), 1u);
    EXPECT_EQ(c.columns[0], 6);
    EXPECT_EQ(c.values[0], 4);
  }
}

TYPED_TEST(TileProductPlan, SameBitsEveryTime) {
  using T = TestFixture;
  const auto A = random_matrix<double>({.num_rows = 2000, .num_cols = 2000, .density = 0.004});
  const auto a = make_mbsr<typename T::A>(this->exec, A);
  const auto b = make_mbsr<typename T::B>(this->exec, A);
  for (const bool by_teams : forms<typename T::Space>()) {
    const auto multiply = [&] {
      return multiply_tiles<typename T::C>(this->exec, a.view(), b.view(), TileLayout::packed,
                                           by_teams);
    };
    const auto C = multiply();
    for (int round = 0; round < 3; ++round)
      expect_same_bits(C, multiply());
  }
}

#ifdef KOKKOS_ENABLE_OPENMP
/// An instance of one thread and one of all.
TYPED_TEST(TileProductPlan, SameBitsForEveryNumberOfThreads) {
  using T = TestFixture;
  if constexpr (std::is_same_v<typename T::Space, Kokkos::OpenMP>) {
    if (this->exec.concurrency() < 2) GTEST_SKIP() << "one thread";
    const Kokkos::OpenMP one_thread(1);
    const auto A = random_matrix<double>({.num_rows = 2000, .num_cols = 2000, .density = 0.004});
    const auto a = make_mbsr<typename T::A>(this->exec, A);
    const auto b = make_mbsr<typename T::B>(this->exec, A);
    const auto multiply = [&](const Kokkos::OpenMP& exec, bool by_teams) {
      return multiply_tiles<typename T::C>(exec, a.view(), b.view(), TileLayout::packed, by_teams);
    };
    for (const bool by_teams : forms<typename T::Space>())
      expect_same_bits(multiply(this->exec, by_teams), multiply(one_thread, by_teams));
    // And by a plan that was made on fewer threads than it serves.
    const auto c = make_mbsr<typename T::A>(this->exec, full_matrix(300, 60));
    const auto d = make_mbsr<typename T::B>(this->exec, full_matrix(60, 90));
    MbsrSpgemmPlan<typename T::Space> plan;
    const auto C =
        spgemm_symbolic<typename T::C>(one_thread, c.view(), d.view(), TileLayout::packed, plan);
    spgemm_numeric(this->exec, plan, c.view(), d.view(), C);
    expect_same_bits(C, multiply_tiles<typename T::C>(one_thread, c.view(), d.view(),
                                                      TileLayout::packed, false));
  }
}
#endif

/// (A B) x = A (B x), within the rounding of the product's entries.
TYPED_TEST(TileProductPlan, ProductAppliedIsAppliedTwice) {
  using T = TestFixture;
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    const auto A = random_matrix<double>({.num_rows = 90, .num_cols = 110, .seed = 50 + trial});
    const auto B = random_matrix<double>({.num_rows = 110, .num_cols = 100, .seed = 60 + trial});
    const auto a = make_mbsr<typename T::A>(this->exec, A);
    const auto b = make_mbsr<typename T::B>(this->exec, B);
    const auto C = to_host_matrix(spgemm<typename T::C>(this->exec, a.view(), b.view()));
    const auto x = random_vector<double>(100, trial);
    const auto once = multiply(C, x);
    const auto inner = multiply(to_host_matrix(b), x);
    const auto reference = reference_product(to_host_matrix(a), to_host_matrix(b));
    const auto first = to_host_matrix(a);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      long double twice = 0;
      for (auto e = first.offsets[i]; e < first.offsets[i + 1]; ++e)
        twice += first.values[e] * inner[first.columns[e]];
      long double bound = 1e-15L;
      for (const auto& [column, entry] : reference[i])
        bound += entry_bound<TypeParam>(entry) * std::abs(x[column]);
      EXPECT_LE(std::abs(once[i] - twice), bound) << "row " << i;
    }
  }
}

TYPED_TEST(TileProductPlan, WhatDoesNotFitIsAnError) {
  using T = TestFixture;
  const auto a = make_mbsr<typename T::A>(this->exec, full_matrix(5, 6));
  const auto b = make_mbsr<typename T::B>(this->exec, full_matrix(6, 9));
  const auto wrong = make_mbsr<typename T::B>(this->exec, full_matrix(7, 9));
  expect_refused([&] { spgemm<typename T::C>(this->exec, a.view(), wrong.view()); },
                 "A is 5 by 6 and B is 7 by 9");
  for (const bool by_teams : forms<typename T::Space>()) {
    MbsrSpgemmPlan<typename T::Space> plan;
    plan.by_teams = by_teams;
    const auto C =
        spgemm_symbolic<typename T::C>(this->exec, a.view(), b.view(), TileLayout::packed, plan);
    const auto numeric = [&](const auto& second, const auto& product) {
      return [&] { spgemm_numeric(this->exec, plan, a.view(), second.view(), product); };
    };
    EXPECT_NO_THROW(numeric(b, C)());
    auto other = C;
    other.num_cols = 8;
    expect_refused(numeric(b, other), "C is to be 5 by 9, but is 5 by 8");
    const auto sparse = make_mbsr<typename T::B>(
        this->exec, random_matrix<double>({.num_rows = 6, .num_cols = 9, .density = 0}));
    expect_refused(numeric(sparse, C), "B has 0 tiles, but the plan was made for 6");
  }
}

/// A plan of teams knows where packed tiles of B begin only if it was made for a packed B.
TYPED_TEST(TileProductPlan, PackedSecondFactorNeedsItsPlan) {
  using T = TestFixture;
  const auto a = make_mbsr<typename T::A>(this->exec, full_matrix(5, 6));
  const auto dense = make_mbsr<typename T::B>(this->exec, full_matrix(6, 9), TileLayout::dense);
  const auto packed = make_mbsr<typename T::B>(this->exec, full_matrix(6, 9));
  MbsrSpgemmPlan<typename T::Space> plan;
  plan.by_teams = true;
  const auto C =
      spgemm_symbolic<typename T::C>(this->exec, a.view(), dense.view(), TileLayout::packed, plan);
  spgemm_numeric(this->exec, plan, a.view(), dense.view(), C);
  expect_refused([&] { spgemm_numeric(this->exec, plan, a.view(), packed.view(), C); },
                 "made for a dense B");
}

TEST(TileProductParts, MoreTilesThanAreCounted) {
  EXPECT_NO_THROW(spgemm_detail::require_countable_tiles(2'147'483'647));
  expect_refused([] { spgemm_detail::require_countable_tiles(2'147'483'648); }, "2147483648 tiles");
}

/// Squares of stencils, whose numbers of entries are known.
template <class Space>
std::size_t entries_of_square(bool box, bool by_teams) {
  const Space exec;
  const auto csr = grid_matrix<double, Space, std::int32_t>(exec, {1024, box});
  const auto A = csr_to_mbsr<double>(exec, csr.view());
  MbsrSpgemmPlan<Space> plan;
  plan.by_teams = by_teams;
  return spgemm_symbolic<double>(exec, A.view(), A.view(), TileLayout::packed, plan).num_entries;
}

TYPED_TEST(TileProductPlan, EntriesOfSquares) {
  using T = TestFixture;
  if constexpr (std::is_same_v<typename T::A, double>) {  // patterns know no storage
    for (const bool by_teams : forms<typename T::Space>()) {
      EXPECT_EQ(entries_of_square<typename T::Space>(false, by_teams), 13'611'012u);
      EXPECT_EQ(entries_of_square<typename T::Space>(true, by_teams), 26'152'996u);
    }
  }
}

}  // namespace tessera::kernels::test::plan_test
