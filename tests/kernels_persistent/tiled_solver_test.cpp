// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `solver.tiles` of a Solver: solves in one kernel on tiles, for new values too.
#include "solver/solver_fixture.hpp"

#include "tessera/solver/single_kernel.hpp"

#include <numeric>

namespace tessera::test {
namespace {

template <class Param>
class TiledSolverTest : public ::testing::Test {};
TYPED_TEST_SUITE(TiledSolverTest, Matrices, TypeNames);

TYPED_TEST(TiledSolverTest, SolvesOnTilesAndForNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  auto host = poisson<Scalar>(20, 20);
  const auto csr = make_csr<Offset>(exec, host);
  const auto b = to_multivector(exec, std::vector<Scalar>(400, Scalar(1)), 400);
  for (const TilePrecision tiles :
       {TilePrecision::off, TilePrecision::fixed, TilePrecision::falling}) {
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

}  // namespace
}  // namespace tessera::test
