// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in dynamic precision: when they are demoted, left out and raised again.
#include "kernels_persistent/tiled_solves.hpp"

namespace tessera::test::tiled_precision_test {

TESSERA_TEST_SUITE(TiledPrecisionTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(TiledPrecisionTest, TilesAreDemotedWhereLittleIsLeftToDo) {
  Tiled<Scalar, Space, Offset> tiled;
  // Systems that do not touch, with right-hand sides of less and less weight.
  const auto P = random_spd_matrix<Scalar>(160, 0.1);
  const std::vector<double> weights{1, 1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-18, 1e-22};
  const auto A = side_by_side(P, static_cast<std::int32_t>(weights.size()));
  std::vector<Scalar> b;
  for (const double weight : weights) {
    for (const Scalar value : some_vector<Scalar>(P.num_rows))
      b.push_back(static_cast<Scalar>(weight * value));
  }
  for (const Method method : both_methods) {
    const auto still = tiled.solve(method, A, b, fixed);
    EXPECT_EQ(still.report.work[TileLevel::bypassed], 0);
    for (const auto& options : {dynamic, as_in_the_paper}) {
      const auto answer = tiled.solve(method, A, b, options);
      expect_converged(A, b, answer.plain());
      EXPECT_LE(answer.report.iterations, 1.1 * still.report.iterations + 1);
      const auto& work = answer.report.work;
      EXPECT_GT(work[TileLevel::bypassed], work.total() / 12);
      if constexpr (sizeof(Scalar) == 8) {
        EXPECT_FALSE(answer.report.returned);
        EXPECT_GT(work[TileLevel::fp8], 0);
        EXPECT_GT(work[TileLevel::half], 0);
        EXPECT_GT(work[TileLevel::fp32], 0);
        EXPECT_LT(work[TileLevel::fp64], work.total() * 5 / 6);
      }
    }
  }
}

/// Identity, and below it a grid of n by n with weak convection in a unit 1e8 times as small, whose
/// first row depends on it.
template <class Scalar>
HostMatrix<Scalar> small_rows_below_large_ones(Ordinal n) {
  constexpr Ordinal large = 64;
  constexpr double unit = 1e-8;
  constexpr double wind = 0.03;
  return by_rows<Scalar>(large + n * n, large + n * n, [&](auto& A, Ordinal i) {
    if (i < large) return A.push(i, Scalar(1));
    const auto push = [&](Ordinal j, double value) {
      A.push(j, static_cast<Scalar>(unit * value));
    };
    const Ordinal x = (i - large) % n, y = (i - large) / n;
    if (y == 0) push(x % large, -1);
    if (y > 0) push(i - n, -1 - wind);
    if (x > 0) push(i - 1, -1 - wind);
    push(i, 4);
    if (x + 1 < n) push(i + 1, -1 + wind);
    if (y + 1 < n) push(i + n, -1 + wind);
  });
}

/// The large rows are solved in the first step, and the second one is 1e7 times as long: what tiles
/// lose by the first one's length, BiCGSTAB takes up to eight times as many iterations for.
TESSERA_TYPED_TEST(TiledPrecisionTest, StepsThatGrowOutOfTheOnesBeforeLoseNothing) {
  if constexpr (sizeof(Scalar) == 8) {
    Tiled<Scalar, Space, Offset> tiled;
    const PersistentLimits limits{.tolerance = 1e-10, .max_iterations = 1000};
    std::int64_t repeated = 0;
    for (const Ordinal n : {20, 30, 40}) {
      const auto A = small_rows_below_large_ones<Scalar>(n);
      const auto b = times_ones(A);
      const auto solve = [&](const TileOptions& options) {
        return tiled.solve(Method::bicgstab, A, b, options, With::nothing, limits);
      };
      const auto still = solve(fixed);
      ASSERT_EQ(still.report.end, PersistentEnd::converged);
      EXPECT_EQ(still.report.repeated, 0);
      for (const auto& options : {dynamic, as_in_the_paper}) {
        const auto answer = solve(options);
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        EXPECT_LE(answer.report.iterations, 1.1 * still.report.iterations + 1);
        const auto& work = answer.report.work;
        EXPECT_GT(work[TileLevel::bypassed], 0);
        repeated += answer.report.repeated;
      }
    }
    EXPECT_GT(repeated, 0);
  }
}

TESSERA_TYPED_TEST(TiledPrecisionTest, SegmentsOfZerosAreLeftOutAndReactivated) {
  Persistent<Scalar, Space, Offset> plain;
  Tiled<Scalar, Space, Offset> tiled;
  // One entry of b, at one end: with each iteration p reaches one point further.
  const auto A = poisson<Scalar>(400);
  std::vector<Scalar> b(400, Scalar(0));
  b[0] = 1;
  PersistentLimits limits{.tolerance = 1e-4, .max_iterations = 500};
  const TileOptions options{.is_dynamic = true, .ranges = DynamicRanges::none()};
  const auto reference = plain.solve(Method::cg, A, b, With::nothing, limits);
  const auto answer = tiled.solve(Method::cg, A, b, options, With::nothing, limits);
  ASSERT_EQ(reference.report.end, PersistentEnd::converged);
  EXPECT_EQ(answer.report.end, PersistentEnd::converged);
  // What is left out is nothing.
  EXPECT_NEAR(answer.report.iterations, reference.report.iterations, 2);
  const auto& work = answer.report.work;
  EXPECT_GT(work[TileLevel::bypassed], work.total() / 3);
  EXPECT_EQ(work[TileLevel::fp8] + work[TileLevel::bypassed], work.total());
  // Each tile is raised once, but for those of the first column of tiles, which are never left out.
  EXPECT_FALSE(answer.report.returned);
  EXPECT_EQ(answer.report.raised, answer.num_tiles - 2);
  EXPECT_EQ(tiled.solve(Method::cg, A, b, fixed, With::nothing, limits).report.raised, 0);
}

TESSERA_TYPED_TEST(TiledPrecisionTest, DemotedTilesArePromotedWhereSegmentsAreReactivated) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = with_long_numbers(poisson<Scalar>(320));
  for (const Method method : both_methods) {
    PersistentLimits limits;
    limits.tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-3;
    limits.max_iterations = 10000;
    const auto b = quiet_but_for_the_first<Scalar>(320, method, limits.tolerance);
    for (auto options : {dynamic, as_in_the_paper}) {
      // The residual waits until p has got through, for which all tiles would be raised at once.
      options.patience = 1000;
      const auto answer = tiled.solve(method, A, b, options, With::jacobi, limits);
      expect_converged(A, b, answer.plain(), limits);
      const auto& work = answer.report.work;
      EXPECT_GT(work[TileLevel::fp8] + work[TileLevel::half], 0);
      EXPECT_GT(answer.report.raised, answer.num_tiles / 3);
    }
  }
}

TESSERA_TYPED_TEST(TiledPrecisionTest, GoesBackUpWhereLowPrecisionLeadsAstray) {
  Tiled<Scalar, Space, Offset> tiled;
  auto spd = random_spd_matrix<Scalar>(700, 0.02);
  const auto general = nonsymmetric_matrix<Scalar>(700);
  const auto b = some_vector<Scalar>(700);
  const double always = 1e30;
  const std::vector<DynamicRanges> reckless{{always, always, always, 0},
                                            {always, always, 0, 0},
                                            {always, 0, 0, 0},
                                            {always, always, always, always}};
  for (const Method method : both_methods) {
    const auto& A = method == Method::cg ? spd : general;
    bool has_returned = false;
    for (const auto& ranges : reckless) {
      const TileOptions options{.is_dynamic = true, .ranges = ranges};
      for (const With with : {With::nothing, With::jacobi}) {
        const auto answer = tiled.solve(method, A, b, options, with);
        expect_converged(A, b, answer.plain());
        has_returned = has_returned || answer.report.returned;
      }
    }
    EXPECT_TRUE(has_returned);
  }
}

TESSERA_TYPED_TEST(TiledPrecisionTest, TilesAreDemotedInAsManyIterationsAsIsSaid) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = with_long_numbers(poisson<Scalar>(320));
  PersistentLimits limits;
  limits.tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-3;
  limits.max_iterations = 10000;
  const auto b = quiet_but_for_the_first<Scalar>(320, Method::cg, limits.tolerance);
  const auto work_with = [&](int dynamic_iterations, int most) {
    TileOptions options = dynamic;
    options.patience = 1000;
    options.dynamic_iterations = dynamic_iterations;
    limits.max_iterations = most;
    const auto answer = tiled.solve(Method::cg, A, b, options, With::jacobi, limits);
    const auto& work = answer.report.work;
    return work[TileLevel::fp8] + work[TileLevel::half] + work[TileLevel::bypassed];
  };
  const auto all = work_with(-1, 10000);
  EXPECT_EQ(work_with(5000, 10000), all);
  // The first product is lowered before anybody looks.
  EXPECT_LT(work_with(0, 10000), all / 10);
  // A part of a solve: half of its own iterations, or of the solve's.
  EXPECT_LT(work_with(-1, 40), work_with(5000, 40));
}

TESSERA_TYPED_TEST(TiledPrecisionTest, RaisesTilesWhereTheResidualStalls) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = random_spd_matrix<Scalar>(500, 0.02);
  const auto b = some_vector<Scalar>(500);
  TileOptions options{.is_dynamic = true, .ranges = {1e30, 1e30, 1e30, 1e30}, .patience = 3};
  PersistentLimits limits = reachable<Scalar>();
  limits.divergence_limit = 1e30;
  const auto answer = tiled.solve(Method::cg, A, b, options, With::nothing, limits);
  expect_converged(A, b, answer.plain(), limits);
}

}  // namespace tessera::test::tiled_precision_test
