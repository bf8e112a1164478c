// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations that the defaults need where the field's simplest choices fail: penalties, jumps,
/// anisotropy along the grid, and any end of coarsening that a user may ask for.
#include "support/clamped_box.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <numbers>

namespace tessera::test::hard_defaults_test {

using Space = DeviceSpace;

/// Iterations to 1e-8; -1 where it does not converge.
int iterations(const Space& exec, const kernels::Csr<double, Space>& A,
               const SolveParameters& parameters = {}) {
  auto solver = set_up(exec, A, parameters);
  const auto x = zeros<double>(exec, A.num_rows);
  const SolveResult result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  return result.converged() ? result.iterations : -1;
}

/// The count of a host, give or take one. A device picks other smoothers and strength thresholds
/// for some of these, so that it has a bound alone.
void expect_count(int count, int recorded, int max_on_device) {
  EXPECT_GT(count, 0) << "does not converge";
  if (kernels::is_host_space<Space>) {
    EXPECT_NEAR(count, recorded, count_tolerance(recorded));
  } else {
    EXPECT_LE(count, max_on_device);
  }
}

void expect_count(const GalleryParameters& gallery, int recorded, int max_on_device) {
  const Space exec;
  expect_count(iterations(exec, make_problem<double, Space>(exec, gallery).A), recorded,
               max_on_device);
}

/// The five-point Laplacian with Neumann boundaries, and `penalty` added to the boundary's
/// diagonal.
kernels::Csr<double, Space> penalised_grid(const Space& exec, int m, double penalty) {
  const auto grid = poisson<double>(m, m);
  return make_csr(exec, with_diagonal(grid, [&](Ordinal i, double& value) {
                    const bool boundary = i < m || i >= m * (m - 1) || i % m == 0 || i % m == m - 1;
                    value = static_cast<double>(grid.offsets[i + 1] - grid.offsets[i] - 1) +
                            (boundary ? penalty : 0);
                  }));
}

TEST(HardDefaults, PenaltiesOnTheBoundary) {
  const Space exec;
  for (const double penalty : {1e4, 1e12, 1e30}) {
    SCOPED_TRACE(::testing::Message() << penalty);
    const auto A = penalised_grid(exec, 100, penalty);
    for (const auto measure : {StrengthMeasure::largest, StrengthMeasure::diagonal}) {
      for (const auto aggregation : {amg::Aggregation::automatic, amg::Aggregation::mis2}) {
        SolveParameters parameters;
        parameters.amg.smoothed_aggregation.strength_measure = measure;
        parameters.amg.smoothed_aggregation.aggregation = aggregation;
        expect_count(iterations(exec, A, parameters), 15, 20);
      }
    }
  }
}

/// Neumann boundaries, and so little on the diagonal that float would lose it.
TEST(HardDefaults, NearlyANeumannProblem) {
  const Space exec;
  for (const double added : {1e-9, 1e-7, 1e-5}) {
    SCOPED_TRACE(::testing::Message() << added);
    const auto A = with_diagonal(to_host(gallery_problem(exec, ProblemKind::neumann2d, 150).A),
                                 [&](Ordinal, double& value) { value += added; });
    expect_count(iterations(exec, make_csr(exec, A)), 15, 17);
  }
}

/// Islands of a large coefficient leave the coarsest matrix with small eigenvalues that are real.
TEST(HardDefaults, IslandsOfALargeCoefficient) {
  struct Case {
    int n;
    double contrast;
    int recorded;
  };
  for (const auto& [n, contrast, recorded] :
       {Case{64, 1e3, 16}, Case{64, 9e5, 18}, Case{64, 1e6, 18}, Case{72, 1e3, 16},
        Case{72, 9e5, 18}, Case{72, 1e6, 18}, Case{100, 1e3, 16}, Case{100, 9e5, 17},
        Case{100, 1e6, 17}}) {
    SCOPED_TRACE(::testing::Message() << n << " " << contrast);
    expect_count({.problem = ProblemKind::jump2d, .n = n, .contrast = contrast}, recorded, 20);
  }
}

/// Bilinear elements whose diffusion follows an axis have positive couplings across it.
TEST(HardDefaults, AnisotropyAlongTheGrid) {
  GalleryParameters gallery{.problem = ProblemKind::anisotropic2d, .n = 200};
  for (const double theta : {0.0, std::numbers::pi / 2}) {
    gallery.theta = theta;
    for (const auto& [epsilon, recorded] : {std::pair{0.1, 8}, {1e-3, 9}, {1e-6, 11}, {1e-9, 11}}) {
      SCOPED_TRACE(::testing::Message() << theta << " " << epsilon);
      gallery.epsilon = epsilon;
      expect_count(gallery, recorded, epsilon == 0.1 ? 15 : 20);
    }
  }
  GalleryParameters bricks{.problem = ProblemKind::anisotropic3d, .n = 30};
  bricks.theta = 0;
  bricks.epsilon = 1e-4;
  expect_count(bricks, 12, 13);
}

/// Rigid body modes make up for nothing where material hardly gives way: on hosts factors follow.
TEST(HardDefaults, NearlyIncompressibleElasticityWithItsModes) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  const Space exec;
  const auto problem = make_problem<double, Space>(
      exec, {.problem = ProblemKind::elasticity3d, .n = 16, .poisson_ratio = 0.499});
  Solver<double, Space> solver;
  solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
  const auto x = zeros<double>(exec, problem.A.num_rows);
  const SolveResult result = solver.solve(exec, hashed_rhs(exec, problem.A.num_rows), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  EXPECT_NEAR(result.iterations, rules::iterations_before_estimate + 1, 1);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::direct);
}

/// The systems of docs/notebook/elasticity.md, of up to 20,000 rows: multigrid finds that it would
/// take long, and factors end the solve, a few iterations after the first estimate.
TEST(HardDefaults, ThinPlatesAndMaterialThatHardlyGivesWay) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  const Space exec;
  for (const ClampedBox& box : {ClampedBox{.cells = {40, 40, 2}, .lengths = {1, 1, 0.01}},
                                ClampedBox{.cells = {30, 30, 4}, .lengths = {1, 1, 0.01}},
                                ClampedBox{.cells = {16, 16, 16}, .poisson_ratio = 0.4999}}) {
    SCOPED_TRACE(::testing::Message() << box.cells[0] << " x " << box.cells[1] << " x "
                                      << box.cells[2] << ", " << box.poisson_ratio);
    ASSERT_LE(box.num_rows(), 20000);
    const auto A = make_csr(exec, box.matrix());
    const auto places = to_multivector(exec, box.coordinates(), box.num_nodes(), 3);
    const auto modes = rigid_body_modes<double, Space>(exec, places);
    auto solver = set_up(exec, A, {}, modes, 3);
    EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
    const auto x = zeros<double>(exec, A.num_rows);
    const SolveResult result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.true_relative_residual, 1e-8);
    EXPECT_GT(result.iterations, rules::iterations_before_early_look);
    EXPECT_LE(result.iterations, rules::iterations_before_early_look + 3);
    EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::direct);
    EXPECT_TRUE(noted(solver.hierarchy(), "preconditioner direct: after "));
  }
}

TEST(HardDefaults, EveryEndOfCoarsening) {
  const ProblemKind problems[] = {ProblemKind::poisson2d, ProblemKind::jump2d,
                                  ProblemKind::anisotropic2d, ProblemKind::convdiff2d};
  for (const ProblemKind problem : problems) {
    GalleryParameters gallery{.problem = problem, .n = 24};
    const Space exec;
    const auto A = make_problem<double, Space>(exec, gallery).A;
    for (const int max_dense_size : {1, 10, 300, 20000}) {
      for (const int coarse_size : {0, 1, 30, 500, 20000}) {
        for (const int max_levels : {1, 2, 50}) {
          SolveParameters parameters;
          parameters.amg.max_dense_size = max_dense_size;
          parameters.amg.coarse_size = coarse_size;
          parameters.amg.max_levels = max_levels;
          EXPECT_GT(iterations(exec, A, parameters), 0)
              << to_string(problem) << " max_dense_size " << max_dense_size << " coarse_size "
              << coarse_size << " max_levels " << max_levels;
        }
      }
    }
  }
}

}  // namespace tessera::test::hard_defaults_test
