// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `solver.tiles` of a Solver: solves in one kernel on tiles, for new values too.
#include "kernels_persistent/tiled_solves.hpp"
#include "solver/solver_fixture.hpp"

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <numeric>

namespace tessera::test::tiled_solver_test {

TESSERA_TEST_SUITE(TiledSolverTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(TiledSolverTest, SolvesOnTilesAndForNewValues) {
  auto host = poisson<Scalar>(20, 20);
  const auto csr = make_csr<Offset>(exec, host);
  const auto b = to_multivector(exec, std::vector<Scalar>(400, Scalar(1)), 400);
  for (const TilePrecision tiles :
       {TilePrecision::off, TilePrecision::fixed, TilePrecision::dynamic}) {
    for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
      SingleKernelSolver<Scalar, Space> solver(
          {.name = name, .tolerance = reachable_tolerance<Scalar>, .tiles = tiles});
      auto x = to_multivector(exec, std::vector<Scalar>(400, Scalar(0)), 400);
      const auto result = solver.solve(exec, csr.view(), ArrayView<const Scalar, Space>(), b, x);
      EXPECT_EQ(result.status, SolveStatus::converged);
      const std::int64_t work =
          std::accumulate(result.tile_work.begin(), result.tile_work.end(), std::int64_t(0));
      EXPECT_EQ(work > 0, tiles != TilePrecision::off);
      // Twice the matrix.
      auto twice = host;
      for (auto& value : twice.values)
        value *= 2;
      const auto other = make_csr<Offset>(exec, twice);
      solver.forget_matrix();
      auto y = to_multivector(exec, std::vector<Scalar>(400, Scalar(0)), 400);
      const auto again = solver.solve(exec, other.view(), ArrayView<const Scalar, Space>(), b, y);
      EXPECT_EQ(again.status, SolveStatus::converged);
      EXPECT_EQ(again.iterations, result.iterations);
    }
  }
}

TESSERA_TYPED_TEST(TiledSolverTest, PartsDemoteAsTheWholeSolveWould) {
  const Ordinal n = 320;
  const double tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-3;
  const auto A = make_csr<Offset>(exec, with_long_numbers(poisson<Scalar>(n)));
  const auto d = kernels::inverse_diagonal(exec, A.view());
  const auto b = to_multivector(exec, quiet_but_for_the_first<Scalar>(n, Method::cg, tolerance), n);
  // Tiles that are read in fewer bits than they have, or not at all, in two parts of a solve.
  const auto lowered_in = [&](int max_iterations) {
    SingleKernelSolver<Scalar, Space> solver({.name = SolverName::cg,
                                              .tolerance = tolerance,
                                              .max_iterations = max_iterations,
                                              .tiles = TilePrecision::dynamic});
    auto x = to_multivector(exec, std::vector<Scalar>(n, Scalar(0)), n);
    SolvePart part{.iterations = 20};
    SolveResult result = solver.solve(exec, A.view(), d, b, x, part);
    part.before = &result;
    result = solver.solve(exec, A.view(), d, b, x, part);
    EXPECT_EQ(result.iterations, 40);
    return result.tile_work[0] + result.tile_work[1] + result.tile_work[2];
  };
  // All 40 of 1,000 iterations may be on lowered tiles; and 20 of 40.
  EXPECT_GT(lowered_in(1000), lowered_in(40));
  EXPECT_GT(lowered_in(40), 0);
}

}  // namespace tessera::test::tiled_solver_test
