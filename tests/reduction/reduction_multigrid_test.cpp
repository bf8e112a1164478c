// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid by reduction: iterations over Peclet numbers and sizes, levels, new values, and what
/// is picked beside it.
#include "support/error_of.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/stored_cycles.hpp"
#include "support/systems.hpp"
#include "support/triangle_flow.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"

#include <algorithm>
#include <iostream>

namespace tessera::test::reduction_multigrid_test {

SolveParameters reduction() {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.amg.coarsening = amg::CoarseningKind::reduction;
  return p;
}

/// To 1e-8 with a hashed right-hand side.
int iterations_of(const HostMatrix<double>& A, const SolveParameters& parameters,
                  double max_complexity) {
  const HashedSolve solved = solve_hashed(A, parameters);
  EXPECT_TRUE(solved.result.converged()) << to_string(solved.result.status);
  EXPECT_LE(solved.hierarchy.operator_complexity, max_complexity);
  std::cout << solved.result.iterations << " iterations, operator complexity "
            << solved.hierarchy.operator_complexity << ", " << solved.hierarchy.levels.size()
            << " levels\n";
  return solved.result.iterations;
}

HostMatrix<double> gallery(ProblemKind kind, int n, double peclet) {
  const DeviceSpace exec;
  return to_host(
      make_problem<double, DeviceSpace>(exec, {.problem = kind, .n = n, .peclet = peclet}).A);
}

TEST(ReductionIterations, AreFewAtEveryPecletNumber) {
  for (const double peclet : {1e2, 1e4, 1e6, 1e10}) {
    SCOPED_TRACE(::testing::Message() << peclet);
    EXPECT_LE(iterations_of(gallery(ProblemKind::convdiff2d, 128, peclet), reduction(), 7), 12);
    EXPECT_LE(iterations_of(gallery(ProblemKind::convdiff3d, 28, peclet), reduction(), 9), 12);
    EXPECT_LE(iterations_of(vortex(128, peclet, Differences::upwind), reduction(), 7), 15);
  }
}

TEST(ReductionIterations, GrowLittleWithTheSize) {
  for (const double peclet : {1e3, 1e8}) {
    const int small = iterations_of(gallery(ProblemKind::convdiff2d, 64, peclet), reduction(), 7);
    const int large = iterations_of(gallery(ProblemKind::convdiff2d, 256, peclet), reduction(), 7);
    EXPECT_LE(large, small + 3) << peclet;
  }
}

/// What the guide names where iterations count for more than time.
SolveParameters above_classical_levels() {
  SolveParameters p = reduction();
  p.amg.reduction.polynomial_sparsity = 2;
  p.amg.smoother.type = SmootherType::jacobi;
  p.amg.smoother.sweeps = 2;
  p.amg.cycle = amg::CycleType::f;
  p.amg.levels.assign(2, amg::uniform_choice(p.amg));
  p.amg.levels[1].coarsening.type = amg::CoarseningKind::classical;
  return p;
}

TEST(ReductionIterations, AreFewestAboveClassicalLevels) {
  const SolveParameters p = above_classical_levels();
  for (const double peclet : {1e2, 1e4, 1e7, 1e12}) {
    SCOPED_TRACE(::testing::Message() << peclet);
    const int bound = peclet < 1e3 ? 6 : 7;
    EXPECT_LE(iterations_of(vortex(128, peclet, Differences::upwind), p, 4), bound);
    EXPECT_LE(iterations_of(gallery(ProblemKind::convdiff2d, 128, peclet), p, 4), bound);
    EXPECT_LE(iterations_of(gallery(ProblemKind::convdiff3d, 24, peclet), p, 6), bound);
  }
}

/// Counts of a larger system beside those of a smaller one of the same kind.
void expect_growth(const HostMatrix<double>& small, int recorded_small,
                   const HostMatrix<double>& large, int recorded_large) {
  const SolveParameters p = above_classical_levels();
  const int few = iterations_of(small, p, 4), many = iterations_of(large, p, 4);
  EXPECT_NEAR(few, recorded_small, count_tolerance(recorded_small));
  EXPECT_NEAR(many, recorded_large, count_tolerance(recorded_large));
  EXPECT_LE(many, few + 2);
}

/// Recorded in docs/notebook/convection.md, for another right-hand side.
TEST(ReductionIterations, AboveClassicalLevelsGrowByTwoAtMost) {
  const auto flow = [](int n, double peclet) {
    return gallery(ProblemKind::convdiff2d, n, peclet);
  };
  const auto round = [](int n, double peclet) { return vortex(n, peclet, Differences::upwind); };
  expect_growth(flow(128, 1e2), 5, flow(256, 1e2), 5);
  expect_growth(round(128, 1e2), 5, round(256, 1e2), 5);
  expect_growth(flow(128, 1e7), 7, flow(512, 1e7), 8);
  expect_growth(round(128, 1e7), 7, round(512, 1e7), 7);
}

/// The same on triangles, of another mesh than the notebook's.
TEST(ReductionIterations, AboveClassicalLevelsGrowByTwoAtMostOnTriangles) {
  for (const auto flow : {FlowOnTriangles::straight, FlowOnTriangles::vortex}) {
    SCOPED_TRACE(flow == FlowOnTriangles::straight ? "straight" : "vortex");
    expect_growth(triangle_flow(64, 1e2, flow), 5, triangle_flow(256, 1e2, flow), 5);
    expect_growth(triangle_flow(64, 1e7, flow), 7, triangle_flow(256, 1e7, flow), 8);
  }
}

TEST(ReductionIterations, FollowSweepsAndPolynomials) {
  const auto A = gallery(ProblemKind::convdiff2d, 100, 1e4);
  const int usual = iterations_of(A, reduction(), 7);
  SolveParameters p = reduction();
  p.amg.reduction.relax_coarse = true;
  EXPECT_LE(iterations_of(A, p, 7), usual);
  p = reduction();
  p.amg.reduction.polynomial_sparsity = 2;
  EXPECT_LE(iterations_of(A, p, 8), usual + 1);
  p = reduction();
  p.amg.reduction.polynomial_order = 0;
  p.amg.reduction.fine_sweeps = 1;
  EXPECT_GT(iterations_of(A, p, 7), usual);
  p = reduction();
  p.amg.reduction.coupling_drop = 0.03;
  const double full = solve_hashed(A, reduction()).hierarchy.operator_complexity;
  EXPECT_LE(iterations_of(A, p, 0.97 * full), usual + 2) << "operators are sparser";
  p = reduction();
  p.amg.reduction.lump_dropped = true;
  p.amg.reduction.operator_drop = 1e-2;
  EXPECT_LE(iterations_of(A, p, 7), usual + 6);
}

TEST(ReductionChoices, AreGmresAndRoomForOperators) {
  const DeviceSpace exec;
  SolveParameters p = reduction();
  auto solver = set_up(exec, make_csr(exec, poisson<double>(40, 40)), p);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::gmres) << "not CG, which A suits";
  EXPECT_EQ(solver.parameters().amg.max_operator_complexity, 12);
  EXPECT_TRUE(solve_waves(exec, solver, 1600).converged());
  p.amg.max_operator_complexity = 3;
  auto limited = set_up(exec, make_csr(exec, poisson<double>(40, 40)), p);
  EXPECT_EQ(limited.parameters().amg.max_operator_complexity, 3);
  p.amg.coarsening = amg::CoarseningKind::pairwise;
  auto other = set_up(exec, make_csr(exec, poisson<double>(40, 40)), p);
  EXPECT_EQ(other.parameters().solver.name, SolverName::cg);
}

template <class Param>
class ReductionMultigrid : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
};
TYPED_TEST_SUITE(ReductionMultigrid, Spaces, TypeNames);

TYPED_TEST(ReductionMultigrid, HasLevelsThatRelaxFinePoints) {
  using Space = typename TypeParam::Space;
  amg::Parameters p = reduction().amg;
  p.coarse_size = 20;
  amg::Multigrid<double, Space> grid(p);
  grid.setup(this->exec, make_csr(this->exec, vortex(30, 1e3, Differences::upwind)));
  const auto& levels = grid.info().levels;
  ASSERT_GE(levels.size(), 3U);
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    EXPECT_EQ(levels[l].coarsening, "reduction");
    EXPECT_EQ(levels[l].smoother, "polynomial on fine points");
    EXPECT_FALSE(grid.levels()[l].relaxes_before);
    const auto n = levels[l].rows, next = levels[l + 1].rows;
    EXPECT_LT(next, 0.75 * static_cast<double>(n));
    EXPECT_LE(grid.levels()[l].P->num_entries(), static_cast<std::size_t>(n));
    EXPECT_GE(grid.levels()[l].R->num_entries(), static_cast<std::size_t>(next));
  }
}

/// With all of the inverse and of its products a cycle solves.
TYPED_TEST(ReductionMultigrid, IsExactWithTheIdealRestriction) {
  SolveParameters p = reduction();
  p.amg.coarse_size = 20;
  p.amg.reduction.polynomial_order = 10;
  p.amg.reduction.polynomial_sparsity = 3;
  p.amg.reduction.restriction_drop = 0;
  p.amg.reduction.operator_drop = 0;
  p.amg.reduction.fine_sweeps = 4;
  // Downstream on a line, which few fine points follow one another on.
  const auto A = by_rows<double>(500, 500, [](auto& B, std::int32_t i) {
    if (i > 0) B.push(i - 1, -1.0);
    B.push(i, 1.25);
  });
  auto solver = set_up(this->exec, make_csr(this->exec, A), p);
  const auto result = solve_waves(this->exec, solver, 500);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 3);
}

TYPED_TEST(ReductionMultigrid, TakesNewValues) {
  using Space = typename TypeParam::Space;
  // Scaled so that no two couplings are equal, and changed so little that the strongest stay it.
  const auto flow = vortex(40, 1e3, Differences::upwind);
  const auto A = scaled(flow, spread(flow.num_rows, 0.3), spread(flow.num_rows, 0.2));
  const auto d = spread(A.num_rows, 1e-6);
  const auto changed = scaled(A, d, d);
  for (const auto products : {amg::Products::csr, amg::Products::mbsr}) {
    SolveParameters p = reduction();
    p.equilibration = Equilibration::none;
    p.amg.products = products;
    p.amg.reuse = amg::Reuse::symbolic;
    p.amg.max_levels = 2;
    p.amg.max_dense_size = 1600;
    p.amg.reduction.coupling_drop = products == amg::Products::csr ? 0.1 : 0;
    p.amg.reduction.restriction_drop = 0;
    p.amg.reduction.operator_drop = products == amg::Products::csr ? 1e-9 : 0;
    const auto device = make_csr(this->exec, A);
    auto solver = set_up(this->exec, device, p);
    ASSERT_EQ(solver.hierarchy().levels.size(), 2U);
    const auto before = preconditioned_waves(this->exec, solver, A.num_rows);
    Kokkos::deep_copy(this->exec, device.values, to_device(this->exec, changed.values));
    this->exec.fence("tessera::test: new values");
    solver.update_values(this->exec);
    const auto updated = preconditioned_waves(this->exec, solver, A.num_rows);
    Solver<double, Space> fresh = set_up(this->exec, make_csr(this->exec, changed), p);
    ASSERT_EQ(fresh.hierarchy().levels[1].rows, solver.hierarchy().levels[1].rows);
    EXPECT_EQ(solver.hierarchy().levels[0].smoother, "polynomial on fine points");
    const auto expected = preconditioned_waves(this->exec, fresh, A.num_rows);
    EXPECT_LT(relative_difference(updated, expected), 1e-10);
    EXPECT_GT(relative_difference(updated, before), 1e-8);
  }
}

TYPED_TEST(ReductionMultigrid, NewValuesOnAllLevels) {
  const auto A = vortex(50, 1e4, Differences::upwind);
  for (const auto reuse : {amg::Reuse::symbolic, amg::Reuse::interpolation}) {
    SolveParameters p = reduction();
    p.equilibration = Equilibration::none;
    p.amg.reuse = reuse;
    const auto device = make_csr(this->exec, A);
    auto solver = set_up(this->exec, device, p);
    expect_follows_eightfold_values(this->exec, solver, device, 1e-10);
  }
}

/// The polynomial in the format of the restrictions, and a sweep on coarse points beside it.
TYPED_TEST(ReductionMultigrid, InEveryFormat) {
  const auto A = make_csr(this->exec, vortex(40, 1e3, Differences::upwind));
  for (const bool relax_coarse : {false, true}) {
    SolveParameters p = reduction();
    p.amg.coarse_size = 30;
    p.amg.reduction.relax_coarse = relax_coarse;
    expect_same_cycle_in_every_format(this->exec, A, p, "polynomial on fine points");
  }
}

TYPED_TEST(ReductionMultigrid, InFloatAndInEveryCycle) {
  const auto A = vortex(60, 1e5, Differences::upwind);
  for (const auto cycle : {amg::CycleType::v, amg::CycleType::w, amg::CycleType::f}) {
    SolveParameters p = reduction();
    p.amg.cycle = cycle;
    p.precision = cycle == amg::CycleType::v ? Precision::single : Precision::same;
    auto solver = set_up(this->exec, make_csr(this->exec, A), p);
    const auto result = solve_waves(this->exec, solver, A.num_rows);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 15);
  }
}

TYPED_TEST(ReductionMultigrid, RefusesSeveralUnknownsPerNode) {
  const auto p = make_problem<double, typename TypeParam::Space>(
      this->exec, {.problem = ProblemKind::elasticity2d, .n = 20});
  Solver<double, typename TypeParam::Space> solver(reduction());
  expect_error(error_of([&] { solver.setup(this->exec, p.A, p.near_nullspace, p.block_size); }),
               ErrorKind::configuration, {"coarsening = reduction takes one unknown per node"});
}

TYPED_TEST(ReductionMultigrid, OnOneLevelAndAggregatesBelow) {
  amg::Parameters p;
  p.coarse_size = 30;
  p.levels.assign(2, amg::uniform_choice(p));
  p.levels[0].coarsening.type = amg::CoarseningKind::reduction;
  p.levels[1].coarsening.type = amg::CoarseningKind::smoothed_aggregation;
  amg::Multigrid<double, typename TypeParam::Space> grid(p);
  grid.setup(this->exec, make_csr(this->exec, vortex(30, 10, Differences::upwind)));
  const auto& levels = grid.info().levels;
  ASSERT_GE(levels.size(), 2U);
  EXPECT_EQ(levels[0].coarsening, "reduction");
  EXPECT_FALSE(grid.levels()[0].relaxes_before);
  EXPECT_TRUE(grid.levels()[1].relaxes_before);
}

}  // namespace tessera::test::reduction_multigrid_test
