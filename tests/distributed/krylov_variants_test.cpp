// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Variants of the methods over processes take the iterations of one process: Richardson, flexible
/// CG, true residuals in each iteration, preconditioning from the left.
#include "distributed/krylov_variants.hpp"
#include "distributed/in_order.hpp"

#include "tessera/solver/make_solver.hpp"

#include <string>

namespace tessera::test::krylov_variants_test {

using namespace krylov_variants;

/// Iterations, in each column, and residuals of `expected`, and its solution.
void expect_the_same(const Solved& made, const Solved& expected) {
  ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
  EXPECT_EQ(made.result.iterations, expected.result.iterations);
  expect_residuals(made, expected);
  ASSERT_EQ(made.result.columns.size(), expected.result.columns.size());
  for (std::size_t j = 0; j < made.result.columns.size(); ++j)
    EXPECT_EQ(made.result.columns[j].iterations, expected.result.columns[j].iterations) << j;
}

/// Of three right-hand sides the second is zero.
TEST(DistributedVariants, TakeTheIterationsOfOneProcess) {
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const WholeRows whole = dominant(20, variant.is_for_symmetric ? 0 : 0.4);
    const Parameters p = by_jacobi(variant);
    const Solved alone = solved(distributed::alone(), whole, odd_share, p, 3);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    EXPECT_GT(alone.result.columns[0].iterations, 5);
    EXPECT_EQ(alone.result.columns[1].iterations, 0);
    ::testing::Test::RecordProperty(variant.name, alone.result.iterations);
    for (const ShareOf share : all_shares) {
      const Solved together = solved(all_processes(), whole, share, p, 3);
      expect_the_same(together, alone);
      EXPECT_LT(distance_of_column(together, alone, 0), 1e-7);
      EXPECT_EQ(distance_of_column(together, alone, 1), 0.0);
      EXPECT_LT(distance_of_column(together, alone, 2), 1e-7);
    }
  }
}

TEST(DistributedVariants, TakeTheIterationsOfOneProcessWithMultigrid) {
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const GalleryParameters gallery =
        variant.is_for_symmetric
            ? GalleryParameters{.problem = ProblemKind::poisson3d, .n = 10}
            : GalleryParameters{.problem = ProblemKind::convdiff2d, .n = 30, .peclet = 100};
    Parameters p = classical(gallery);
    variant.ask(p.solve.solver);
    const WholeRows whole = rows_of(gallery);
    const Solved alone = solved(distributed::alone(), whole, odd_share, p, 2);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    EXPECT_GE(alone.hierarchy.levels.size(), 3U);
    for (const ShareOf share : all_shares) {
      const Solved together = solved(all_processes(), whole, share, p, 2);
      expect_the_same(together, alone);
      EXPECT_LT(distance_of_column(together, alone, 0), 1e-7);
    }
  }
}

/// What tessera::Solver does, which knows of no processes. Recurrences differ by rounding.
TEST(DistributedVariants, TakeTheIterationsOfASolverWithoutProcesses) {
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const WholeRows whole = dominant(20, variant.is_for_symmetric ? 0 : 0.4);
    const Parameters p = by_jacobi(variant);
    const Solved by_one = solved_by_one(whole, p, 3);
    const Solved together = solved(all_processes(), whole, odd_share, p, 3);
    ASSERT_TRUE(by_one.result.converged()) << to_string(by_one.result.status);
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    ASSERT_EQ(together.result.columns.size(), 3U);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(together.result.columns[j].iterations, by_one.result.columns[j].iterations, 1);
    EXPECT_LT(distance_of_column(together, by_one, 0), 1e-7);
    const auto& a = together.result.residual_history;
    const auto& b = by_one.result.residual_history;
    for (std::size_t i = 0; i < std::min({a.size(), b.size(), std::size_t(6)}); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-8 * b[i]) << i;
  }
}

/// A recurrence would have lost some digits against b - A x by then.
TEST(DistributedVariants, HaveTrueResidualsInEachIteration) {
  for (const Variant& variant : variants) {
    Parameters p = by_jacobi(variant);
    const SolverParameters& asked = p.solve.solver;
    if (asked.residual == ResidualKind::recurrence && asked.name != SolverName::richardson)
      continue;
    SCOPED_TRACE(variant.name);
    p.solve.solver.tolerance = 1e-13;
    const WholeRows whole = dominant(20, variant.is_for_symmetric ? 0 : 0.4);
    const Solved made = solved(all_processes(), whole, odd_share, p, 1);
    ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
    EXPECT_DOUBLE_EQ(made.result.residual_history.back(), made.result.true_relative_residual);
  }
}

TEST(DistributedVariants, ProjectTheConstantOut) {
  const GalleryParameters gallery{.problem = ProblemKind::neumann2d, .n = 24};
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    Parameters p = classical();
    variant.ask(p.solve.solver);
    const WholeRows whole = rows_of(gallery);
    const Solved alone = solved(distributed::alone(), whole, odd_share, p, 2);
    const Solved together = solved(all_processes(), whole, odd_share, p, 2);
    EXPECT_EQ(to_string(alone.result.status), "least_squares");
    EXPECT_EQ(to_string(together.result.status), "least_squares");
    EXPECT_EQ(together.result.iterations, alone.result.iterations);
    EXPECT_GT(together.result.outside_range, 0);
  }
}

class DistributedVariantsInOrder : public InOrderTest {};

/// By sums that stay on the device, those of projections among them.
TEST_F(DistributedVariantsInOrder, AreThoseOfTheHost) {
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const WholeRows whole = dominant(20, variant.is_for_symmetric ? 0 : 0.4);
    const Parameters p = by_jacobi(variant);
    const Solved by_host = solved(all_processes(), whole, odd_share, p, 3);
    const Solved in_order = solved(processes, whole, odd_share, p, 3);
    expect_the_same(in_order, by_host);
    const WholeRows singular = rows_of({.problem = ProblemKind::neumann2d, .n = 24});
    Parameters q = classical();
    variant.ask(q.solve.solver);
    const Solved projected = solved(processes, singular, odd_share, q, 2);
    EXPECT_EQ(to_string(projected.result.status), "least_squares");
    EXPECT_EQ(projected.result.iterations,
              solved(all_processes(), singular, odd_share, q, 2).result.iterations);
  }
}

/// The method that a setup takes, which has to converge.
template <class Change>
SolverParameters picked(const WholeRows& whole, const Change& change) {
  Parameters p = classical();
  change(p.solve);
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = odd_share(n, num_processes(), process());
  const Share rows(whole.share(range));
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), rows.rows());
  const Vectors x = zeros(range.count);
  const auto result = solver.solve(Space(), waves(range.first, range.count), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  return solver.parameters().solve.solver;
}

/// CG is flexible around what is not quite symmetric, as on one process.
TEST(DistributedVariants, AreTakenWhereTheyAreNeeded) {
  const WholeRows whole = rows_of({.problem = ProblemKind::poisson2d, .n = 30});
  EXPECT_FALSE(
      picked(whole, [](SolveParameters& p) { p.solver.name = SolverName::cg; }).cg.flexible);
  EXPECT_TRUE(picked(whole, [](SolveParameters& p) {
                p.solver.name = SolverName::cg;
                p.amg.cycle = amg::CycleType::f;
              }).cg.flexible);
  EXPECT_EQ(picked(whole,
                   [](SolveParameters& p) {
                     p.solver.cg.flexible = true;
                     p.amg.cycle = amg::CycleType::f;
                   })
                .name,
            SolverName::cg);
  const auto renewed = picked(whole, [](SolveParameters& p) {
    p.solver.residual = ResidualKind::true_residual;
    p.precision = Precision::single;
  });
  EXPECT_EQ(renewed.name, SolverName::cg);
  EXPECT_TRUE(renewed.cg.flexible);
  EXPECT_EQ(picked(vortex(20, 10),
                   [](SolveParameters& p) {
                     p.solver.side = PreconditioningSide::left;
                     p.amg.smoother.type = SmootherType::jacobi;
                   })
                .name,
            SolverName::gmres);
}

/// GMRES has no true residual at hand: the words are those of one process.
TEST(DistributedVariants, RefuseWhatOneProcessRefuses) {
  for (const auto name : {SolverName::gmres, SolverName::fgmres, SolverName::bicgstab}) {
    Parameters p;
    p.solve.solver.name = name;
    p.solve.solver.residual = ResidualKind::true_residual;
    p.solve.solver.side = PreconditioningSide::left;
    EXPECT_EQ(
        message_of(ErrorKind::configuration, [&] { DistributedSolver(all_processes(), p); }),
        message_of(ErrorKind::configuration, [&] { make_solver<double, Space>(p.solve.solver); }));
  }
  // Where GMRES would be picked, setup finds it.
  const WholeRows flow = vortex(10, 10);
  const Share rows(flow.share(odd_share(100, num_processes(), process())));
  Parameters p;
  p.solve.solver.residual = ResidualKind::true_residual;
  p.solve.preconditioner = PreconditionerKind::jacobi;
  DistributedSolver solver(all_processes(), p);
  expect_error(error_of([&] { solver.setup(Space(), rows.rows()); }), ErrorKind::configuration,
               {"solver.residual=true is for cg"});
}

}  // namespace tessera::test::krylov_variants_test
