// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The same system on one process and on all: iterations within a fifth, the same solution.
#include "tpetra/operator_cases.hpp"

#include <string>

namespace tessera::test::consistency_test {

struct Case {
  ProblemKind kind;
  int n;
  int gather_rows;
  bool distributes = false;  ///< is sure to, down to level 1
};

struct Solved {
  int iterations = 0;
  Teuchos::RCP<TpetraVectors> x;
};

Solved solved(const Case& c, const TpetraSystem& system) {
  auto list = with_multigrid(c.gather_rows);
  if (system.problem.block_size > 1) {
    if (!c.distributes) list.set("block_size", system.problem.block_size);
    list.sublist("user data")
        .set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  }
  const auto M = CreateTesseraPreconditioner(system.A, list);
  if (system.map->getComm()->getSize() > 1 && c.distributes) {
    EXPECT_NE(M->description().find("distributed=multigrid"), std::string::npos);
    EXPECT_NE(described(*M).find("level 1 of all processes"), std::string::npos) << described(*M);
  }
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  const auto b = distribute(system.problem.b, system.map);
  if (c.distributes) system.A->apply(*waves(system.map), *b);  // in the range of singular ones, too
  const auto outcome = solve_by_belos("CG", system.A, M, x, b);
  EXPECT_TRUE(outcome.converged);
  return {outcome.iterations, x};
}

/// Shares of odd widths among them, whole problems that process 0 takes (`gather_rows` above their
/// rows), and levels that stay distributed.
TEST(DistributedConsistency, IterationsAreWithinAFifth) {
  for (const Case& c : {Case{ProblemKind::poisson3d, 30, 10000},
                        {ProblemKind::poisson3d, 26, 200},
                        {ProblemKind::poisson3d, 24, 1000000},
                        {ProblemKind::poisson2d, 110, 500},
                        {ProblemKind::elasticity3d, 10, 10000},
                        {ProblemKind::elasticity3d, 10, 100},
                        {ProblemKind::elasticity3d, 9, 200},
                        {ProblemKind::poisson2d, 120, 300, true},
                        {ProblemKind::poisson3d, 28, 300, true},
                        {ProblemKind::poisson3d27, 24, 300, true},
                        {ProblemKind::elasticity2d, 40, 300, true},
                        {ProblemKind::elasticity3d, 9, 300, true},
                        {ProblemKind::neumann2d, 60, 300, true}}) {
    SCOPED_TRACE(std::string(to_string(c.kind)) + " " + std::to_string(c.n) + " gathered at " +
                 std::to_string(c.gather_rows));
    const TpetraSystem system(c.kind, c.n);
    const Solved alone = solved(c, system.alone());
    const Solved together = solved(c, system);
    EXPECT_LE(5 * together.iterations, 6 * alone.iterations + (c.distributes ? 5 : 0))
        << alone.iterations << " alone";
    if (c.distributes) continue;  // of a singular one x is known up to a constant
    // A residual of 1e-8 and the condition of the problems leave so much of a difference.
    const auto expected = alone.x->getLocalViewHost(Tpetra::Access::ReadOnly);
    const auto here = together.x->getLocalViewHost(Tpetra::Access::ReadOnly);
    const double largest = alone.x->getVector(0)->normInf();
    for (std::size_t i = 0; i < here.extent(0); ++i) {
      const auto row = system.map->getGlobalElement(static_cast<int>(i));
      ASSERT_NEAR(here(i, 0), expected(row, 0), 1e-6 * largest) << row;
    }
  }
}

}  // namespace tessera::test::consistency_test
