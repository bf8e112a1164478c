// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch on tiles in mixed precision, and in dynamic precision.
#include "kernels_persistent/tiled_solves.hpp"

#include "tessera/gallery/problem.hpp"

namespace tessera::test {
namespace tiled_solve_test {

template <class Scalar>
HostMatrix<Scalar> from_gallery(ProblemKind problem, Ordinal n) {
  const HostSpace exec;
  const auto made = make_problem<Scalar, HostSpace>(exec, {.problem = problem, .n = n});
  exec.fence("tessera::test");
  return to_host(made.A);
}

template <class Param>
class TiledSolveTest : public ::testing::Test {};
TYPED_TEST_SUITE(TiledSolveTest, Matrices, TypeNames);

TYPED_TEST(TiledSolveTest, FindsTheSolution) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  for (const std::int32_t n : {1, 2, 15, 16, 17, 33, 127, 301}) {
    const auto spd = random_spd_matrix<Scalar>(n, std::min(1.0, 5.0 / n), n);
    const auto general = nonsymmetric_matrix<Scalar>(n, n);
    const auto b = some_vector<Scalar>(n);
    const auto of_spd = dense_solve(spd, b);
    const auto of_general = dense_solve(general, b);
    for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
      for (const With with : {With::nothing, With::jacobi}) {
        for (const Method method : {Method::cg, Method::bicgstab}) {
          SCOPED_TRACE(std::to_string(n) + (method == Method::cg ? " cg" : " bicgstab"));
          const auto& A = method == Method::cg ? spd : general;
          const auto answer = tiled.solve(method, A, b, options, with);
          expect_consistent(answer.plain(), reachable<Scalar>());
          EXPECT_EQ(answer.report.end, PersistentEnd::converged);
          expect_true_residual(A, b, answer.plain(), norm_of(b));
          expect_near(answer.x, method == Method::cg ? of_spd : of_general,
                      sizeof(Scalar) == 8 ? 1e-7 : 2e-3);
        }
      }
    }
  }
}

TYPED_TEST(TiledSolveTest, AsManyIterationsAsWithTheMatrixItself) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> plain;
  Tiled<Scalar, Space, Offset> tiled;
  std::vector<std::pair<HostMatrix<Scalar>, bool>> cases;  // and whether it is definite
  cases.emplace_back(poisson<Scalar>(45, 45), true);
  cases.emplace_back(poisson<Scalar>(12, 13, 14), true);
  cases.emplace_back(from_gallery<Scalar>(ProblemKind::poisson3d27, 12), true);
  cases.emplace_back(random_spd_matrix<Scalar>(900, 0.01), true);
  cases.emplace_back(nonsymmetric_matrix<Scalar>(400), false);
  double ratios = 0;
  int count = 0;
  for (const auto& [A, definite] : cases) {
    const std::vector<Scalar> ones(A.num_rows, Scalar(1));
    const auto product = multiply(A, ones);
    const std::vector<Scalar> b(product.begin(), product.end());
    for (const Method method : {Method::cg, Method::bicgstab}) {
      if (method == Method::cg && !definite) continue;
      const auto reference = plain.solve(method, A, b, With::jacobi, reachable<Scalar>());
      ASSERT_EQ(reference.report.end, PersistentEnd::converged);
      for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
        const auto answer = tiled.solve(method, A, b, options, With::jacobi);
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        if (sizeof(Scalar) == 8) {
          EXPECT_FALSE(answer.report.returned);
        }
        expect_true_residual(A, b, answer.plain(), norm_of(b));
        ratios += static_cast<double>(answer.report.iterations) / reference.report.iterations;
        ++count;
        const int products = method == Method::cg ? 1 : 2;
        EXPECT_EQ(answer.report.work.total(),
                  answer.num_tiles * products * answer.report.iterations);
      }
    }
  }
  EXPECT_LE(ratios / count, 1.1);
}

TYPED_TEST(TiledSolveTest, TilesAreDemotedWhereLittleIsLeftToDo) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  // Systems that do not touch, with right-hand sides of less and less weight.
  const auto P = random_spd_matrix<Scalar>(160, 0.1);
  const std::vector<double> weights{1, 1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-18, 1e-22};
  HostMatrix<Scalar> A;
  std::vector<Scalar> b;
  for (const double weight : weights) {
    const auto first = static_cast<std::int32_t>(b.size());
    for (Ordinal i = 0; i < P.num_rows; ++i) {
      for (auto e = P.offsets[i]; e < P.offsets[i + 1]; ++e)
        A.push(first + P.columns[e], P.values[e]);
      A.end_row();
    }
    for (const Scalar value : some_vector<Scalar>(P.num_rows))
      b.push_back(static_cast<Scalar>(weight * value));
  }
  A.num_rows = A.num_cols = static_cast<std::int32_t>(b.size());
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const auto still = tiled.solve(method, A, b, fixed);
    EXPECT_EQ(still.report.work[TileLevel::bypassed], 0);
    for (const auto& options : {dynamic, as_in_the_paper}) {
      const auto answer = tiled.solve(method, A, b, options);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      expect_true_residual(A, b, answer.plain(), norm_of(b));
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
  HostMatrix<Scalar> A;
  for (Ordinal i = 0; i < large; ++i) {
    A.push(i, Scalar(1));
    A.end_row();
  }
  for (Ordinal y = 0; y < n; ++y) {
    for (Ordinal x = 0; x < n; ++x) {
      const Ordinal i = large + y * n + x;
      const auto push = [&](Ordinal j, double value) {
        A.push(j, static_cast<Scalar>(unit * value));
      };
      if (y == 0) push(x % large, -1);
      if (y > 0) push(i - n, -1 - wind);
      if (x > 0) push(i - 1, -1 - wind);
      push(i, 4);
      if (x + 1 < n) push(i + 1, -1 + wind);
      if (y + 1 < n) push(i + n, -1 + wind);
      A.end_row();
    }
  }
  A.num_rows = A.num_cols = large + n * n;
  return A;
}

/// The large rows are solved in the first step, and the second one is 1e7 times as long: what tiles
/// lose by the first one's length, BiCGSTAB takes up to eight times as many iterations for.
TYPED_TEST(TiledSolveTest, StepsThatGrowOutOfTheOnesBeforeLoseNothing) {
  TESSERA_TEST_TYPES(TypeParam);
  if constexpr (sizeof(Scalar) == 8) {
    Tiled<Scalar, Space, Offset> tiled;
    const PersistentLimits limits{.tolerance = 1e-10, .max_iterations = 1000};
    std::int64_t repeated = 0;
    for (const Ordinal n : {20, 30, 40}) {
      const auto A = small_rows_below_large_ones<Scalar>(n);
      const auto product = multiply(A, std::vector<Scalar>(A.num_rows, Scalar(1)));
      const std::vector<Scalar> b(product.begin(), product.end());
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

TYPED_TEST(TiledSolveTest, SegmentsOfZerosAreLeftOutAndWakeUp) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> plain;
  Tiled<Scalar, Space, Offset> tiled;
  // One entry of b, at one end: with each iteration p reaches one point further.
  const auto A = poisson<Scalar>(400);
  std::vector<Scalar> b(400, Scalar(0));
  b[0] = 1;
  PersistentLimits limits;
  limits.tolerance = 1e-4;
  limits.max_iterations = 500;
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

TYPED_TEST(TiledSolveTest, LoweredTilesAreRaisedWhereSegmentsWakeUp) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = with_long_numbers(poisson<Scalar>(320));
  for (const Method method : {Method::cg, Method::bicgstab}) {
    PersistentLimits limits;
    limits.tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-3;
    limits.max_iterations = 10000;
    const auto b = quiet_but_for_the_first<Scalar>(320, method, limits.tolerance);
    for (auto options : {dynamic, as_in_the_paper}) {
      // The residual waits until p has got through, for which all tiles would be raised at once.
      options.patience = 1000;
      const auto answer = tiled.solve(method, A, b, options, With::jacobi, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      expect_true_residual(A, b, answer.plain(), norm_of(b));
      const auto& work = answer.report.work;
      EXPECT_GT(work[TileLevel::fp8] + work[TileLevel::half], 0);
      EXPECT_GT(answer.report.raised, answer.num_tiles / 3);
    }
  }
}

TYPED_TEST(TiledSolveTest, GoesBackUpWhereLowPrecisionLeadsAstray) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  auto spd = random_spd_matrix<Scalar>(700, 0.02);
  const auto general = nonsymmetric_matrix<Scalar>(700);
  const auto b = some_vector<Scalar>(700);
  const double always = 1e30;
  const std::vector<DynamicRanges> reckless{{always, always, always, 0},
                                            {always, always, 0, 0},
                                            {always, 0, 0, 0},
                                            {always, always, always, always}};
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const auto& A = method == Method::cg ? spd : general;
    bool has_returned = false;
    for (const auto& ranges : reckless) {
      const TileOptions options{.is_dynamic = true, .ranges = ranges};
      for (const With with : {With::nothing, With::jacobi}) {
        const auto answer = tiled.solve(method, A, b, options, with);
        expect_consistent(answer.plain(), reachable<Scalar>());
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        expect_true_residual(A, b, answer.plain(), norm_of(b));
        has_returned = has_returned || answer.report.returned;
      }
    }
    EXPECT_TRUE(has_returned);
  }
}

TYPED_TEST(TiledSolveTest, TilesAreDemotedInAsManyIterationsAsIsSaid) {
  TESSERA_TEST_TYPES(TypeParam);
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

TYPED_TEST(TiledSolveTest, RaisesTilesWhereTheResidualStalls) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = random_spd_matrix<Scalar>(500, 0.02);
  const auto b = some_vector<Scalar>(500);
  TileOptions options{.is_dynamic = true, .ranges = {1e30, 1e30, 1e30, 1e30}, .patience = 3};
  PersistentLimits limits = reachable<Scalar>();
  limits.divergence_limit = 1e30;
  const auto answer = tiled.solve(Method::cg, A, b, options, With::nothing, limits);
  EXPECT_EQ(answer.report.end, PersistentEnd::converged);
  expect_true_residual(A, b, answer.plain(), norm_of(b));
}

TYPED_TEST(TiledSolveTest, AnyUnitAndRowsOfDifferentScales) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> plain;
  Tiled<Scalar, Space, Offset> tiled;
  const auto P = poisson<Scalar>(25, 25);
  const auto unit = some_vector<Scalar>(P.num_rows);
  for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
    for (const Method method : {Method::cg, Method::bicgstab}) {
      for (const double size : {1e-12, 1e12, 0x1p-40}) {
        const auto A = scaled(P, size);
        for (const With with : {With::nothing, With::jacobi}) {
          const auto reference = plain.solve(method, A, unit, with, reachable<Scalar>());
          const auto answer = tiled.solve(method, A, unit, options, with);
          EXPECT_EQ(answer.report.end, PersistentEnd::converged);
          // Sums are rounded in another order on each machine, and lowered tiles go with that: on
          // an H200 one of these takes a fifth more.
          EXPECT_LE(answer.report.iterations,
                    (options.is_dynamic ? 1.25 : 1.1) * reference.report.iterations + 2);
        }
      }
      // D P D, whose diagonal spans 2^40, or 2^16 where numbers have 24 bits.
      auto A = P;
      Random random(4);
      std::vector<double> d(A.num_rows);
      const int range = sizeof(Scalar) == 8 ? 20 : 8;
      for (auto& value : d)
        value = std::exp2(random.below(range + 1) - range / 2);
      for (Ordinal i = 0; i < A.num_rows; ++i) {
        for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
          A.values[e] = static_cast<Scalar>(A.values[e] * d[i] * d[A.columns[e]]);
      }
      const auto reference = plain.solve(method, A, unit, With::jacobi, reachable<Scalar>());
      const auto answer = tiled.solve(method, A, unit, options, With::jacobi);
      // In float both end near their tolerance, on this side of it or on that.
      if (sizeof(Scalar) == 8) {
        EXPECT_EQ(answer.report.end, reference.report.end);
      }
      EXPECT_LE(answer.report.residual_norm,
                10 * reachable_tolerance<Scalar> * answer.report.rhs_norm);
      expect_consistent(answer.plain(), reachable<Scalar>());
    }
  }
}

TYPED_TEST(TiledSolveTest, TilesOfAnotherMatrixServeAsFarAsTheyDo) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  // Entries within a thousandth: each cycle gains on the residual of the matrix itself.
  const auto A = random_spd_matrix<Scalar>(300, 0.03);
  const auto b = some_vector<Scalar>(300);
  for (const auto& options : {fixed, dynamic}) {
    const auto answer = tiled.solve(Method::cg, A, b, options, With::jacobi, reachable<Scalar>(),
                                    {TileLoss::relative, 1e-3});
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    expect_true_residual(A, b, answer.plain(), norm_of(b));
  }
}

TYPED_TEST(TiledSolveTest, EveryShapeOfGroup) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  std::vector<PersistentTuning> tunings{{}, {.shares = 1}, {.shares = 5}, {.shares = 40}};
  if constexpr (!kernels::is_host_space<Space>) {
    tunings.push_back({.shares = 3, .lanes = 64, .lanes_per_row = 4});
    tunings.push_back({.shares = 90, .lanes = 384, .lanes_per_row = 32});
    tunings.push_back({.shares = 7, .lanes = 96, .stage = false});
    tunings.push_back({.shares = 1, .lanes = 384, .lanes_per_row = 2, .stage = false});
  }
  for (const auto& tuning : tunings) {
    for (const auto& options : {fixed, dynamic}) {
      for (const Method method : {Method::cg, Method::bicgstab}) {
        const auto answer =
            tiled.solve(method, A, b, options, With::jacobi, reachable<Scalar>(), {}, {}, tuning);
        SCOPED_TRACE(std::to_string(answer.report.shape.shares) + " shares");
        expect_consistent(answer.plain(), reachable<Scalar>());
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        expect_true_residual(A, b, answer.plain(), norm_of(b));
      }
    }
  }
}

TYPED_TEST(TiledSolveTest, RowsOfManyTiles) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  // Two full rows and columns.
  const std::int32_t n = 1200;
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = n;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t c = 0; c < n; ++c) {
      const bool is_full = i == n / 3 || c == n / 3 || i == n / 2 || c == n / 2;
      if (c == i || is_full) A.push(c, static_cast<Scalar>(c == i ? 2 : 0.3 / n));
    }
    A.end_row();
  }
  const auto b = some_vector<Scalar>(n);
  for (const auto& options : {fixed, dynamic}) {
    for (const Method method : {Method::cg, Method::bicgstab}) {
      const auto answer = tiled.solve(method, A, b, options, With::jacobi);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      expect_true_residual(A, b, answer.plain(), norm_of(b));
    }
  }
}

TYPED_TEST(TiledSolveTest, SameBitsEachTime) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = random_spd_matrix<Scalar>(2500, 0.003);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const auto& options : {fixed, dynamic}) {
    for (const Method method : {Method::cg, Method::bicgstab}) {
      const auto first = tiled.solve(method, A, b, options, With::jacobi);
      for (int repeat = 0; repeat < 5; ++repeat) {
        const auto again = tiled.solve(method, A, b, options, With::jacobi);
        ASSERT_EQ(again.x, first.x);
        ASSERT_EQ(again.report.history, first.report.history);
        ASSERT_EQ(again.report.work.tiles, first.report.work.tiles);
      }
    }
  }
}

TYPED_TEST(TiledSolveTest, SaysWhatIsWrong) {
  TESSERA_TEST_TYPES(TypeParam);
  Tiled<Scalar, Space, Offset> tiled;
  const std::vector<Scalar> ones(25, Scalar(1));
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
    const auto end_of = [&](Method method, const HostMatrix<Scalar>& A,
                            const std::vector<Scalar>& b) {
      const auto answer = tiled.solve(method, A, b, options);
      expect_consistent(answer.plain(), reachable<Scalar>());
      return answer.report.end;
    };
    for (const Method method : {Method::cg, Method::bicgstab}) {
      HostMatrix<Scalar> none;
      EXPECT_EQ(end_of(method, none, {}), PersistentEnd::converged);
      const auto A = poisson<Scalar>(5, 5);
      // b = 0.
      const auto zero = tiled.solve(method, A, std::vector<Scalar>(25, Scalar(0)), options,
                                    With::nothing, reachable<Scalar>(), {}, ones);
      EXPECT_EQ(zero.report.end, PersistentEnd::converged);
      EXPECT_EQ(zero.x, std::vector<Scalar>(25, Scalar(0)));
      EXPECT_EQ(zero.report.work.total(), 0);
      // No entries, and zeros.
      HostMatrix<Scalar> empty;
      empty.num_rows = empty.num_cols = 25;
      empty.offsets.assign(26, 0);
      EXPECT_EQ(end_of(method, empty, ones), PersistentEnd::breakdown);
      EXPECT_EQ(end_of(method, scaled(A, 0), ones), PersistentEnd::breakdown);
      // NaN in b and in A.
      auto bad = ones;
      bad[7] = nan;
      EXPECT_EQ(end_of(method, A, bad), PersistentEnd::not_a_number);
      auto B = A;
      B.values[30] = nan;
      EXPECT_EQ(end_of(method, B, ones), PersistentEnd::not_a_number);
    }
    EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, -1}), {1, 1}),
              PersistentEnd::breakdown);
    EXPECT_EQ(end_of(Method::cg, scaled(poisson<Scalar>(5, 5), -1), ones),
              PersistentEnd::breakdown);
    EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 0}),
              PersistentEnd::converged);
    EXPECT_NE(end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 1}),
              PersistentEnd::converged);
    // Limits.
    const auto A = poisson<Scalar>(40, 40);
    const auto b = some_vector<Scalar>(A.num_rows);
    PersistentLimits limits = reachable<Scalar>();
    for (const int most : {0, 1, 5}) {
      limits.max_iterations = most;
      const auto answer = tiled.solve(Method::cg, A, b, options, With::nothing, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::max_iterations);
      EXPECT_EQ(answer.report.iterations, most);
      expect_true_residual(A, b, answer.plain(), norm_of(b));
    }
  }
}

TYPED_TEST(TiledSolveTest, RefusesWhatDoesNotFit) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = poisson<Scalar>(4, 4);
  EXPECT_THROW(tiled.solve(Method::cg, A, std::vector<Scalar>(15, 1), fixed), Error);
  EXPECT_THROW(tiled.solve(Method::cg, A, std::vector<Scalar>(16, 1), fixed, With::nothing, {}, {},
                           {}, {.lanes_per_row = 3}),
               Error);
  // Tiles of another size.
  const auto matrix = make_csr<Offset>(exec, A);
  const auto other = make_csr<Offset>(exec, poisson<Scalar>(4, 5));
  const auto tiles = kernels::csr_to_mixed_tiles(exec, other.view());
  kernels::TiledWorkspace<Scalar, Space> workspace;
  const auto b = to_device(exec, std::vector<Scalar>(16, 1));
  const auto x = to_device(exec, std::vector<Scalar>(16, 0));
  EXPECT_THROW(kernels::persistent_cg(exec, workspace, matrix.view(), tiles.view(),
                                      Array<Scalar, Space>(), b, x, {}),
               Error);
}

}  // namespace tiled_solve_test
}  // namespace tessera::test
