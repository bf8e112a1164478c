// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Fine and coarse points that are relaxed apart over processes: solves are those of one process.
#include "distributed/reduction_cases.hpp"
#include "support/error_of.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <numeric>
#include <span>
#include <string>

namespace tessera::test::relaxed_points_test {

using namespace reduction_cases;

constexpr RelaxationPoints some_points[] = {RelaxationPoints::f, RelaxationPoints::fc,
                                            RelaxationPoints::cf};

Parameters relaxing(SmootherType type, RelaxationPoints points, Parameters p = classical()) {
  p.solve.amg.coarse_size = 30;
  p.solve.equilibration = Equilibration::none;
  p.solve.precision = Precision::same;
  p.solve.amg.smoother.type = type;
  p.solve.amg.smoother.points = points;
  return p;
}

std::string words(SmootherType type, RelaxationPoints points) {
  for (const auto& known : relaxation_points_names)
    if (known.value == points)
      return std::string(smoother_name(type)) + " on " + std::string(known.name);
  return {};
}

/// Whether levels are gathered early or late, and however rows are shared out.
void expect_those_of_one(const GalleryParameters& gallery, Parameters p) {
  SCOPED_TRACE(name_of(gallery));
  const auto& smoother = p.solve.amg.smoother;
  const std::string expected = words(smoother.type, smoother.points);
  SCOPED_TRACE(expected);
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  EXPECT_GE(alone.hierarchy.levels.size(), 3U);
  EXPECT_EQ(alone.hierarchy.levels[0].smoother, expected);
  ::testing::Test::RecordProperty(name_of(gallery) + " " + expected, alone.result.iterations);
  p.gather_rows = 1000000;
  const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
  p.gather_rows = 30;
  EXPECT_EQ(whole.hierarchy.levels[0].smoother, expected);
  EXPECT_EQ(whole.result.iterations, alone.result.iterations);
  for (const ShareOf share : all_shares)
    expect_equal(solved_by(all_processes(), gallery, share, p), alone);
}

TEST(DistributedPoints, GiveTheIterationsOfOneProcess) {
  for (const ProblemKind kind :
       {ProblemKind::poisson2d, ProblemKind::anisotropic2d, ProblemKind::unstructured3d})
    for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi})
      for (const auto points : some_points)
        expect_those_of_one({.problem = kind, .n = kind == ProblemKind::unstructured3d ? 11 : 30},
                            relaxing(type, points));
}

/// A flow, by classical coarsening, and by a reduction, where points take the polynomial's place.
TEST(DistributedPoints, GiveTheIterationsOfOneProcessOnFlows) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 30, .peclet = 1e2};
  for (const auto points : some_points) {
    expect_those_of_one(gallery, relaxing(SmootherType::jacobi, points));
    expect_those_of_one(gallery, relaxing(SmootherType::jacobi, points, reducing()));
    expect_those_of_one(gallery, relaxing(SmootherType::l1_jacobi, points, reducing()));
  }
}

/// Nodes of several unknowns, aggressive levels, two sweeps.
TEST(DistributedPoints, AreThoseOfTheSplitting) {
  Parameters systems = relaxing(SmootherType::jacobi, RelaxationPoints::fc);
  systems.block_size = 3;
  for (const auto split : {amg::SystemSplitting::unknowns, amg::SystemSplitting::nodes}) {
    systems.solve.amg.classical.systems = split;
    expect_those_of_one({.problem = ProblemKind::elasticity3d, .n = 6}, systems);
  }
  Parameters p = relaxing(SmootherType::l1_jacobi, RelaxationPoints::cf);
  p.solve.amg.smoother.sweeps = 2;
  expect_those_of_one({.problem = ProblemKind::poisson3d, .n = 11}, p);
  p.solve.amg.classical.aggressive_levels = 1;
  p.solve.amg.classical.interpolation = amg::Interpolation::extended_i;
  expect_those_of_one({.problem = ProblemKind::poisson3d, .n = 13}, p);
}

/// W-cycles, levels that go to fewer processes, cycles in float, and choices by level.
TEST(DistributedPoints, TakeOtherCycles) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 14};
  const std::vector<void (*)(Parameters&)> changes = {
      [](Parameters& p) { p.solve.amg.cycle = amg::CycleType::w; },
      [](Parameters& p) { p.rows_per_process = 300; },
      [](Parameters& p) {
        p.rows_per_process = 300;
        p.solve.precision = Precision::single;
        p.solve.solver.name = SolverName::fgmres;
      },
      [](Parameters& p) {
        p.solve.amg.choose_level = [](const amg::LevelFacts& level,
                                      const amg::LevelParameters& given) {
          amg::LevelParameters chosen = given;
          if (level.number == 1) chosen.smoother.points = RelaxationPoints::fc;
          return chosen;
        };
      }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    Parameters p = relaxing(SmootherType::jacobi, RelaxationPoints::cf);
    changes[i](p);
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    expect_equal(solved_by(all_processes(), gallery, odd_share, p), alone);
    if (p.solve.amg.choose_level && process() == 0) {
      const auto& levels = alone.hierarchy.levels;
      EXPECT_EQ(levels[0].smoother, "jacobi on cf");
      EXPECT_EQ(levels[1].smoother, "jacobi on fc");
    }
  }
}

TEST(DistributedPoints, TakeNewValues) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi})
    expect_a_third_by_new_values(
        gallery, relaxing(type, RelaxationPoints::fc),
        {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy});
}

/// For several right-hand sides, each as by itself on one process.
TEST(DistributedPoints, RelaxSeveralVectors) {
  const WholeRows whole = vortex(30, 1e2);
  const Parameters p = relaxing(SmootherType::l1_jacobi, RelaxationPoints::cf, reducing());
  const Solved alone = solved_rows(distributed::alone(), whole, odd_share, p, 3);
  for (const ShareOf share : all_shares) {
    const Solved together = solved_rows(all_processes(), whole, share, p, 3);
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    ASSERT_EQ(together.result.columns.size(), 3U);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(together.result.columns[j].iterations, alone.result.columns[j].iterations) << j;
  }
}

/// With `reproducible` iterates have the bits of one process.
TEST(DistributedPoints, HaveTheBitsOfOneProcess) {
  for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi}) {
    for (const auto points : some_points) {
      SCOPED_TRACE(words(type, points));
      Parameters p = relaxing(type, points);
      p.reproducible = true;
      p.solve.amg.reuse = points == RelaxationPoints::fc ? amg::Reuse::symbolic : amg::Reuse::none;
      expect_bits_of_one_process({.problem = ProblemKind::unstructured3d, .n = 12}, p);
    }
  }
}

/// <M u, v> = <u, M v>: after the correction sets take turns the other way round.
TEST(DistributedPoints, AreSymmetricForASymmetricMatrix) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::anisotropic2d, .n = 40});
  const int n = problem.num_rows();
  for (const auto type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    for (const auto points : some_points) {
      SCOPED_TRACE(words(type, points));
      Parameters p = relaxing(type, points);
      p.solve.amg.smoother.sweeps = points == RelaxationPoints::cf ? 2 : 1;
      DistributedSolver solver(all_processes(), p);
      solver.setup(Space(), Share(problem.host).rows());
      const Vectors u = waves(problem.first, n, 2);
      const Vectors M_u = zeros(n, 2);
      solver.apply_preconditioner(Space(), u, M_u);
      const auto given = on_host(u), applied = on_host(M_u);
      const auto dot = [&](int i, int j) {
        const auto begin = [&](const auto& v, int k) { return v.begin() + std::ptrdiff_t(k) * n; };
        return std::inner_product(begin(applied, i), begin(applied, i + 1), begin(given, j), 0.0);
      };
      double sums[] = {dot(0, 1), dot(1, 0), dot(0, 0)};
      all_processes()->sum(std::span<double>(sums));
      EXPECT_GT(sums[2], 0);
      EXPECT_NEAR(sums[0], sums[1], 1e-12 * sums[2]);
    }
  }
}

/// By sets and colours within each process: on one as on one, on several in about as many.
TEST(DistributedPoints, AreRelaxedByHybridGaussSeidel) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 50};
  for (const auto points : some_points) {
    const Parameters p = relaxing(SmootherType::gauss_seidel, points);
    const std::string expected = words(SmootherType::gauss_seidel, points);
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    EXPECT_EQ(alone.hierarchy.levels[0].smoother, expected);
    for (const ShareOf share : all_shares) {
      const Solved made = solved_by(all_processes(), gallery, share, p);
      ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
      EXPECT_LE(made.result.iterations, 2 * alone.result.iterations);
      EXPECT_TRUE(num_processes() > 1 || made.result.iterations == alone.result.iterations);
      EXPECT_EQ(made.hierarchy.levels[0].smoother,
                (num_processes() > 1 ? "hybrid " : "") + expected);
    }
  }
}

/// What cannot be had is an error of all processes, and says what to change.
TEST(DistributedPoints, RefuseWhatOneProcessRefuses) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 30});
  const auto refused = [&](const Parameters& p) {
    DistributedSolver solver(all_processes(), p);
    return message_of(ErrorKind::configuration,
                      [&] { solver.setup(Space(), Share(problem.host).rows()); });
  };
  const auto expect_words = [](const std::string& message, const char* expected) {
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  };
  Parameters p = relaxing(SmootherType::jacobi, RelaxationPoints::f);
  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  expect_words(refused(p),
               "amg.smoother.points = f on level 0, whose coarsening, smoothed_aggregation, has no "
               "fine and coarse points");
  expect_words(refused(relaxing(SmootherType::chebyshev, RelaxationPoints::fc)),
               "amg.smoother.points = fc is not for amg.smoother.type = chebyshev");
  p = relaxing(SmootherType::gauss_seidel, RelaxationPoints::cf);
  p.reproducible = true;
  expect_words(refused(p), "'reproducible' is not for smoother gauss_seidel");
}

/// Fewer rows than processes, and none.
TEST(DistributedPoints, TakeFewRows) {
  for (const int n : {1, 2, 3, 5}) {
    SCOPED_TRACE(n);
    Parameters p = relaxing(SmootherType::l1_jacobi, RelaxationPoints::fc);
    p.gather_rows = 1;
    for (const ShareOf share : all_shares)
      EXPECT_TRUE(solved_by(all_processes(), {.problem = ProblemKind::poisson2d, .n = n}, share, p)
                      .result.converged());
  }
}

}  // namespace tessera::test::relaxed_points_test
