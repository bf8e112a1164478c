// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch: what they find.
#include "kernels_persistent/persistent_solves.hpp"

#include "support/offset_limit.hpp"

namespace tessera::test::solve_test {

TESSERA_TEST_SUITE(PersistentSolveTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(PersistentSolveTest, FindsTheSolution) {
  Persistent<Scalar, Space, Offset> persistent;
  for (const std::int32_t n : {1, 2, 31, 33, 127, 301}) {
    const auto spd = random_spd_matrix<Scalar>(n, std::min(1.0, 5.0 / n), n);
    const auto general = nonsymmetric_matrix<Scalar>(n, n);
    const auto b = some_vector<Scalar>(n);
    const auto limits = reachable<Scalar>();
    for (const With with : {With::nothing, With::jacobi}) {
      for (const Method method : both_methods) {
        SCOPED_TRACE(std::to_string(n) + name_of(method));
        const auto& A = method == Method::cg ? spd : general;
        const auto answer = persistent.solve(method, A, b, with, limits);
        expect_converged(A, b, answer, limits);
        EXPECT_NEAR(answer.report.rhs_norm, norm_of(b), 1e-6 * norm_of(b));
        expect_near(answer.x, dense_solve(A, b), sizeof(Scalar) == 8 ? 1e-7 : 2e-3);
      }
    }
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, EveryShapeOfGroupSolvesALargerSystem) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  const auto limits = reachable<Scalar>();
  auto tunings = shapes_of_groups<Space>();
  if constexpr (!kernels::is_host_space<Space>) {
    tunings.push_back({.cluster = 1});
    tunings.push_back({.cluster = -1});
    tunings.push_back({.shares = 5, .lanes = 96, .lanes_per_row = 2, .cluster = 1});
    tunings.push_back({.shares = 3, .cluster = 1, .stage = false});
    tunings.push_back({.register_entries = -1});
    tunings.push_back({.shares = 40, .register_entries = 8});
    tunings.push_back({.cluster = 1, .register_entries = 3, .window = 0});
    tunings.push_back({.cluster = 1, .register_entries = -1, .window = 2});
    tunings.push_back({.lanes_per_row = 1, .cluster = 1, .window = 2});
  }
  for (const auto& tuning : tunings) {
    for (const Method method : both_methods) {
      const auto answer = persistent.solve(method, A, b, With::jacobi, limits, {}, tuning);
      SCOPED_TRACE(std::to_string(answer.report.shape.shares) + " shares");
      expect_converged(A, b, answer, limits);
      EXPECT_LT(answer.report.iterations, method == Method::cg ? 250 : 200);
    }
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, ClustersAreTakenWhereThereAreAny) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(64, 64);
  const auto b = some_vector<Scalar>(A.num_rows);
  const auto solve = [&](int cluster) {
    return persistent.solve(Method::cg, A, b, With::nothing, reachable<Scalar>(), {},
                            {.cluster = cluster});
  };
  const auto alone = solve(-1), chosen = solve(0), asked = solve(1);
  EXPECT_FALSE(alone.report.shape.in_cluster);
  EXPECT_EQ(chosen.report.shape.in_cluster, asked.report.shape.in_cluster);
  EXPECT_EQ(chosen.x, asked.x);
  EXPECT_THROW(solve(2), Error);
  if (!chosen.report.shape.in_cluster) {
    EXPECT_EQ(chosen.x, alone.x);
    GTEST_SKIP() << "no clusters here: a solve that asks for one is an ordinary one";
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, AgreesWithTheOrdinarySolverIterationByIteration) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(20, 21);
  const auto N = nonsymmetric_matrix<Scalar>(400);
  for (const Method method : both_methods) {
    const auto& matrix = method == Method::cg ? A : N;
    const auto b = some_vector<Scalar>(matrix.num_rows);
    const SolverParameters parameters{
        .name = method == Method::cg ? SolverName::cg : SolverName::bicgstab,
        .tolerance = reachable_tolerance<Scalar>};
    const auto ordinary = solve<Space>(parameters, matrix, b, 1, With::jacobi);
    const auto answer = persistent.solve(method, matrix, b, With::jacobi, reachable<Scalar>());
    ASSERT_TRUE(ordinary.result.converged());
    ASSERT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_NEAR(answer.report.iterations, ordinary.result.iterations, 2);
    const auto& history = answer.report.history;
    for (std::size_t i = 0; i < std::min<std::size_t>(history.size(), 8); ++i)
      EXPECT_NEAR(history[i], ordinary.result.residual_history[i], 1e-3 * history[i]) << i;
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, LongOffsetsGiveTheSameBits) {
  Persistent<Scalar, Space, std::int32_t> with_short;
  Persistent<Scalar, Space, std::int64_t> with_long;
  // The second is larger and the third smaller than what the copy of offsets was made for.
  for (const int n : {9, 30, 4}) {
    const auto A = poisson<Scalar>(n, n + 1);
    const auto b = some_vector<Scalar>(A.num_rows);
    for (const Method method : both_methods) {
      const auto limits = reachable<Scalar>();
      EXPECT_EQ(with_long.solve(method, A, b, With::jacobi, limits).x,
                with_short.solve(method, A, b, With::jacobi, limits).x);
    }
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, MoreEntriesThanShortOffsetsCountAreRefused) {
  Persistent<Scalar, Space, std::int64_t> persistent;
  const auto A = poisson<Scalar>(5, 5);
  const auto b = some_vector<Scalar>(A.num_rows);
  const OffsetLimit<std::int32_t> limit(A.num_entries() - 1);
  for (const Method method : both_methods)
    EXPECT_THROW(persistent.solve(method, A, b), OffsetOverflow);
}

TESSERA_TYPED_TEST(PersistentSolveTest, SameBitsEachTime) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = random_spd_matrix<Scalar>(2500, 0.003);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : both_methods) {
    const auto first = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
    for (int repeat = 0; repeat < 10; ++repeat) {
      const auto again = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
      ASSERT_EQ(again.x, first.x);
      ASSERT_EQ(again.report.history, first.report.history);
    }
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, TwoHundredSolvesOfDifferentSizes) {
  Persistent<Scalar, Space, Offset> persistent;
  for (int i = 0; i < 200; ++i) {
    const auto A = poisson<Scalar>(3 + i % 37, 1 + i % 41);
    const auto b = some_vector<Scalar>(A.num_rows, i);
    const Method method = i % 3 == 0 ? Method::bicgstab : Method::cg;
    const auto answer = persistent.solve(method, A, b, i % 2 == 0 ? With::jacobi : With::nothing,
                                         reachable<Scalar>(), {}, {.shares = i % 5});
    ASSERT_EQ(answer.report.end, PersistentEnd::converged) << i;
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, TrivialSystems) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto limits = reachable<Scalar>();
  for (const Method method : both_methods) {
    // Nothing at all.
    auto answer = persistent.solve(method, HostMatrix<Scalar>(), {});
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.history, std::vector<double>{0});
    // b = 0 gives x = 0 whatever the guess.
    const auto A = poisson<Scalar>(9, 7);
    const std::vector<Scalar> zero(A.num_rows, Scalar(0));
    answer =
        persistent.solve(method, A, zero, With::jacobi, limits, some_vector<Scalar>(A.num_rows));
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.iterations, 0);
    EXPECT_EQ(answer.x, zero);
    // The guess is the solution: small integers, without rounding.
    std::vector<Scalar> exact(A.num_rows);
    for (std::size_t i = 0; i < exact.size(); ++i)
      exact[i] = static_cast<Scalar>(i % 5);
    const auto Ax = multiply(A, exact, 1);
    answer = persistent.solve(method, A, {Ax.begin(), Ax.end()}, With::nothing, limits, exact);
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.iterations, 0);
    EXPECT_EQ(answer.x, exact);
    EXPECT_EQ(answer.report.history.size(), 1);
    // A diagonal is solved at the first step with its own inverse.
    const auto D = diagonal_matrix<Scalar>({1, 2, 4, 8, 16});
    answer = persistent.solve(method, D, {1, 1, 1, 1, 1}, With::jacobi, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_LE(answer.report.iterations, 2);
    // A full matrix.
    const auto full = random_spd_matrix<Scalar>(70, 1.0);
    const auto c = some_vector<Scalar>(70);
    answer = persistent.solve(method, full, c, With::jacobi, limits);
    expect_converged(full, c, answer);
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, LargeAndSmallNumbers) {
  Persistent<Scalar, Space, Offset> persistent;
  const std::vector<double> sizes = sizeof(Scalar) == 8
                                        ? std::vector<double>{1e-150, 1e-30, 1e30, 1e150}
                                        : std::vector<double>{1e-12, 1e12};
  for (const Method method : both_methods) {
    for (const With with : {With::nothing, With::jacobi}) {
      const auto solve = [&](const auto& A, const std::vector<Scalar>& b) {
        return persistent.solve(method, A, b, with, reachable<Scalar>());
      };
      expect_any_sizes<Scalar>(solve, sizes, sizes);
    }
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, RowsOfVeryDifferentLengths) {
  Persistent<Scalar, Space, Offset> persistent;
  // An arrow: the first row and column are full.
  const std::int32_t n = 3000;
  const auto A = with_long_rows<Scalar>(
      n, [](std::int32_t i) { return i == 0; },
      [](std::int32_t i, std::int32_t j) { return i != j   ? -0.5
                                                  : i == 0 ? n
                                                           : 2; });
  const auto b = some_vector<Scalar>(n);
  for (const Method method : both_methods) {
    const auto answer = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
    expect_converged(A, b, answer);
  }
}

TESSERA_TYPED_TEST(PersistentSolveTest, RefusesWhatDoesNotFit) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(4, 4);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(15, 1)), Error);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(16, 1), With::nothing, {},
                                std::vector<Scalar>(17, 0)),
               Error);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(16, 1), With::nothing, {}, {},
                                {.lanes_per_row = 3}),
               Error);
  auto wide = A;
  wide.num_cols = 17;
  EXPECT_THROW(persistent.solve(Method::bicgstab, wide, std::vector<Scalar>(16, 1)), Error);
}

}  // namespace tessera::test::solve_test
