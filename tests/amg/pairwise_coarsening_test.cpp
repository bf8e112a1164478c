// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid by pairwise aggregation: levels, cycles, the Ginkgo thesis's set-up, and new values.
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::pairwise_coarsening_test {

template <class Param>
class PairwiseCoarseningTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<double, Space> problem(ProblemKind kind, int n) { return gallery_problem(exec, kind, n); }

  SolveParameters pairs(int passes, amg::CycleType cycle) {
    SolveParameters p;
    p.amg.coarsening = amg::CoarseningKind::pairwise;
    p.amg.pairwise.passes = passes;
    p.amg.cycle = cycle;
    return p;
  }

  SolveResult solve(const Problem<double, Space>& p, Solver<double, Space>& solver) {
    return solve_waves(exec, solver, p.A.num_rows);
  }

  SolveResult solve(const Problem<double, Space>& p, const SolveParameters& parameters) {
    auto solver = set_up(exec, p.A, parameters);
    return solve(p, solver);
  }
};
TYPED_TEST_SUITE(PairwiseCoarseningTest, Spaces, TypeNames);

TYPED_TEST(PairwiseCoarseningTest, EachPassHalvesALevel) {
  const auto p = this->problem(ProblemKind::poisson2d, 120);
  for (const int passes : {1, 2, 3}) {
    auto solver = set_up(this->exec, p.A, this->pairs(passes, amg::CycleType::k));
    const auto& levels = solver.hierarchy().levels;
    ASSERT_GE(levels.size(), 3u);
    const double ratio = static_cast<double>(levels[0].rows) / static_cast<double>(levels[1].rows);
    EXPECT_GT(ratio, 0.85 * (1 << passes));
    EXPECT_LT(ratio, 1.35 * (1 << passes));
    EXPECT_TRUE(levels[0].aggregation.starts_with("pairs")) << levels[0].aggregation;
    EXPECT_TRUE(this->solve(p, solver).converged());
  }
}

TYPED_TEST(PairwiseCoarseningTest, KrylovCyclesKeepTheCountWhateverTheSize) {
  for (const amg::CycleType cycle : {amg::CycleType::k, amg::CycleType::w}) {
    std::vector<int> counts;
    for (const int n : {60, 120, 240}) {
      const auto result =
          this->solve(this->problem(ProblemKind::poisson2d, n), this->pairs(1, cycle));
      EXPECT_TRUE(result.converged());
      counts.push_back(result.iterations);
    }
    EXPECT_LE(counts.back(), 26) << static_cast<int>(cycle);
    EXPECT_LE(counts.back(), counts.front() + 6) << static_cast<int>(cycle);
  }
}

/// The Ginkgo thesis (table 6.2) counts 44 for the same elements at --refine 3, where fixed
/// unknowns join aggregates and the coarsest level gets four sweeps.
TYPED_TEST(PairwiseCoarseningTest, TheThesissSetUpOnTheBeam) {
  using Space = typename TypeParam::Space;
  const auto p = make_problem<double, Space>(
      this->exec, {.problem = ProblemKind::beam, .order = 3, .refine = 2});
  auto parameters = this->pairs(1, amg::CycleType::v);
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.precision = Precision::same;
  parameters.solver.tolerance = 1e-12;
  parameters.amg.max_levels = 11;
  parameters.amg.coarse_size = 64;
  parameters.amg.smoother.type = SmootherType::jacobi;
  parameters.amg.smoother.jacobi.omega = 0.9;
  parameters.amg.smoother.jacobi.omega_over_radius = false;
  const auto result = this->solve(p, parameters);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 32);

  parameters.amg.coarse_sweeps = 4;
  parameters.amg.pairwise.max_rounds = 15;
  parameters.amg.pairwise.unmatched_share = 0.05;
  parameters.amg.pairwise.weak_share = 0;
  parameters.amg.pairwise.zeros = true;
  auto solver = set_up(this->exec, p.A, parameters);
  const auto as_there = this->solve(p, solver);
  EXPECT_TRUE(as_there.converged());
  EXPECT_GT(as_there.iterations, result.iterations);
  const auto& levels = solver.hierarchy().levels;
  EXPECT_EQ(levels.back().aggregation, "relaxed");
  // Every unknown is in an aggregate, those of the boundary, too.
  EXPECT_GT(levels[1].rows, levels[0].rows / 3);
}

TYPED_TEST(PairwiseCoarseningTest, NewValuesInTheOldPattern) {
  const auto p = this->problem(ProblemKind::jump2d, 80);
  auto parameters = this->pairs(2, amg::CycleType::k);
  parameters.amg.reuse = amg::Reuse::symbolic;
  auto solver = set_up(this->exec, p.A, parameters);
  const int before = this->solve(p, solver).iterations;
  Kokkos::deep_copy(this->exec, p.A.values, to_device(this->exec, times(to_host(p.A), 8).values));
  this->exec.fence("tessera::test: new values");
  solver.update_values(this->exec);
  const auto after = this->solve(p, solver);
  EXPECT_TRUE(after.converged());
  EXPECT_EQ(after.iterations, before);
}

TYPED_TEST(PairwiseCoarseningTest, NodesAreNotLookedForWhereTheCoarseningTakesNone) {
  const auto p = make_problem<double, typename TypeParam::Space>(
      this->exec, {.problem = ProblemKind::elasticity2d, .n = 30});
  ASSERT_EQ(p.block_size, 2);
  SolveParameters usual;
  usual.preconditioner = PreconditionerKind::amg;
  ASSERT_EQ(set_up(this->exec, p.A, usual).hierarchy().levels.at(0).unknowns_per_node, 2);
  for (const auto kind : {amg::CoarseningKind::pairwise, amg::CoarseningKind::reduction}) {
    SolveParameters asked = this->pairs(1, amg::CycleType::k);
    asked.amg.coarsening = kind;
    asked.preconditioner = PreconditionerKind::amg;
    auto solver = set_up(this->exec, p.A, asked);
    EXPECT_EQ(solver.hierarchy().levels.at(0).unknowns_per_node, 1);
    const auto result = this->solve(p, solver);
    EXPECT_TRUE(kind == amg::CoarseningKind::reduction || result.converged());
  }
}

TYPED_TEST(PairwiseCoarseningTest, SeveralUnknownsPerNodeAreAnError) {
  const auto p = make_problem<double, typename TypeParam::Space>(
      this->exec, {.problem = ProblemKind::elasticity2d, .n = 30});
  Solver<double, typename TypeParam::Space> solver(this->pairs(1, amg::CycleType::k));
  expect_error(error_of([&] { solver.setup(this->exec, p.A, p.near_nullspace, p.block_size); }),
               ErrorKind::configuration, {"pairwise takes one unknown per node"});
}

}  // namespace tessera::test::pairwise_coarsening_test
