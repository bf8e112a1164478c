// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch on tiles, fixed and in dynamic precision, as many as the environment
/// variable TESSERA_SOLVES says, and with systems that are out of the ordinary: each ends, says
/// how, and tells the residual of the matrix itself.
#include "kernels_persistent/edge_cases.hpp"
#include "kernels_persistent/many_systems.hpp"
#include "kernels_persistent/tiled_solves.hpp"

#include <memory>

namespace tessera::test::tiled_safety_test {

TESSERA_TEST_SUITE(TiledSafetyTest, Matrices, TypeNames);

/// All in fp8 from the second iteration on, which no solve gets through.
const TileOptions reckless{.is_dynamic = true, .ranges = {1e30, 1e30, 1e30, 0}};

struct Precision {
  const char* name;
  const TileOptions& options;
};
const Precision precisions[] = {{"fixed", fixed},
                                {"falling", dynamic},
                                {"falling as in the paper", as_in_the_paper},
                                {"demoted to fp8 at once", reckless}};

template <class Scalar, class Space, class Offset>
struct TiledOneOfMany {
  TiledOneOfMany(const Space& exec, int number)
      : host(system_of_many<Scalar>(number)),
        rhs(some_vector<Scalar>(host.num_rows, number)),
        A(make_csr<Offset>(exec, host)),
        tiles(kernels::csr_to_mixed_tiles(exec, A.view())),
        b(to_device(exec, rhs)),
        x(to_device(exec, std::vector<Scalar>(rhs.size(), 0))),
        d(kernels::inverse_diagonal(exec, A.view())) {}

  HostMatrix<Scalar> host;
  std::vector<Scalar> rhs;
  kernels::Csr<Scalar, Space, Offset> A;
  kernels::MixedTiles<Scalar, Space, Offset> tiles;
  Array<Scalar, Space> b, x, d;
};

/// What a solve by each method is of; 0 shares: those of the default.
struct ChosenTiledSolve {
  int system;
  int shares;
  Blocks blocks;
};

/// In four precisions in turn, which four have no M and the next four the diagonal's.
const ChosenTiledSolve chosen_of_tiles[chosen_solves / 2] = {
    {4, 0, Blocks::one},
    {7, 3, Blocks::few},
    {10, 5, Blocks::few},
    {3, 2, Blocks::few},
    {of_grid, 0, Blocks::many},
    {of_grid, 0, Blocks::many},
    {of_long_rows, 0, Blocks::many},
    {9, 4, Blocks::few},
    {of_long_rows, 3, Blocks::few},
    {of_small_cluster, 0, Blocks::many},  // for there are no clusters on tiles
    {9, 1, Blocks::one},
    {3, 0, Blocks::one},
    {10, 5, Blocks::few},
    {of_long_rows, 1, Blocks::one},
};

ChosenTiledSolve tiled_solve_of_many(int i) {
  if (is_chosen(i)) return chosen_of_tiles[i % chosen_solves / 2];
  return {i * 7 % num_small, i % 6, Blocks::any};
}

TESSERA_TYPED_TEST(TiledSafetyTest, ManySolvesAllEndWell) {
  std::vector<std::unique_ptr<TiledOneOfMany<Scalar, Space, Offset>>> systems(num_systems);
  kernels::TiledWorkspace<Scalar, Space> workspace;
  const auto limits = reachable<Scalar>();
  int failures = 0;
  for (int i = 0; i < number_of_solves(); ++i) {
    SCOPED_TRACE("solve " + std::to_string(i));
    const ChosenTiledSolve solve = tiled_solve_of_many(i);
    auto& place = systems[solve.system];
    if (place == nullptr)
      place = std::make_unique<TiledOneOfMany<Scalar, Space, Offset>>(exec, solve.system);
    const auto& system = *place;
    const TileOptions& options = precisions[i / 2 % 4].options;
    const Array<Scalar, Space> d = i / 8 % 2 == 0 ? Array<Scalar, Space>() : system.d;
    Kokkos::deep_copy(exec, system.x, Scalar(0));
    const PersistentTuning tuning{.shares = solve.shares};
    Answer<Scalar> answer;
    answer.report = persistent_solve(i % 2 == 0 ? Method::cg : Method::bicgstab, exec, workspace,
                                     system.A.view(), system.tiles.view(), d, system.b, system.x,
                                     limits, options, 0, tuning);
    answer.x = to_host(system.x);
    expect_true_residual(system.host, system.rhs, answer);
    const auto& report = answer.report;
    expect_blocks(exec, solve.blocks, report.shape);
    if (!ends_well(report, limits) && ++failures > 10) break;
  }
}

/// Solves, and checks what holds however it ends.
template <class Scalar, class Space, class Offset>
PersistentEnd end_of(Tiled<Scalar, Space, Offset>& tiled, Method method,
                     const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                     const TileOptions& options, With with) {
  PersistentLimits limits = reachable<Scalar>();
  limits.max_iterations = 300;
  const auto answer = tiled.solve(method, A, b, options, with, limits).plain();
  expect_consistent(answer, limits);
  EXPECT_TRUE(all_finite(answer.x));
  EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-5)) << "worse than the guess";
  // Of what does not converge x may be large, and A x rounded as much.
  const double rounding = sizeof(Scalar) == 8 ? 1e-15 : 1e-6;
  const double largest = norm_of(A.values) * norm_of(answer.x);
  const double actual = residual_norms(A, b, answer.x, 1)[0];
  EXPECT_NEAR(actual, answer.report.residual_norm, 10 * rounding * (norm_of(b) + largest));
  return answer.report.end;
}

TESSERA_TYPED_TEST(TiledSafetyTest, EdgeCasesEnd) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto with_holes = poisson_with_holes<Scalar>();
  const auto ones = [](std::int32_t n) { return std::vector<Scalar>(n, Scalar(1)); };
  for (const Method method : both_methods) {
    for (const Precision& precision : precisions) {
      for (const With with : {With::nothing, With::jacobi}) {
        SCOPED_TRACE(std::string(precision.name) + name_of(method) +
                     (with == With::jacobi ? ", jacobi" : ""));
        const auto ends = [&](const HostMatrix<Scalar>& A, const std::vector<Scalar>& b) {
          return end_of(tiled, method, A, b, precision.options, with);
        };
        EXPECT_EQ(ends(diagonal_matrix<Scalar>({3}), ones(1)), PersistentEnd::converged);
        EXPECT_EQ(ends(full_tile<Scalar>(), ones(16)), PersistentEnd::converged);
        EXPECT_EQ(ends(full_tile<Scalar>(48), ones(48)), PersistentEnd::converged);
        // Rows that are no multiple of 16.
        EXPECT_EQ(ends(full_tile<Scalar>(17), ones(17)), PersistentEnd::converged);
        EXPECT_EQ(ends(poisson<Scalar>(7, 11), ones(77)), PersistentEnd::converged);
        EXPECT_NE(ends(with_holes, ones(81)), PersistentEnd::converged) << "0 = 1 in some rows";
        EXPECT_EQ(ends(with_holes, ones_beside_holes<Scalar>()), PersistentEnd::converged);
        const auto singular = singular_poisson<Scalar>();
        EXPECT_NE(ends(singular, ones(81)), PersistentEnd::converged) << "no solution";
        auto within = ones(81);
        for (std::size_t i = 0; i < within.size(); ++i)
          within[i] = Scalar(i == 0 ? 1 : i == 80 ? -1 : 0);
        EXPECT_EQ(ends(singular, within), PersistentEnd::converged);
        ends(indefinite_poisson<Scalar>(), some_vector<Scalar>(81));
        if (method == Method::cg && with == With::nothing) {
          EXPECT_EQ(ends(diagonal_matrix<Scalar>({1, -1}), ones(2)), PersistentEnd::breakdown);
          EXPECT_EQ(ends(scaled(poisson<Scalar>(5, 5), -1), ones(25)), PersistentEnd::breakdown);
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(TiledSafetyTest, NumbersThatAreNoneAreNamed) {
  Tiled<Scalar, Space, Offset> tiled;
  for (const Method method : both_methods) {
    for (const Precision& precision : precisions) {
      SCOPED_TRACE(std::string(precision.name) + name_of(method));
      const auto solve = [&](const auto& A, const auto& b, const std::vector<Scalar>& x0) {
        return tiled
            .solve(method, A, b, precision.options, With::nothing, reachable<Scalar>(), {}, x0)
            .report;
      };
      for (const Scalar bad :
           {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
        expect_named(solve, bad);
        // In a guess where no row reads it.
        std::vector<Scalar> guess(rows_of_small_poisson, Scalar(0));
        guess[2] = bad;
        EXPECT_EQ(solve(poisson_with_holes<Scalar>(), ones_beside_holes<Scalar>(), guess).end,
                  PersistentEnd::not_a_number);
      }
    }
  }
}

TESSERA_TYPED_TEST(TiledSafetyTest, EndsInTime) {
  Tiled<Scalar, Space, Offset> tiled;
  const auto A = poisson<Scalar>(200, 200);
  const auto b = some_vector<Scalar>(A.num_rows);
  PersistentLimits limits{.tolerance = 0, .max_iterations = 10000000};
  for (const Precision& precision : precisions) {
    const auto answer =
        tiled.solve(Method::cg, A, b, precision.options, With::nothing, limits, {}, {}, {}, 1e-3)
            .plain();
    expect_consistent(answer, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::time_limit) << precision.name;
    expect_true_residual(A, b, answer);
  }
}

/// Neumann's problem in one dimension.
HostMatrix<double> singular_line(std::int32_t n) {
  return by_rows<double>(n, n, [&](auto& A, std::int32_t i) {
    if (i > 0) A.push(i - 1, -1.0);
    A.push(i, i == 0 || i == n - 1 ? 1.0 : 2.0);
    if (i + 1 < n) A.push(i + 1, -1.0);
  });
}

/// CG with a right-hand side that no x has: it neither converges nor breaks down.
class EndlessSolve {
 public:
  /// 1: all entries go into fp8.
  explicit EndlessSolve(double unit)
      : m_A(scaled(singular_line(256), unit)), m_b(some_vector<double>(256)) {}

  TiledReport run(const TileOptions& options, int max_iterations, double time_limit_s = 0) {
    PersistentLimits limits;
    limits.tolerance = 1e-12;
    limits.max_iterations = max_iterations;
    limits.divergence_limit = 1e300;
    return m_tiled
        .solve(Method::cg, m_A, m_b, options, With::nothing, limits, {}, {}, {}, time_limit_s)
        .report;
  }

 private:
  HostMatrix<double> m_A;
  std::vector<double> m_b;
  Tiled<double, HostSpace, std::int32_t> m_tiled;
};

/// A launch is 65,536 iterations, which take less than the limit.
TEST(TiledLaunchesTest, TheLimitOfTimeIsThatOfAllLaunches) {
  EndlessSolve solve(1);
  const auto report = solve.run(dynamic, 4'000'000, 1.5);
  EXPECT_EQ(report.end, PersistentEnd::time_limit);
  EXPECT_LT(report.iterations, 4'000'000);
}

TEST(TiledLaunchesTest, NoTileIsLoweredAgainByTheNextLaunch) {
  constexpr int of_launch = kernels::PersistentWorkspace<double, HostSpace>::max_history;
  EndlessSolve solve(1.0 / 3);
  const auto one = solve.run(reckless, of_launch);
  const auto two = solve.run(reckless, of_launch + 2000);
  EXPECT_EQ(one.end, PersistentEnd::max_iterations);
  EXPECT_EQ(two.end, PersistentEnd::max_iterations);
  EXPECT_EQ(two.iterations, of_launch + 2000);
  EXPECT_TRUE(one.returned);
  EXPECT_TRUE(two.returned);
  EXPECT_GT(one.work[TileLevel::fp8], 0);
  EXPECT_EQ(two.work[TileLevel::fp8], one.work[TileLevel::fp8]);
}

}  // namespace tessera::test::tiled_safety_test
