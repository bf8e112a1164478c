// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations and complexities of multigrid by classical coarsening, as recorded.
#include "amg/classical_parameters.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"

#include <iostream>
#include <ostream>

namespace tessera::test::classical_counts_test {

/// A problem of the gallery, and what it is recorded with.
struct Case {
  GalleryParameters gallery;
  int iterations;
  double complexity;
  amg::ClassicalParameters classical = {};

  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    const auto& p = c.classical;
    const auto name = [](const auto& names, auto value) {
      for (const auto& known : names) {
        if (known.value == value) return known.name;
      }
      return decltype(names[0].name)();
    };
    out << to_string(c.gallery.problem) << " " << c.gallery.n << ", "
        << name(amg::interpolation_names, p.interpolation);
    if (p.splitting != amg::PointSplitting::pmis)
      out << ", " << name(amg::point_splitting_names, p.splitting);
    if (p.strong_couplings == amg::StrongCouplings::by_magnitude) out << ", strong by magnitude";
    if (p.aggressive_levels > 0)
      out << ", aggressive, "
          << name(amg::aggressive_interpolation_names, p.aggressive_interpolation) << ", paths "
          << p.aggressive_paths;
    return out;
  }
};

Case of(ProblemKind kind, int n, int iterations, double complexity) {
  return {{.problem = kind, .n = n}, iterations, complexity};
}

Case direct(Case c) {
  c.classical.interpolation = amg::Interpolation::direct;
  return c;
}

Case extended_e(Case c) {
  c.classical.interpolation = amg::Interpolation::extended_e;
  return c;
}

Case modified(Case c) {
  c.classical.interpolation = amg::Interpolation::classical_modified;
  return c;
}

/// On the finest level.
Case aggressive(Case c, amg::AggressiveInterpolation how = amg::AggressiveInterpolation::two_stage,
                int paths = 1) {
  c.classical.aggressive_levels = 1;
  c.classical.aggressive_interpolation = how;
  c.classical.aggressive_paths = paths;
  return c;
}

Case by_fronts(Case c) {
  c.classical.splitting = amg::PointSplitting::advancing_front;
  return c;
}

Case multipass(Case c) { return aggressive(c, amg::AggressiveInterpolation::multipass); }

Case by_magnitude(Case c) {
  c.classical.strong_couplings = amg::StrongCouplings::by_magnitude;
  return c;
}

/// Along an axis, where the couplings across corners are weak with more than a quarter.
Case along_an_axis(int n, double threshold, int iterations, double complexity) {
  Case c = of(ProblemKind::anisotropic2d, n, iterations, complexity);
  c.gallery.theta = 0;
  c.classical.strength_threshold = threshold;
  return c;
}

class ClassicalCounts : public ::testing::TestWithParam<Case> {};

TEST_P(ClassicalCounts, AreAsRecorded) {
  const Case& c = GetParam();
  const DeviceSpace exec;
  const auto problem = make_problem<double, DeviceSpace>(exec, c.gallery);
  SolveParameters parameters = classical();
  parameters.amg.classical = c.classical;
  parameters.solver.tolerance = 1e-8;
  auto solver = set_up(exec, problem.A, parameters);
  const auto x = zeros<double>(exec, problem.A.num_rows);
  const auto result = solver.solve(exec, hashed_rhs(exec, problem.A.num_rows), x);
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_NEAR(result.iterations, c.iterations, 1);
  EXPECT_NEAR(solver.hierarchy().operator_complexity, c.complexity, 0.02 * c.complexity);
  std::cout << c << ": " << result.iterations << " iterations, operator complexity "
            << solver.hierarchy().operator_complexity << '\n';
}

INSTANTIATE_TEST_SUITE_P(
    Gallery, ClassicalCounts,
    ::testing::Values(
        of(ProblemKind::poisson2d, 200, 13, 2.379), of(ProblemKind::poisson2d, 400, 14, 2.390),
        of(ProblemKind::poisson3d, 30, 12, 2.700), of(ProblemKind::poisson3d, 48, 13, 2.737),
        of(ProblemKind::poisson3d27, 30, 12, 1.193), of(ProblemKind::anisotropic2d, 200, 34, 2.073),
        along_an_axis(300, 0.3, 19, 1.862), of(ProblemKind::jump2d, 200, 14, 2.367),
        of(ProblemKind::jump3d, 30, 13, 2.641), of(ProblemKind::unstructured2d, 150, 51, 2.057),
        of(ProblemKind::unstructured3d, 24, 31, 2.217),
        direct(of(ProblemKind::poisson2d, 200, 27, 1.907)),
        extended_e(of(ProblemKind::poisson2d, 200, 13, 2.379)),
        extended_e(of(ProblemKind::poisson3d27, 30, 12, 1.193)),
        extended_e(of(ProblemKind::unstructured3d, 24, 31, 2.217)),
        modified(of(ProblemKind::poisson2d, 200, 26, 1.910)),
        modified(of(ProblemKind::poisson3d27, 30, 15, 1.090)),
        modified(of(ProblemKind::unstructured3d, 24, 44, 1.696)),
        by_fronts(modified(of(ProblemKind::poisson2d, 200, 20, 2.164))),
        by_fronts(modified(of(ProblemKind::poisson3d, 30, 16, 2.742))),
        aggressive(of(ProblemKind::poisson2d, 200, 25, 1.347)),
        aggressive(of(ProblemKind::poisson3d, 30, 20, 1.362)),
        aggressive(of(ProblemKind::poisson3d, 30, 19, 1.494),
                   amg::AggressiveInterpolation::two_stage, 2),
        aggressive(extended_e(of(ProblemKind::poisson3d, 30, 20, 1.362))),
        multipass(of(ProblemKind::poisson2d, 200, 29, 1.281)),
        multipass(of(ProblemKind::poisson3d, 30, 22, 1.283)),
        multipass(of(ProblemKind::jump3d, 30, 23, 1.218)),
        by_fronts(of(ProblemKind::poisson2d, 200, 12, 2.565)),
        by_fronts(of(ProblemKind::poisson3d, 30, 12, 3.066)),
        by_fronts(of(ProblemKind::anisotropic2d, 200, 28, 2.326)),
        by_fronts(aggressive(of(ProblemKind::poisson3d, 30, 20, 1.370))),
        by_magnitude(of(ProblemKind::anisotropic2d, 200, 41, 2.068))));

}  // namespace tessera::test::classical_counts_test
