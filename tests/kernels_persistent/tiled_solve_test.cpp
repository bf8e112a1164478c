// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch on tiles in mixed precision.
#include "kernels_persistent/tiled_solves.hpp"

#include "tessera/gallery/problem.hpp"

namespace tessera::test::tiled_solve_test {

template <class Scalar>
HostMatrix<Scalar> from_gallery(ProblemKind problem, Ordinal n) {
  const HostSpace exec;
  const auto made = make_problem<Scalar, HostSpace>(exec, {.problem = problem, .n = n});
  exec.fence("tessera::test");
  return to_host(made.A);
}

TESSERA_TEST_SUITE(TiledSolveTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(TiledSolveTest, FindsTheSolution) {
  Tiled<Scalar, Space, Offset> tiled;
  for (const std::int32_t n : {1, 2, 15, 16, 17, 33, 127, 301}) {
    const auto spd = random_spd_matrix<Scalar>(n, std::min(1.0, 5.0 / n), n);
    const auto general = nonsymmetric_matrix<Scalar>(n, n);
    const auto b = some_vector<Scalar>(n);
    const auto of_spd = dense_solve(spd, b);
    const auto of_general = dense_solve(general, b);
    for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
      for (const With with : {With::nothing, With::jacobi}) {
        for (const Method method : both_methods) {
          SCOPED_TRACE(std::to_string(n) + name_of(method));
          const auto& A = method == Method::cg ? spd : general;
          const auto answer = tiled.solve(method, A, b, options, with);
          expect_converged(A, b, answer.plain());
          expect_near(answer.x, method == Method::cg ? of_spd : of_general,
                      sizeof(Scalar) == 8 ? 1e-7 : 2e-3);
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(TiledSolveTest, AsManyIterationsAsWithTheMatrixItself) {
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
    const auto b = times_ones(A);
    for (const Method method : both_methods) {
      if (method == Method::cg && !definite) continue;
      const auto reference = plain.solve(method, A, b, With::jacobi, reachable<Scalar>());
      ASSERT_EQ(reference.report.end, PersistentEnd::converged);
      for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
        const auto answer = tiled.solve(method, A, b, options, With::jacobi);
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        if (sizeof(Scalar) == 8) {
          EXPECT_FALSE(answer.report.returned);
        }
        expect_true_residual(A, b, answer.plain());
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

TYPED_TEST(TiledSolveTest, AnyUnitAndRowsOfDifferentScales) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> plain;
  Tiled<Scalar, Space, Offset> tiled;
  const auto P = poisson<Scalar>(25, 25);
  const auto unit = some_vector<Scalar>(P.num_rows);
  for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
    for (const Method method : both_methods) {
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
      for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
        value = static_cast<Scalar>(value * d[i] * d[j]);
      });
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

TESSERA_TYPED_TEST(TiledSolveTest, TilesOfAnotherMatrixServeAsFarAsTheyDo) {
  Tiled<Scalar, Space, Offset> tiled;
  // Entries within a thousandth: each cycle gains on the residual of the matrix itself.
  const auto A = random_spd_matrix<Scalar>(300, 0.03);
  const auto b = some_vector<Scalar>(300);
  for (const auto& options : {fixed, dynamic}) {
    const auto answer = tiled.solve(Method::cg, A, b, options, With::jacobi, reachable<Scalar>(),
                                    {TileLoss::relative, 1e-3});
    expect_converged(A, b, answer.plain());
  }
}

TESSERA_TYPED_TEST(TiledSolveTest, EveryShapeOfGroup) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const auto& tuning : shapes_of_groups<Space>(384)) {
    for (const auto& options : {fixed, dynamic}) {
      for (const Method method : both_methods) {
        const auto answer =
            tiled.solve(method, A, b, options, With::jacobi, reachable<Scalar>(), {}, {}, tuning);
        SCOPED_TRACE(std::to_string(answer.report.shape.shares) + " shares");
        expect_converged(A, b, answer.plain());
      }
    }
  }
}

TESSERA_TYPED_TEST(TiledSolveTest, RowsOfManyTiles) {
  Tiled<Scalar, Space, Offset> tiled;
  // Two full rows and columns.
  const std::int32_t n = 1200;
  const auto A = with_long_rows<Scalar>(
      n, [](std::int32_t i) { return i == n / 3 || i == n / 2; },
      [](std::int32_t i, std::int32_t j) { return i == j ? 2 : 0.3 / n; });
  const auto b = some_vector<Scalar>(n);
  for (const auto& options : {fixed, dynamic}) {
    for (const Method method : both_methods) {
      const auto answer = tiled.solve(method, A, b, options, With::jacobi);
      expect_converged(A, b, answer.plain());
    }
  }
}

TESSERA_TYPED_TEST(TiledSolveTest, SameBitsEachTime) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = random_spd_matrix<Scalar>(2500, 0.003);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const auto& options : {fixed, dynamic}) {
    for (const Method method : both_methods) {
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

TESSERA_TYPED_TEST(TiledSolveTest, SaysWhatIsWrong) {
  Tiled<Scalar, Space, Offset> tiled;
  const std::vector<Scalar> ones(25, Scalar(1));
  for (const auto& options : {fixed, dynamic, as_in_the_paper}) {
    const auto end_of = [&](Method method, const HostMatrix<Scalar>& A,
                            const std::vector<Scalar>& b) {
      const auto answer = tiled.solve(method, A, b, options);
      expect_consistent(answer.plain(), reachable<Scalar>());
      return answer.report.end;
    };
    for (const Method method : both_methods) {
      EXPECT_EQ(end_of(method, {}, {}), PersistentEnd::converged);
      const auto A = poisson<Scalar>(5, 5);
      // b = 0.
      const auto zero = tiled.solve(method, A, std::vector<Scalar>(25, Scalar(0)), options,
                                    With::nothing, reachable<Scalar>(), {}, ones);
      EXPECT_EQ(zero.report.end, PersistentEnd::converged);
      EXPECT_EQ(zero.x, std::vector<Scalar>(25, Scalar(0)));
      EXPECT_EQ(zero.report.work.total(), 0);
      // No entries, and zeros.
      EXPECT_EQ(end_of(method, without_entries<Scalar>(25), ones), PersistentEnd::breakdown);
      EXPECT_EQ(end_of(method, scaled(A, 0), ones), PersistentEnd::breakdown);
    }
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
      expect_true_residual(A, b, answer.plain());
    }
  }
}

TESSERA_TYPED_TEST(TiledSolveTest, RefusesWhatDoesNotFit) {
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

}  // namespace tessera::test::tiled_solve_test
