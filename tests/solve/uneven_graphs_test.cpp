// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Graphs whose degrees follow a power law: how they are told, and that the diagonal does for them
/// on hosts.
#include "solve/matrix_facts.hpp"
#include "support/notes.hpp"
#include "support/power_law.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <gtest/gtest.h>

namespace tessera::test::uneven_graphs_test {

using Space = DeviceSpace;

constexpr bool on_host = kernels::is_host_space<Space>;

MatrixFacts facts_of_graph() {
  MatrixFacts facts = facts_of_grid(20000);
  facts.on_host = true;
  facts.entries = 180000;
  facts.long_rows = 0.017;
  return facts;
}

SolveParameters picked_for(const MatrixFacts& facts, SolveParameters p = {}, int block_size = 1) {
  select_parameters(p, facts, true, block_size);
  return p;
}

TEST(UnevenGraphs, AreTriedByTheirDiagonal) {
  EXPECT_EQ(picked_for(facts_of_graph()).preconditioner, PreconditionerKind::jacobi);
  const auto is_jacobi = [](auto change) {
    MatrixFacts other = facts_of_graph();
    change(other);
    return picked_for(other).preconditioner == PreconditionerKind::jacobi;
  };
  const double least = rules::share_of_long_rows;
  EXPECT_TRUE(is_jacobi([&](MatrixFacts& f) { f.long_rows = least; }));
  EXPECT_FALSE(is_jacobi([&](MatrixFacts& f) { f.long_rows = 0.9 * least; }));
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.on_host = false; })) << "not measured";
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.symmetric = false; }));
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.positive_diagonal = false; }));
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.positive_couplings = 0.1; })) << "elements";
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.one_level_failed = true; }));
  EXPECT_FALSE(is_jacobi([](MatrixFacts& f) { f.rows = 200; })) << "one dense level";
}

TEST(UnevenGraphs, AreAggregatedWithoutSmoothing) {
  SolveParameters asked;
  asked.preconditioner = PreconditionerKind::amg;
  const auto omega = [](const SolveParameters& p) {
    return p.amg.smoothed_aggregation.prolongator_omega;
  };
  const double usual = omega(asked);
  const MatrixFacts graph = facts_of_graph();
  EXPECT_EQ(omega(picked_for(graph, asked)), 0);
  MatrixFacts left = graph;
  left.one_level_failed = true;
  EXPECT_EQ(omega(picked_for(left)), 0);
  MatrixFacts even = graph;
  even.long_rows = 0;
  EXPECT_EQ(omega(picked_for(even, asked)), usual);
  EXPECT_EQ(omega(picked_for(graph, asked, 3)), usual) << "nodes";
  SolveParameters named = asked;
  named.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  EXPECT_EQ(omega(picked_for(graph, named)), usual);
}

double long_rows(const HostMatrix<double>& A) {
  const Space exec;
  const CrsMatrix<double, Space, Ordinal> matrix(exec, make_csr(exec, A));
  return inspect(exec, matrix.view(), matrix.plan()).long_rows;
}

TEST(UnevenGraphs, AreToldByTheirLongRows) {
  if (!on_host) GTEST_SKIP() << "looked at on hosts";
  EXPECT_NEAR(long_rows(power_law(20000, 4)), 0.017, 0.002);
  EXPECT_NEAR(long_rows(power_law(5000, 1)), 0.023, 0.008);
  EXPECT_EQ(long_rows(grid_network(50, 50, 1, unit_weight).matrix()), 0);
  Network hub = grid_network(50, 50, 1, unit_weight);
  const Ordinal middle = hub.add_node();
  for (Ordinal v = 0; v < middle; ++v)
    hub.tie(v, middle, 1);
  EXPECT_NEAR(long_rows(hub.matrix()), 1.0 / 2501, 1e-9) << "a hub alone";
}

struct Outcome {
  SolveResult result;
  SolveParameters parameters;
  HierarchyInfo info;
};

Outcome solved_by_defaults(const HostMatrix<double>& A) {
  const Space exec;
  Solver<double, Space> solver;
  solver.setup(exec, make_csr(exec, A));
  const auto result = solve_waves(exec, solver, A.num_rows);
  return {result, solver.parameters(), solver.hierarchy()};
}

TEST(UnevenGraphs, TakeTensOfIterationsByTheirDiagonal) {
  if (!on_host) GTEST_SKIP() << "picked on hosts";
  struct Case {
    int ties, iterations;
  };
  for (const Case& c : {Case{2, 39}, Case{4, 26}, Case{8, 20}}) {
    const Outcome solved = solved_by_defaults(power_law(20000, c.ties));
    EXPECT_EQ(solved.parameters.preconditioner, PreconditionerKind::jacobi);
    EXPECT_TRUE(solved.result.converged());
    EXPECT_NEAR(solved.result.iterations, c.iterations, 1) << c.ties;
  }
  const Outcome floating = solved_by_defaults(power_law(20000, 4, 0));
  EXPECT_EQ(floating.parameters.preconditioner, PreconditionerKind::jacobi);
  EXPECT_TRUE(floating.result.solved());
  EXPECT_LE(floating.result.iterations, 27);
}

/// Stars of many sizes, the middle of each tied to the next one's: a long way from end to end.
HostMatrix<double> chain_of_stars(int stars) {
  Network network(0);
  Random random(3);
  Ordinal before = -1;
  for (int s = 0; s < stars; ++s) {
    const Ordinal middle = network.add_node();
    network.ground(middle, 1e-3);
    if (before >= 0) network.tie(before, middle, 1);
    before = middle;
    const int rays = 7 << (random.below(1024) % 3 * 2);
    for (int r = 0; r < rays; ++r)
      network.tie(network.add_node(), middle, 1);
  }
  return network.matrix();
}

TEST(UnevenGraphs, AreLeftToMultigridWhereTheWayIsLong) {
  if (!on_host) GTEST_SKIP() << "picked on hosts";
  const Outcome solved = solved_by_defaults(chain_of_stars(300));
  EXPECT_TRUE(solved.result.converged());
  EXPECT_EQ(solved.parameters.preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(solved.parameters.amg.smoothed_aggregation.prolongator_omega, 0);
  EXPECT_TRUE(noted(solved.info, "another preconditioner than jacobi"));
  EXPECT_NEAR(solved.result.iterations, 56, 1);
}

}  // namespace tessera::test::uneven_graphs_test
