// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The same system on one process and on all: iterations within a fifth, the same solution.
#include "tpetra/operator_cases.hpp"

#include <Teuchos_DefaultMpiComm.hpp>

#include <string>

namespace tessera::test::consistency_test {

/// All rows on this process, without the others.
Teuchos::RCP<const TpetraMap> map_of_one(int rows) {
  const Teuchos::RCP<const Teuchos::Comm<int>> self =
      Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(rows), 0, self));
}

struct Case {
  ProblemKind kind;
  int n;
  int gather_rows;
};

struct Solved {
  int iterations = 0;
  Teuchos::RCP<TpetraVectors> x;
};

Solved solved(const Case& c, const Problem<double, HostSpace>& problem,
              const Teuchos::RCP<const TpetraMap>& map) {
  const auto A = distribute(problem.A, map);
  auto list = with_multigrid();
  list.set("gather_rows", c.gather_rows);
  if (problem.block_size > 1) {
    list.set("block_size", problem.block_size);
    list.sublist("user data").set("Nullspace", distribute(problem.near_nullspace, map));
  }
  const auto M = CreateTesseraPreconditioner(A, list);
  const auto x = Teuchos::rcp(new TpetraVectors(map, 1));
  const auto outcome = solve_by_belos("CG", A, M, x, distribute(problem.b, map));
  EXPECT_TRUE(outcome.converged);
  return {outcome.iterations, x};
}

/// Shares of odd widths among them, whole problems that process 0 takes (`gather_rows` above their
/// rows), and levels that stay distributed.
TEST(DistributedConsistency, IterationsAreWithinAFifth) {
  for (const Case& c :
       {Case{ProblemKind::poisson3d, 30, 10000}, Case{ProblemKind::poisson3d, 26, 200},
        Case{ProblemKind::poisson3d, 24, 1000000}, Case{ProblemKind::poisson2d, 110, 500},
        Case{ProblemKind::elasticity3d, 10, 10000}, Case{ProblemKind::elasticity3d, 10, 100},
        Case{ProblemKind::elasticity3d, 9, 200}}) {
    SCOPED_TRACE(std::string(to_string(c.kind)) + " " + std::to_string(c.n) + " gathered at " +
                 std::to_string(c.gather_rows));
    const auto problem = make_problem<double, HostSpace>(
        HostSpace(), GalleryParameters{.problem = c.kind, .n = c.n});
    const Solved alone = solved(c, problem, map_of_one(problem.A.num_rows));
    const auto map = contiguous_map(problem.A.num_rows, problem.block_size);
    const Solved together = solved(c, problem, map);
    RecordProperty("alone", alone.iterations);
    RecordProperty("together", together.iterations);
    EXPECT_LE(5 * together.iterations, 6 * alone.iterations) << alone.iterations << " alone";
    // A residual of 1e-8 and the condition of the problems leave so much of a difference.
    const auto expected = alone.x->getLocalViewHost(Tpetra::Access::ReadOnly);
    const auto here = together.x->getLocalViewHost(Tpetra::Access::ReadOnly);
    double largest = 0;
    for (std::size_t i = 0; i < expected.extent(0); ++i)
      largest = std::max(largest, std::abs(expected(i, 0)));
    for (std::size_t i = 0; i < here.extent(0); ++i) {
      const auto row = map->getGlobalElement(static_cast<int>(i));
      ASSERT_NEAR(here(i, 0), expected(row, 0), 1e-6 * largest) << row;
    }
  }
}

}  // namespace tessera::test::consistency_test
