// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the defaults take where convection carries most or all: iterations on a host, by multigrid
/// whose smoothers follow the flow, and what they do where such smoothers are none.
#include "solve/matrix_facts.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/inspect.hpp"

#include <cmath>

namespace tessera::test::flow_defaults_test {

using Space = DeviceSpace;

struct Outcome {
  SolveResult result;
  SolveParameters picked;
  HierarchyInfo hierarchy;
};

Outcome solve(const HostMatrix<double>& A, const SolveParameters& parameters = {}) {
  const Space exec;
  auto solver = set_up(exec, make_csr(exec, A), parameters);
  const auto x = zeros<double>(exec, A.num_rows);
  auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  return {std::move(result), solver.parameters(), solver.hierarchy()};
}

/// Without sparse factors, which stop being affordable in space. A host's count, give or take one;
/// a device has neither incomplete factors nor sweeps that follow the flow, and a bound alone.
void expect_count(int recorded, int max_on_device, const HostMatrix<double>& A) {
  SolveParameters parameters;
  parameters.direct.max_memory_mb = 0;
  const auto outcome = solve(A, parameters);
  EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
  EXPECT_LE(outcome.result.true_relative_residual, 1e-8);
  if (kernels::is_host_space<Space>) {
    EXPECT_NEAR(outcome.result.iterations, recorded, count_tolerance(recorded));
  } else {
    EXPECT_LE(outcome.result.iterations, max_on_device);
  }
  EXPECT_TRUE(outcome.picked.preconditioner == PreconditionerKind::amg ||
              outcome.picked.preconditioner == PreconditionerKind::ilu);
  std::cout << outcome.result.iterations << " iterations\n";
}

TEST(FlowDefaults, AVortex) {
  for (const auto& [peclet, recorded] : {std::pair{1e2, 20}, {1e3, 13}, {1e5, 16}, {1e7, 17}}) {
    SCOPED_TRACE(::testing::Message() << peclet);
    expect_count(recorded, 60, vortex(150, peclet, Differences::upwind));
  }
  for (const auto& [peclet, recorded] : {std::pair{1e2, 20}, {1e3, 16}}) {
    SCOPED_TRACE(::testing::Message() << peclet << ", central differences");
    expect_count(recorded, 120, vortex(150, peclet, Differences::central));
  }
}

/// Aggregates take 33 iterations here, and more the more points there are.
TEST(FlowDefaults, AVortexOfManyPoints) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "a device splits points of smaller ones, too";
  const auto outcome = solve(vortex(320, 1e6, Differences::upwind));
  EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
  EXPECT_NEAR(outcome.result.iterations, 11, 1);
  EXPECT_EQ(outcome.picked.amg.coarsening, amg::CoarseningKind::classical);
}

/// Nearly skew: neither Jacobi nor incomplete factors smooth it.
TEST(FlowDefaults, AVortexByCentralDifferencesAlone) {
  if (!kernels::is_host_space<Space> || !direct::available()) GTEST_SKIP() << "factors are left";
  for (const double peclet : {1e5, 1e7}) {
    SCOPED_TRACE(::testing::Message() << peclet);
    const auto outcome = solve(vortex(60, peclet, Differences::central));
    EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
    EXPECT_EQ(outcome.picked.preconditioner, PreconditionerKind::direct);
    EXPECT_NEAR(outcome.result.iterations, 1, 1);
  }
}

TEST(FlowDefaults, DiscontinuousElements) {
  struct Case {
    int order;
    double peclet;
    int recorded;
  };
  for (const auto& [order, peclet, recorded] :
       {Case{1, 0.1, 5}, Case{1, 10, 7}, Case{1, 1e4, 3}, Case{2, 0.1, 8}, Case{2, 10, 7},
        Case{2, 1e4, 3}, Case{3, 0.1, 8}, Case{3, 10, 7}, Case{3, 1e4, 3}}) {
    SCOPED_TRACE(::testing::Message() << "order " << order << ", Peclet number " << peclet);
    expect_count(recorded, 80, discontinuous_squares(60 / (order + 1), order, peclet, 1));
  }
}

TEST(FlowDefaults, OneKernelThatIsAskedForSmoothsWithJacobi) {
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.solver.name = SolverName::bicgstab;
  parameters.solver.single_kernel = SingleKernel::on;
  const auto outcome = solve(vortex(40, 1e3, Differences::upwind), parameters);
  EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
  EXPECT_EQ(outcome.picked.amg.smoother.type, SmootherType::jacobi);
}

TEST(FlowDefaults, HowMuchIsOfOneDirectionIsMeasured) {
  const Space exec;
  const auto facts_of = [&](const HostMatrix<double>& A) {
    const CrsMatrix<double, Space> stored(exec, make_csr(exec, A));
    return inspect(exec, stored.view(), stored.plan());
  };
  const auto flow = facts_of(vortex(80, 1e9, Differences::upwind));
  EXPECT_EQ(flow.on_host, kernels::is_host_space<Space>);
  EXPECT_NEAR(flow.skew_share, 1, 1e-3);
  EXPECT_EQ(facts_of(poisson<double>(80, 80)).skew_share, 0);
  // Along x a coupling of -1 faces one of -3, along y all are -1.
  const auto one_way = by_rows<double>(6400, 6400, [](auto& A, Ordinal i) {
    if (i >= 80) A.push(i - 80, -1);
    if (i % 80 > 0) A.push(i - 1, -3);
    A.push(i, 7);
    if (i % 80 < 79) A.push(i + 1, -1);
    if (i < 6320) A.push(i + 80, -1);
  });
  EXPECT_NEAR(facts_of(one_way).skew_share, 1.0 / 3, 0.01);
  EXPECT_NEAR(facts_of(one_way).largest_row_sum, 5.0 / 7, 1e-12) << "of the first row";
}

/// Upwind differences of a flow along x, or against it, of so much more than diffusion.
HostMatrix<double> straight_flow(Ordinal n, double speed, double sign = 1) {
  return by_rows<double>(n * n, n * n, [&](auto& A, Ordinal i) {
    if (i >= n) A.push(i - n, -sign);
    if (i % n > 0) A.push(i - 1, -sign * (speed > 0 ? 1 + speed : 1));
    A.push(i, sign * (4 + std::abs(speed)));
    if (i % n < n - 1) A.push(i + 1, -sign * (speed < 0 ? 1 - speed : 1));
    if (i < n * (n - 1)) A.push(i + n, -sign);
  });
}

TEST(FlowDefaults, WhetherAFlowGoesRoundIsMeasured) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "a device follows no streamlines";
  const Space exec;
  const auto long_streamlines = [&](const HostMatrix<double>& A) {
    const CrsMatrix<double, Space> stored(exec, make_csr(exec, A));
    return inspect(exec, stored.view(), stored.plan()).long_streamlines;
  };
  EXPECT_EQ(long_streamlines(vortex(320, 1e6, Differences::upwind)), 1);
  EXPECT_EQ(long_streamlines(vortex(320, -1e6, Differences::upwind)), 1);
  EXPECT_EQ(long_streamlines(vortex(320, 1e6, Differences::central)), 1);
  EXPECT_EQ(long_streamlines(vortex(310, 1e6, Differences::upwind)), 0) << "too few rows to look";
  EXPECT_EQ(long_streamlines(vortex(320, 1e2, Differences::upwind)), 0) << "diffusion has most";
  for (const double speed : {100.0, -100.0}) {
    EXPECT_EQ(long_streamlines(straight_flow(320, speed)), 0);
    EXPECT_EQ(long_streamlines(straight_flow(320, speed, -1)), 0) << "a negative diagonal";
  }
}

MatrixFacts facts_of_flow(double skew_share) {
  MatrixFacts facts = facts_of_grid(10000);
  facts.symmetric = false;
  facts.on_host = true;
  facts.skew_share = skew_share;
  return facts;
}

TEST(FlowDefaults, SmoothersFollowAFlowOnHosts) {
  const auto smoother_of = [](const MatrixFacts& facts, SolveParameters p = {}) {
    select_parameters(p, facts, true, 1);
    return p.amg.smoother.type;
  };
  const MatrixFacts facts = facts_of_flow(0.5);
  EXPECT_EQ(smoother_of(facts), SmootherType::ilu);
  EXPECT_EQ(smoother_of(facts_of_flow(0.01)), SmootherType::jacobi);
  MatrixFacts other = facts;
  other.on_host = false;
  EXPECT_EQ(smoother_of(other), SmootherType::jacobi);
  other = facts;
  other.coupled_zeros = 1;
  EXPECT_EQ(smoother_of(other), SmootherType::jacobi);
  SolveParameters asked;
  asked.amg.smoother.jacobi.omega = 1;
  EXPECT_EQ(smoother_of(facts, asked), SmootherType::jacobi) << "the user means it";
}

TEST(FlowDefaults, FullBlocksSmoothOnDevices) {
  MatrixFacts facts = facts_of_flow(0);
  facts.on_host = false;
  facts.positive_couplings = 0.3;
  facts.full_blocks = 10;
  const auto smoother_of = [](const MatrixFacts& known, SolveParameters p = {}) {
    select_parameters(p, known, true, 1);
    return p.amg.smoother.type;
  };
  EXPECT_EQ(smoother_of(facts), SmootherType::block_jacobi);
  SolveParameters picked;
  select_parameters(picked, facts, true, 1);
  EXPECT_EQ(picked.amg.smoother.sweeps, 2);
  SolveParameters asked;
  asked.solver.single_kernel = SingleKernel::on;
  EXPECT_EQ(smoother_of(facts, asked), SmootherType::jacobi);
  MatrixFacts other = facts;
  other.on_host = true;
  EXPECT_EQ(smoother_of(other), SmootherType::ilu);
  other = facts;
  other.full_blocks = 1;
  EXPECT_EQ(smoother_of(other), SmootherType::jacobi);
  other = facts;
  other.positive_couplings = 0;
  EXPECT_EQ(smoother_of(other), SmootherType::jacobi) << "systems of an M-matrix for each unknown";
  other = facts;
  other.coupled_signs_differ = true;
  EXPECT_EQ(smoother_of(other), SmootherType::jacobi);
}

/// Which has neither incomplete factors nor sweeps that follow the flow.
TEST(FlowDefaults, ADeviceSweepsTwice) {
  const auto sweeps_of = [](MatrixFacts facts, SolveParameters p = {}) {
    facts.on_host = false;
    select_parameters(p, facts, true, 1);
    EXPECT_EQ(p.amg.smoother.type, SmootherType::jacobi);
    return p.amg.smoother.sweeps;
  };
  EXPECT_EQ(sweeps_of(facts_of_flow(0.3)), 2);
  EXPECT_EQ(sweeps_of(facts_of_flow(0.01)), 2) << "weak convection, too";
  EXPECT_EQ(sweeps_of(facts_of_flow(0.004)), 1);
  MatrixFacts of_two_signs = facts_of_flow(0.3);
  of_two_signs.positive_diagonal = false;
  EXPECT_EQ(sweeps_of(of_two_signs), 1);
  SolveParameters asked;
  asked.amg.smoother.jacobi.omega = 1;
  EXPECT_EQ(sweeps_of(facts_of_flow(0.3), asked), 1) << "the user means it";
}

TEST(FlowDefaults, WhatDoesNotSmoothIsLeft) {
  const MatrixFacts facts = facts_of_flow(0.5);
  const SolveParameters asked;
  SolveParameters effective;
  select_parameters(effective, facts, true, 1);
  SolveResult result;
  result.status = SolveStatus::interrupted;
  result.columns = {{.status = SolveStatus::interrupted}};
  const auto fallback = next_fallback({asked, facts, result, true}, effective);
  ASSERT_TRUE(fallback.has_value());
  EXPECT_TRUE(fallback->rebuilds);
  EXPECT_EQ(effective.amg.smoother.type, SmootherType::jacobi);
  EXPECT_EQ(effective.amg.coarsening, amg::CoarseningKind::reduction);
  EXPECT_TRUE(next_fallback({asked, facts, result, true}, effective).has_value());
  EXPECT_EQ(effective.amg.coarsening, amg::CoarseningKind::smoothed_aggregation);
  EXPECT_FALSE(next_fallback({asked, facts, result, true}, effective).has_value());
}

/// Blocks whose factors grow elevenfold from row to row, beyond what a double holds.
HostMatrix<double> growing_factors(int block, int blocks) {
  return by_rows<double>(block * blocks, block * blocks, [&](auto& A, std::int32_t row) {
    const int first = row / block * block, last = first + block - 1;
    for (int j = first; j < row; ++j)
      A.push(j, -10);
    A.push(row, 1);
    if (row < last) A.push(last, 1);
  });
}

TEST(FlowDefaults, FactorsThatOverflowAreNoSmoother) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "ilu is picked on hosts";
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.solver.max_iterations = 3;
  const auto A = growing_factors(330, 8);
  const auto outcome = solve(A, parameters);
  EXPECT_TRUE(
      noted(outcome.hierarchy, "smoother jacobi: incomplete factors hold no finite numbers"));
  EXPECT_EQ(outcome.picked.amg.smoother.type, SmootherType::jacobi);
  parameters.amg.smoother.type = SmootherType::ilu;
  EXPECT_THROW(solve(A, parameters), Error) << "asked for";
}

}  // namespace tessera::test::flow_defaults_test
