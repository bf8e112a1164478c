// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From CSR to tiles in mixed precision.
#include "kernels_mixed_tiles/mixed_tiles_fixture.hpp"

#include "support/offset_limit.hpp"
#include "tessera/kernels/format/mixed_tiles/row_of_tiles.hpp"

#include <map>

namespace tessera::test::convert_test {

TESSERA_TEST_SUITE(MixedTilesTest, Matrices, TypeNames);

template <class Offset, class Space, class Scalar>
void expect_exact(const Space& exec, const HostMatrix<Scalar>& A) {
  SCOPED_TRACE(std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols));
  const auto tiles = make_tiles<Offset>(exec, A, {TileLoss::none});
  EXPECT_EQ(tiles.num_entries, A.num_entries());
  expect_same_bits(read_tiles(tiles), sorted(A));
}

TESSERA_TYPED_TEST(MixedTilesTest, HoldEveryNumberAsItWas) {
  std::vector<RandomMatrixOptions> cases;
  for (const std::int32_t rows : {0, 1, 7, 16, 17, 33, 100})
    cases.push_back({.num_rows = rows, .num_cols = 2 * rows + 1, .density = 0.2});
  cases.push_back({.num_rows = 90, .num_cols = 31, .density = 0.9});
  cases.push_back({.num_rows = 64, .num_cols = 64, .density = 1.1});  // full tiles
  cases.push_back({.num_rows = 200, .num_cols = 150, .empty_row_fraction = 0.6});
  cases.push_back({.num_rows = 120, .num_cols = 1000, .density = 0.003, .dense_row = 37});
  cases.push_back({.num_rows = 120, .num_cols = 130, .density = 0.1, .unsorted = true});
  for (const auto& options : cases) {
    for (int variety = 0; variety < 5; ++variety) {
      const auto A = with_values(random_matrix<Scalar>(options), variety);
      expect_exact<Offset>(exec, A);
    }
  }
}

/// More entries than those whose tiles' number is bounded rather than counted, and rows of tiles
/// than one team adds up.
TESSERA_TYPED_TEST(MixedTilesTest, OfManyEntries) {
  const auto A = poisson<Scalar>(300, 250);
  ASSERT_GT(A.num_entries(), kernels::max_entries_by_bounds);
  expect_exact<Offset>(exec, A);
  const auto tall = by_rows<Scalar>(300000, 3, [&](auto& tall, std::int32_t i) {
    if (i % 2 == 0) tall.push(i / 2 % 3, static_cast<Scalar>(i % 17));
  });
  expect_exact<Offset>(exec, tall);
}

/// What lanes of a device read of a row.
TESSERA_TYPED_TEST(MixedTilesTest, RowsOfTilesAreReadTileAfterTile) {
  const auto A = with_values(
      random_matrix<Scalar>({.num_rows = 61, .num_cols = 400, .density = 0.15, .dense_row = 7}), 4);
  const auto tiles = make_tiles<Offset>(exec, A, {TileLoss::none});
  const auto offsets = to_host(tiles.tile_offsets);
  const auto keys = to_host(tiles.keys);
  const auto begins = to_host(tiles.begins);
  const auto words = to_host(tiles.words);
  const auto expected = sorted(A);
  for (std::int32_t row = 0; row < A.num_rows; ++row) {
    for (const int step : {1, 2, 8}) {
      std::map<std::int32_t, Scalar> found;
      for (int lane = 0; lane < step; ++lane) {
        kernels::detail::for_row_of_tiles<16, Scalar>(
            offsets[row / 16] + lane, offsets[row / 16 + 1], step, row % 16,
            [&](std::int64_t t) {
              // Some are left out.
              if (keys[t] >> 3 == 5) return kernels::detail::TilePlace();
              return kernels::detail::TilePlace{words.data() + begins[t],
                                                static_cast<Ordinal>((keys[t] >> 3) * 16),
                                                static_cast<TileKind>(keys[t] & 7)};
            },
            [&](Ordinal column, double value) {
              EXPECT_TRUE(found.emplace(column, static_cast<Scalar>(value)).second);
            });
      }
      std::map<std::int32_t, Scalar> all;
      for (auto e = expected.offsets[row]; e < expected.offsets[row + 1]; ++e) {
        if (expected.columns[e] / 16 != 5) all[expected.columns[e]] = expected.values[e];
      }
      EXPECT_EQ(found, all) << row;
    }
  }
}

TESSERA_TYPED_TEST(MixedTilesTest, TakeTheFewestBitsWhateverTheUnit) {
  const auto kind_of = [&](const std::vector<double>& values, const TileCriterion& criterion) {
    const auto A = by_rows<Scalar>(1, 16, [&](auto& A, std::int32_t) {
      for (std::size_t i = 0; i < values.size(); ++i)
        A.push(static_cast<std::int32_t>(i), static_cast<Scalar>(values[i]));
    });
    const auto tiles = make_tiles<Offset>(exec, A, criterion);
    EXPECT_EQ(tiles.num_tiles(), 1u);
    return static_cast<TileKind>(to_host(tiles.keys)[0] & 7);
  };
  const TileKind own = kernels::detail::own_tile_kind<Scalar>;
  const TileKind wide = TileKind::fp32;
  for (const double unit : {1.0, 0x1p-90, 0x1p80}) {
    for (const TileCriterion criterion : {TileCriterion{}, TileCriterion{TileLoss::none}}) {
      const auto kind = [&](std::vector<double> values) {
        for (double& value : values)
          value *= unit;
        return kind_of(values, criterion);
      };
      EXPECT_EQ(kind({4, -1, -1, 0}), TileKind::fp8);
      EXPECT_EQ(kind({15, 0x1p-13}), TileKind::fp8);  // the least subnormal beside 2^3
      EXPECT_EQ(kind({8, 0x1p-14}), TileKind::half);
      EXPECT_EQ(kind({17, 1}), TileKind::half);
      EXPECT_EQ(kind({1 + 0x1p-10, 1}), TileKind::half);
      EXPECT_EQ(kind({255, 0x1p-40}), TileKind::bfloat16);
      EXPECT_EQ(kind({1 + 0x1p-10, 0x1p-40}), wide);
      EXPECT_EQ(kind({1 + 0x1p-23, 1}), wide);
      if (sizeof(Scalar) == 8) {
        EXPECT_EQ(kind({1.0 / 3, 1}), TileKind::fp64);
      }
    }
  }
  // Nothing but zeros; and what fewer bits cannot stand for.
  EXPECT_EQ(kind_of({0, -0.0}, {}), TileKind::fp8);
  EXPECT_EQ(kind_of({1, std::numeric_limits<double>::infinity()}, {}), own);
  EXPECT_EQ(kind_of({1, std::numeric_limits<double>::quiet_NaN()}, {}), own);
  if (sizeof(Scalar) == 8) {
    EXPECT_EQ(kind_of({1, 1e-300}, {}), TileKind::fp64);
    EXPECT_EQ(kind_of({1e300, 1e-300}, {}), TileKind::fp64);
    EXPECT_EQ(kind_of({0x1p990, -0x1p991}, {}), TileKind::fp8);
    EXPECT_EQ(kind_of({0x1p-890, -0x1p-891}, {}), TileKind::fp8);
    EXPECT_EQ(kind_of({0x1p-1060, 0x1p-1074}, {}), TileKind::fp64);
    EXPECT_EQ(kind_of({0x1p1023}, {}), TileKind::fp64);
    // Rounding noise: within 1e-15 of the number, not equal to it.
    EXPECT_EQ(kind_of({1 + 0x1p-52, 1}, {TileLoss::none}), TileKind::fp64);
    EXPECT_EQ(kind_of({1 + 0x1p-52, 1}, {}), TileKind::fp8);
    // What the paper's bound does: small numbers vanish, large ones may not.
    EXPECT_EQ(kind_of({1, 1e-17}, {}), TileKind::fp64);
    EXPECT_EQ(kind_of({1, 1e-17}, {TileLoss::absolute, 1e-15}), TileKind::fp8);
    EXPECT_EQ(kind_of({1e-17 / 3}, {TileLoss::absolute, 1e-15}), TileKind::fp8);
    EXPECT_EQ(kind_of({1e6 + 0x1p-30, 1}, {TileLoss::absolute, 1e-15}), TileKind::fp64);
  }
}

TESSERA_TYPED_TEST(MixedTilesTest, EveryEntryKeepsToTheBound) {
  RandomMatrixOptions options{.num_rows = 150, .num_cols = 170, .density = 0.15};
  auto A = random_matrix<Scalar>(options);
  Random random(3);
  for (auto& value : A.values)
    value *= static_cast<Scalar>(std::exp2(random.below(60) - 30));
  for (const double tolerance : {0.1, 1e-2, 1e-3, 1e-7, 1e-15}) {
    for (const TileLoss loss : {TileLoss::relative, TileLoss::absolute}) {
      const auto tiles = make_tiles<Offset>(exec, A, {loss, tolerance});
      const auto stored = read_tiles(tiles);
      ASSERT_EQ(stored.columns, A.columns);
      std::int64_t low = 0;
      for (int kind = 0; kind < static_cast<int>(kernels::detail::own_tile_kind<Scalar>); ++kind)
        low += tiles.entries_of_kind[kind];
      if (tolerance > 1e-2 && loss == TileLoss::relative) {
        EXPECT_GT(low, 0);
      }
      for (std::size_t e = 0; e < A.values.size(); ++e) {
        const double error = std::abs(static_cast<double>(stored.values[e]) - A.values[e]);
        const double bound =
            loss == TileLoss::relative ? tolerance * std::abs(A.values[e]) : tolerance;
        ASSERT_LE(error, bound) << e;
      }
    }
  }
}

/// The lowest kind of which each entry of a tile comes back within the bound.
template <class Scalar>
TileKind reference_kind(const std::vector<Scalar>& entries, const TileCriterion& criterion) {
  namespace detail = kernels::detail;
  double largest = 0;
  for (const Scalar entry : entries)
    largest = std::max(largest, std::abs(static_cast<double>(entry)));
  const int exponent = largest == 0 ? 0 : std::max(std::ilogb(largest), -1023);
  if (!detail::is_lowerable(exponent)) return detail::own_tile_kind<Scalar>;
  for (int kind = 0; kind < static_cast<int>(detail::own_tile_kind<Scalar>); ++kind) {
    bool holds_all = true;
    for (const Scalar entry : entries) {
      const auto value = static_cast<double>(entry);
      const double stored = detail::with_tile_kind(static_cast<TileKind>(kind), [&]<TileKind is>() {
        return is < detail::own_tile_kind<Scalar>
                   ? detail::as_tile_has_it<Scalar, is>(value, exponent)
                   : value;
      });
      const double loss = std::abs(stored - value);
      const bool is_within =
          criterion.loss == TileLoss::relative
              ? loss <= criterion.tolerance * std::abs(value)
              : criterion.loss == TileLoss::absolute && loss < criterion.tolerance;
      holds_all = holds_all && (stored == value || is_within);
    }
    if (holds_all) return static_cast<TileKind>(kind);
  }
  return detail::own_tile_kind<Scalar>;
}

TESSERA_TYPED_TEST(MixedTilesTest, KindsAreTheLowestThatHold) {
  // Each row of tiles has a tile of its own, with numbers of as many bits, as far apart, with as
  // much noise behind them, and in such a unit as chance will have it.
  constexpr std::int32_t num_tiles = 600;
  Random random(17);
  std::vector<std::vector<Scalar>> entries(num_tiles);
  int bits = 1, spread = 0, noise = 0, unit = 0;
  const auto A = by_rows<Scalar>(16 * num_tiles, 16 * num_tiles, [&](auto& A, std::int32_t row) {
    if (row % 16 == 0) {
      bits = random.below(6) == 0 ? 53 : 1 + random.below(26);
      spread = random.below(3) == 0 ? random.below(200) : random.below(12);
      noise = random.below(3) == 0 ? 44 + random.below(10) : 0;
      const int range = sizeof(Scalar) == 8 ? 1060 : 140;
      unit = random.below(2) == 0 ? random.below(2 * range) - range : random.below(60) - 30;
    }
    const int count = random.below(5);
    for (int k = 0; k < count; ++k) {
      double number =
          std::ldexp(1.0, bits - 1) + std::floor(std::ldexp(random.uniform(0, 1), bits - 1));
      if (noise > 0) number *= 1 + std::ldexp(1.0, -noise);
      number = std::ldexp(number, 1 - bits + unit - random.below(spread + 1));
      if (random.below(40) == 0) number = 0;
      const auto value = static_cast<Scalar>(random.below(2) == 0 ? number : -number);
      A.push(row - row % 16 + 3 * k, value);
      entries[row / 16].push_back(value);
    }
  });
  for (const TileCriterion criterion :
       {TileCriterion{}, TileCriterion{TileLoss::none}, TileCriterion{TileLoss::relative, 0},
        TileCriterion{TileLoss::relative, 1e-4}, TileCriterion{TileLoss::relative, 0.1},
        TileCriterion{TileLoss::relative, 3}, TileCriterion{TileLoss::absolute, 1e-15},
        TileCriterion{TileLoss::absolute, 1e-3}}) {
    SCOPED_TRACE(std::to_string(static_cast<int>(criterion.loss)) + ", " +
                 std::to_string(criterion.tolerance));
    const auto keys = to_host(make_tiles<Offset>(exec, A, criterion).keys);
    std::size_t t = 0;
    std::array<int, kernels::num_tile_kinds> found{};
    for (std::int32_t i = 0; i < num_tiles; ++i) {
      if (entries[i].empty()) continue;
      const auto kind = static_cast<TileKind>(keys.at(t++) & 7);
      ASSERT_EQ(kind, reference_kind(entries[i], criterion)) << "tile " << i;
      ++found[static_cast<int>(kind)];
    }
    EXPECT_EQ(t, keys.size());
    for (int kind = 0; kind <= static_cast<int>(kernels::detail::own_tile_kind<Scalar>); ++kind) {
      if (criterion.tolerance < 1e-3) {
        EXPECT_GT(found[kind], 0) << kind;
      }
    }
  }
}

TESSERA_TYPED_TEST(MixedTilesTest, NumbersAtTheEndsOfTheRange) {
  const Scalar largest = std::numeric_limits<Scalar>::max();
  const Scalar least = std::numeric_limits<Scalar>::denorm_min();
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  Random random(8);
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto A = random_matrix<Scalar>({.num_rows = 70,
                                    .num_cols = 70,
                                    .density = 0.05,
                                    .seed = static_cast<std::uint64_t>(repeat)});
    for (auto& value : A.values) {
      const Scalar special[] = {
          largest,  -largest,  least,     -least,       nan,
          infinity, -infinity, Scalar(0), Scalar(-0.0), std::numeric_limits<Scalar>::min()};
      const std::int32_t which = random.below(40);
      const int range = sizeof(Scalar) == 8 ? 2000 : 240;
      if (which < 10)
        value = special[which];
      else if (which < 30)
        value = static_cast<Scalar>(std::exp2(random.below(range) - range / 2));
    }
    expect_exact<Offset>(exec, A);
  }
}

TESSERA_TYPED_TEST(MixedTilesTest, DuplicatesAreAddedUp) {
  const auto A = from_rows<Scalar>(
      40, {{{3, 1}, {3, 2}, {20, 1}, {20, 1}, {20, -3}}, {}, {{39, 1}, {2, 5}, {39, 4}, {2, -5}}});
  const auto expected = from_rows<Scalar>(40, {{{3, 3}, {20, -1}}, {}, {{2, 0}, {39, 5}}});
  const auto tiles = make_tiles<Offset>(exec, A);
  EXPECT_EQ(tiles.num_entries, 4u);
  expect_same_bits(read_tiles(tiles), expected);
  // As many as one place can be given.
  const auto many =
      from_rows<Scalar>(5, {std::vector<std::pair<std::int32_t, Scalar>>(1000, {2, Scalar(1)})});
  expect_same_bits(read_tiles(make_tiles<Offset>(exec, many)), from_rows<Scalar>(5, {{{2, 1000}}}));
}

TESSERA_TYPED_TEST(MixedTilesTest, SameBitsEachTime) {
  const auto A =
      with_values(random_matrix<Scalar>({.num_rows = 900, .num_cols = 800, .density = 0.01}), 4);
  const auto first = make_tiles<Offset>(exec, A);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto again = make_tiles<Offset>(exec, A);
    EXPECT_EQ(to_host(again.words), to_host(first.words));
    EXPECT_EQ(to_host(again.keys), to_host(first.keys));
    EXPECT_EQ(to_host(again.begins), to_host(first.begins));
  }
}

TESSERA_TYPED_TEST(MixedTilesTest, TakeLessMemoryWhereTilesAreNotNearlyEmpty) {
  const auto bytes_over_csr = [&](const HostMatrix<Scalar>& A) {
    const auto tiles = make_tiles<Offset>(exec, A);
    const double csr = static_cast<double>((A.num_rows + 1) * sizeof(Offset) +
                                           A.num_entries() * (sizeof(Scalar) + sizeof(Ordinal)));
    return static_cast<double>(tiles.bytes()) / csr;
  };
  const double wide = sizeof(Scalar) == 8 ? 1 : 1.5;
  EXPECT_LT(bytes_over_csr(poisson<Scalar>(64, 64)), 0.5 * wide);
  EXPECT_LT(
      bytes_over_csr(random_matrix<Scalar>({.num_rows = 128, .num_cols = 128, .density = 0.5})),
      0.85);
}

TESSERA_TYPED_TEST(MixedTilesTest, SayWhereOffsetsDoNotCountThem) {
  const auto A = poisson<Scalar>(30, 30);
  const auto csr = make_csr<Offset>(exec, A);
  const OffsetLimit<Offset> limit(100);
  EXPECT_THROW(kernels::csr_to_mixed_tiles(exec, csr.view()), OffsetOverflow);
}

TESSERA_TYPED_TEST(MixedTilesTest, RefuseANegativeTolerance) {
  EXPECT_THROW((make_tiles<Offset>(exec, poisson<Scalar>(4), {TileLoss::relative, -1})), Error);
  EXPECT_THROW((make_tiles<Offset>(exec, poisson<Scalar>(4), {TileLoss::relative, std::nan("")})),
               Error);
}

}  // namespace tessera::test::convert_test
