// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Block Jacobi by several processes against that by one, whatever borders divide.
#include "distributed/shared_matrix.hpp"
#include "support/notes.hpp"
#include "support/systems.hpp"

namespace tessera::test::distributed_block_jacobi_test {

using distributed::Parameters;
using namespace shared_matrix;

Parameters by_blocks(int block_rows, bool reproducible = false) {
  Parameters p;
  p.reproducible = reproducible;
  p.solve.preconditioner = PreconditionerKind::block_jacobi;
  p.solve.block_rows = block_rows;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.solver.gmres.restart = 100;
  return p;
}

/// A chain of cells of m rows that are full, with neighbours of the same. Blocks in `singular` have
/// no inverse.
HostMatrix<double> cells(Ordinal count, Ordinal m, const std::vector<Ordinal>& singular = {}) {
  return by_rows<double>(count * m, count * m, [&](HostMatrix<double>& A, Ordinal i) {
    const Ordinal cell = i / m;
    const bool is_singular = std::ranges::find(singular, cell) != singular.end();
    for (Ordinal other = std::max(cell - 1, 0); other <= std::min(cell + 1, count - 1); ++other)
      for (Ordinal j = other * m; j < (other + 1) * m; ++j) {
        const double small = 0.1 * std::sin(1.0 + i + 3 * j);
        const double own = is_singular ? 1.0 : i == j ? 4.0 + 0.1 * (i % 7) : small;
        A.push(j, other == cell ? own : small);
      }
  });
}

Vector some(Ordinal n, int columns = 1) {
  Vector b;
  for (int k = 0; k < columns * n; ++k)
    b.push_back(std::sin(1 + 3.7 * k));
  return b;
}

DistributedSolver set_up(const Shared& shared, const Parameters& p) {
  DistributedSolver solver(shared.processes, p);
  solver.setup(Space(), Share(shared.rows()).rows());
  return solver;
}

TEST(DistributedBlockJacobi, IsThatOfOneProcess) {
  for (const auto& A : {cells(9, 7), cells(40, 3), cells(50, 1), cells(1, 5)}) {
    const Ordinal n = A.num_rows;
    for (const int rows : {0, 1, 2, 7, 32}) {
      SCOPED_TRACE(std::to_string(n) + " rows, blocks of " + std::to_string(rows));
      Solver<double, Space> one(by_blocks(rows).solve);
      one.setup(Space(), make_csr(Space(), A));
      const Vectors expected = zeros(n, 2);
      auto& M = *one.preconditioner();
      M.prepare(Space(), 2);
      M.apply(Space(), rows_of(some(n, 2), n, {0, n}), expected);
      Kokkos::fence();
      const auto whole = on_host(expected);
      for (const auto share : {odd_share, share_of_pairs, growing_share}) {
        const Shared shared(A, all_processes(), share);
        DistributedSolver solver = set_up(shared, by_blocks(rows));
        EXPECT_EQ(solver.parameters().solve.block_rows, one.parameters().block_rows);
        const Vectors z = zeros(shared.range.count, 2);
        solver.apply_preconditioner(Space(), shared.vectors(some(n, 2)), z);
        const auto own = on_host(z);
        for (int j = 0; j < 2; ++j)
          for (Ordinal i = 0; i < shared.range.count; ++i)
            ASSERT_EQ(own[static_cast<std::size_t>(j * shared.range.count + i)],
                      whole[static_cast<std::size_t>(j * n + shared.range.first + i)]);
      }
    }
  }
}

TEST(DistributedBlockJacobi, SolvesAsOneProcess) {
  const auto A = cells(30, 5);
  const Ordinal n = A.num_rows;
  for (const int rows : {0, 4, 11}) {
    Solver<double, Space> one(by_blocks(rows).solve);
    one.setup(Space(), make_csr(Space(), A));
    const SolveResult expected = one.solve(Space(), rows_of(some(n, 3), n, {0, n}), zeros(n, 3));
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      const Shared shared(A, all_processes(), share);
      DistributedSolver solver = set_up(shared, by_blocks(rows));
      const SharedSolve made = solved(solver, shared, some(n, 3));
      EXPECT_TRUE(made.result.converged());
      EXPECT_EQ(made.result.iterations, expected.iterations);
    }
  }
}

TEST(DistributedBlockJacobi, TakesNodes) {
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 5});
  Parameters p = by_blocks(0);
  p.block_size = 3;
  p.solve.solver.name = SolverName::automatic;
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), Share(problem.host).rows());
  EXPECT_EQ(solver.parameters().solve.block_rows, 3);
  EXPECT_EQ(solver.parameters().solve.solver.name, SolverName::cg);
  const Vectors x = zeros(problem.num_rows());
  EXPECT_TRUE(solver.solve(Space(), problem.b(), x).converged());
}

TEST(DistributedBlockJacobi, HasTheBitsOfOneProcess) {
  const auto A = cells(30, 5);
  const Shared whole(A, distributed::alone());
  for (const int rows : {0, 7}) {
    DistributedSolver one = set_up(whole, by_blocks(rows, true));
    const SharedSolve alone = solved(one, whole, some(A.num_rows, 2));
    for (const auto share : {odd_share, share_of_pairs}) {
      const Shared shared(A, all_processes(), share);
      DistributedSolver solver = set_up(shared, by_blocks(rows, true));
      EXPECT_EQ(num_different(solved(solver, shared, some(A.num_rows, 2)), alone), 0);
    }
  }
}

/// Divided ones are counted once.
TEST(DistributedBlockJacobi, TellsOfBlocksWithoutAnInverse) {
  const auto A = cells(8, 6, {0, 3, 4, 7});
  const std::string expected =
      "4 blocks of block_jacobi have no inverse: their diagonals are used instead";
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const Shared shared(A, all_processes(), share);
    DistributedSolver solver = set_up(shared, by_blocks(6));
    EXPECT_TRUE(noted(solver.hierarchy(), expected));
  }
}

TEST(DistributedBlockJacobi, FollowsNewValues) {
  auto A = cells(20, 5);
  const Shared shared(A);
  DistributedSolver solver = set_up(shared, by_blocks(7));
  for_each_entry(
      A, [](std::int32_t i, std::int32_t j, double& value) { value *= i == j ? 2 + i % 3 : 0.5; });
  solver.update_values(Space(), on_device(shared.rows().values));
  DistributedSolver again = set_up(shared, by_blocks(7));
  const SharedSolve updated = solved(solver, shared, some(A.num_rows));
  const SharedSolve expected = solved(again, shared, some(A.num_rows));
  EXPECT_TRUE(updated.result.converged());
  EXPECT_EQ(updated.result.iterations, expected.result.iterations);
  EXPECT_EQ(on_host(updated.x), on_host(expected.x));
}

}  // namespace tessera::test::distributed_block_jacobi_test
