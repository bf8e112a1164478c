// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Cycles that relax fine and coarse points apart: symmetry, iterations, new values, refusals.
#include "amg/level_solves.hpp"
#include "support/error_of.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/stored_cycles.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"

#include <numeric>

namespace tessera::test::relaxation_points_test {

SolveParameters relaxed(SmootherType type, RelaxationPoints points,
                        amg::CoarseningKind coarsening = amg::CoarseningKind::classical) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.amg.coarsening = coarsening;
  p.amg.coarse_size = 30;
  p.amg.smoother.type = type;
  p.amg.smoother.points = points;
  return p;
}

constexpr RelaxationPoints some_points[] = {RelaxationPoints::f, RelaxationPoints::fc,
                                            RelaxationPoints::cf};
constexpr SmootherType types[] = {SmootherType::automatic, SmootherType::l1_jacobi,
                                  SmootherType::gauss_seidel};

template <class Param>
class RelaxationPointsTest : public LevelSolves<typename Param::Space> {
 public:
  TESSERA_TEST_TYPES(Param);
};
TYPED_TEST_SUITE(RelaxationPointsTest, Spaces, TypeNames);

/// <u, M v> = <v, M u>, and M is positive: what conjugate gradients want of a cycle.
TYPED_TEST(RelaxationPointsTest, CyclesAreSymmetric) {
  const auto p = gallery_problem(this->exec, ProblemKind::anisotropic2d, 40);
  const Ordinal n = p.A.num_rows;
  const auto u = random_vector<double>(n, 1), v = random_vector<double>(n, 2);
  const auto dot = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  for (const auto type : types) {
    for (const auto points : some_points) {
      auto parameters = relaxed(type, points);
      parameters.amg.smoother.sweeps = points == RelaxationPoints::cf ? 2 : 1;
      auto solver = set_up(this->exec, p, parameters);
      ASSERT_GE(solver.hierarchy().levels.size(), 3U);
      const auto Mu = this->cycle(solver, u), Mv = this->cycle(solver, v);
      EXPECT_NEAR(dot(v, Mu), dot(u, Mv), 1e-11 * std::sqrt(dot(u, Mu) * dot(v, Mv)));
      EXPECT_GT(dot(u, Mu), 0);
    }
  }
}

TYPED_TEST(RelaxationPointsTest, SolvesAndSaysWhatRelaxes) {
  const auto p = gallery_problem(this->exec, ProblemKind::anisotropic2d, 60);
  for (const auto type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    auto all = set_up(this->exec, p, relaxed(type, RelaxationPoints::all));
    const int usual = solve_waves(this->exec, all, p.A.num_rows).iterations;
    for (const auto points : {RelaxationPoints::fc, RelaxationPoints::cf}) {
      auto solver = set_up(this->exec, p, relaxed(type, points));
      const auto result = solve_waves(this->exec, solver, p.A.num_rows);
      EXPECT_TRUE(result.converged());
      EXPECT_LE(result.iterations, usual + 2);
      const std::string name(type == SmootherType::gauss_seidel ? "gauss_seidel"
                             : type == SmootherType::l1_jacobi  ? "l1_jacobi"
                                                                : "jacobi");
      EXPECT_EQ(solver.hierarchy().levels[0].smoother,
                name + (points == RelaxationPoints::cf ? " on cf" : " on fc"));
    }
  }
}

/// What coarse points have is solved by the levels below, and a sweep costs less.
TYPED_TEST(RelaxationPointsTest, FinePointsAloneConverge) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson2d, 60);
  for (const auto type : types) {
    auto solver = set_up(this->exec, p, relaxed(type, RelaxationPoints::f));
    const auto result = solve_waves(this->exec, solver, p.A.num_rows);
    EXPECT_TRUE(result.converged());
    EXPECT_LE(result.iterations, 40);
  }
}

TYPED_TEST(RelaxationPointsTest, OfAReductionTakeThePolynomialsPlace) {
  using Space = typename TypeParam::Space;
  const auto A = vortex(60, 1e4, Differences::upwind);
  for (const auto type : types) {
    auto parameters = relaxed(type, RelaxationPoints::cf, amg::CoarseningKind::reduction);
    auto solver = set_up(this->exec, make_csr(this->exec, A), parameters);
    EXPECT_TRUE(solver.hierarchy().levels[0].smoother.ends_with(" on cf"));
    const auto result = solve_waves(this->exec, solver, A.num_rows);
    EXPECT_TRUE(result.converged()) << static_cast<int>(type);
    EXPECT_LE(result.iterations, 30);
    amg::Multigrid<double, Space> grid(parameters.amg);
    grid.setup(this->exec, make_csr(this->exec, A));
    EXPECT_FALSE(grid.levels()[0].relaxes_before);
    EXPECT_EQ(grid.levels()[0].points, RelaxationPoints::cf);
  }
}

/// Points of unknowns in nodes; where products are of tiles the operator is stored before it is
/// split, and its rows are freed.
TYPED_TEST(RelaxationPointsTest, BesideTilesAndNewValues) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 24});
  const auto A = to_host(p.A);
  std::vector<double> expected;
  for (const auto products : {amg::Products::csr, amg::Products::mbsr}) {
    for (const auto coarsening : {amg::CoarseningKind::classical}) {
      auto parameters = relaxed(SmootherType::l1_jacobi, RelaxationPoints::cf, coarsening);
      parameters.amg.products = products;
      parameters.amg.reuse = amg::Reuse::symbolic;
      parameters.equilibration = Equilibration::none;
      const auto device = make_csr(this->exec, A);
      Solver<double, Space> solver(parameters);
      solver.setup(this->exec, device, p.near_nullspace, p.block_size);
      ASSERT_GE(solver.hierarchy().levels.size(), 3U);
      const auto before = preconditioned_waves(this->exec, solver, A.num_rows);
      if (expected.empty()) expected = before;
      EXPECT_LT(relative_difference(before, expected), 1e-11);
      expect_follows_eightfold_values(this->exec, solver, device, 1e-11);
    }
  }
}

/// Points are relaxed by the level's rows, and what is left is computed by what is stored.
TYPED_TEST(RelaxationPointsTest, InEveryFormat) {
  const auto p = gallery_problem(this->exec, ProblemKind::anisotropic2d, 30);
  for (const auto type : {SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    const bool by_rows = type == SmootherType::gauss_seidel;
    expect_same_cycle_in_every_format(this->exec, p.A, relaxed(type, RelaxationPoints::cf),
                                      by_rows ? "gauss_seidel on cf" : "l1_jacobi on cf");
  }
}

TYPED_TEST(RelaxationPointsTest, InFloatAndOnSeveralRightHandSides) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson2d, 50);
  auto parameters = relaxed(SmootherType::gauss_seidel, RelaxationPoints::cf);
  parameters.precision = Precision::single;
  auto solver = set_up(this->exec, p, parameters);
  const Ordinal n = p.A.num_rows;
  const int k = 3;
  const auto x = zeros<double>(this->exec, n, k);
  const auto b = to_multivector(this->exec, random_vector<double>(n * k, 3), n, k);
  EXPECT_TRUE(solver.solve(this->exec, b, x).converged());
}

TYPED_TEST(RelaxationPointsTest, ALevelThatIsNotSplitRelaxesAllPoints) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson2d, 20);
  auto parameters = relaxed(SmootherType::l1_jacobi, RelaxationPoints::cf);
  parameters.amg.max_levels = 1;
  parameters.amg.coarse_sweeps = 5;
  auto solver = set_up(this->exec, p, parameters);
  EXPECT_EQ(solver.hierarchy().levels[0].smoother, "l1_jacobi");
  EXPECT_TRUE(solve_waves(this->exec, solver, p.A.num_rows).converged());
}

TYPED_TEST(RelaxationPointsTest, RefusesWhatHasNoPoints) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson2d, 30);
  for (const auto kind :
       {amg::CoarseningKind::smoothed_aggregation, amg::CoarseningKind::pairwise}) {
    expect_error(error_of([&] {
                   set_up(this->exec, p, relaxed(SmootherType::jacobi, RelaxationPoints::cf, kind));
                 }),
                 ErrorKind::configuration,
                 {"points = cf on level 0", amg::coarsening_name(kind),
                  "use amg.coarsening = classical or reduction"});
  }
  expect_error(error_of([&] {
                 set_up(this->exec, p, relaxed(SmootherType::chebyshev, RelaxationPoints::f));
               }),
               ErrorKind::configuration,
               {"points = f is not for amg.smoother.type = chebyshev", "use jacobi"});
}

}  // namespace tessera::test::relaxation_points_test
