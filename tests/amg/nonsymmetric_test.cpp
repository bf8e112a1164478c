// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices that are not symmetric: that they are taken for such, whole aggregates, and recorded
/// iteration counts from diffusion to pure convection. Rounding moves a count by one at most.
#include "support/device.hpp"
#include "support/level_matrix.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/share.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <ostream>

namespace tessera::test::nonsymmetric_test {

using Space = DeviceSpace;

struct Outcome {
  SolveResult result;
  SolveParameters picked;
  HierarchyInfo hierarchy;
};

Outcome solve(const kernels::Csr<double, Space>& A, const SolveParameters& parameters = {}) {
  const Space exec;
  auto solver = set_up(exec, A, parameters);
  const std::size_t n = A.num_rows;
  const auto x = zeros<double>(exec, n);
  auto result = solver.solve(exec, to_multivector(exec, random_vector<double>(n, 11), n), x);
  return {std::move(result), solver.parameters(), solver.hierarchy()};
}

/// Convection and diffusion, and the iterations that it is recorded with: by aggregates and a sweep
/// of Jacobi, as a host has it, which takes incomplete factors from some Peclet number on, and as a
/// device has it, which sweeps twice from a smaller one on, and then beside classical levels.
struct Flow {
  ProblemKind problem;
  int n;
  double peclet;
  int by_jacobi;
  int on_host;
  int on_device;
  amg::Aggregation aggregation = amg::Aggregation::automatic;

  friend std::ostream& operator<<(std::ostream& out, const Flow& c) {
    return out << to_string(c.problem) << " " << c.n << ", Peclet number " << c.peclet;
  }
};

class Convection : public ::testing::TestWithParam<Flow> {};

TEST_P(Convection, TakesAsRecorded) {
  const Flow& c = GetParam();
  if (asked_share() > 1)
    GTEST_SKIP() << c << " is left out where a share of the cases is asked for";
  GalleryParameters gallery{.problem = c.problem, .n = c.n, .peclet = c.peclet};
  SolveParameters parameters;
  parameters.amg.smoothed_aggregation.aggregation = c.aggregation;
  const auto A = make_problem<double, Space>(Space(), gallery).A;
  const auto outcome = solve(A, parameters);
  EXPECT_EQ(to_string(outcome.result.status), "converged");
  EXPECT_NEAR(outcome.result.iterations, kernels::is_host_space<Space> ? c.on_host : c.on_device,
              1);
  parameters.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  parameters.amg.smoother.type = SmootherType::jacobi;
  EXPECT_NEAR(solve(A, parameters).result.iterations, c.by_jacobi, 1);
  const bool is_classical = outcome.picked.amg.coarsening == amg::CoarseningKind::classical;
  EXPECT_LE(outcome.hierarchy.operator_complexity, is_classical ? 4.0 : 2.0);
  EXPECT_EQ(outcome.picked.precision, Precision::single);
  EXPECT_EQ(outcome.picked.solver.name, SolverName::fgmres) << "multigrid is in float";
  EXPECT_EQ(outcome.picked.amg.symmetry, amg::AssumedSymmetry::general);
  std::cout << c << ": " << outcome.result.iterations << " iterations, operator complexity "
            << outcome.hierarchy.operator_complexity << '\n';
}

constexpr auto plane = ProblemKind::convdiff2d;
constexpr auto space = ProblemKind::convdiff3d;
INSTANTIATE_TEST_SUITE_P(
    InThePlane, Convection,
    ::testing::Values(Flow{plane, 200, 1, 15, 15, 15}, Flow{plane, 200, 10, 15, 15, 12},
                      Flow{plane, 200, 1e2, 20, 20, 13}, Flow{plane, 200, 1e3, 25, 7, 14},
                      Flow{plane, 200, 1e4, 43, 4, 13}, Flow{plane, 200, 1e6, 47, 2, 13}));
INSTANTIATE_TEST_SUITE_P(
    InSpace, Convection,
    ::testing::Values(Flow{space, 40, 1, 13, 13, 9}, Flow{space, 40, 10, 13, 13, 10},
                      Flow{space, 40, 1e2, 19, 7, 12}, Flow{space, 40, 1e3, 28, 4, 11},
                      Flow{space, 40, 1e4, 31, 3, 12}, Flow{space, 40, 1e6, 31, 2, 13}));
INSTANTIATE_TEST_SUITE_P(OnAnyGraph, Convection,
                         ::testing::Values(Flow{plane, 200, 10, 15, 15, 11, amg::Aggregation::mis2},
                                           Flow{plane, 200, 1e4, 35, 4, 22,
                                                amg::Aggregation::mis2}));

/// A Peclet number, and the iterations of each preconditioner on a grid of 400 by 400.
struct Choices {
  double peclet;
  int smoothed, plain, plain_under_k;

  friend std::ostream& operator<<(std::ostream& out, const Choices& c) {
    return out << "Peclet number " << c.peclet;
  }
};

class ConvectionOnALargeGrid : public ::testing::TestWithParam<Choices> {};

TEST_P(ConvectionOnALargeGrid, IsBestOffWithTheDefaults) {
  const Choices& c = GetParam();
  if (asked_share() > 1)
    GTEST_SKIP() << c << " is left out where a share of the cases is asked for: it is large";
  const auto A =
      make_problem<double, Space>(Space(), {.problem = plane, .n = 400, .peclet = c.peclet}).A;
  const auto picked = solve(A);
  EXPECT_EQ(picked.picked.preconditioner, PreconditionerKind::amg);
  const bool is_split = !kernels::is_host_space<Space> && c.peclet > 1e3;
  EXPECT_EQ(picked.picked.amg.coarsening,
            is_split ? amg::CoarseningKind::classical : amg::CoarseningKind::smoothed_aggregation);
  const auto expect_recorded = [&](const char* name, int recorded, const SolveParameters& asked) {
    const auto other = solve(A, asked).result;
    EXPECT_TRUE(other.converged()) << name << ": " << to_string(other.status);
    EXPECT_NEAR(other.iterations, recorded, count_tolerance(recorded)) << name;
    EXPECT_LE(picked.result.iterations, other.iterations + 1) << name;
    std::cout << c << ", " << name << ": " << other.iterations << " iterations\n";
  };
  SolveParameters asked;
  asked.preconditioner = PreconditionerKind::amg;
  asked.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  asked.amg.smoother.type = SmootherType::jacobi;
  expect_recorded("smoothed aggregation", c.smoothed, asked);
  asked.amg.smoothed_aggregation.prolongator_omega = 0;
  expect_recorded("plain aggregation", c.plain, asked);
  asked.amg.cycle = amg::CycleType::k;
  expect_recorded("plain aggregation under k-cycles", c.plain_under_k, asked);
  asked = {};
  asked.preconditioner = PreconditionerKind::none;
  asked.solver.max_iterations = 4 * c.smoothed;  // some 1150 would do
  EXPECT_EQ(to_string(solve(A, asked).result.status), "max_iterations");
}

INSTANTIATE_TEST_SUITE_P(Peclet, ConvectionOnALargeGrid,
                         ::testing::Values(Choices{1e2, 19, 130, 56}, Choices{1e4, 45, 104, 52}));

/// Upwind differences on 100 by 100 points, with `added` on the diagonal of the left half.
kernels::Csr<double, Space> one_sided(double added) {
  constexpr Ordinal n = 100;
  const auto A = by_rows<double>(n * n, n * n, [&](auto& A, Ordinal i) {
    if (i >= n) A.push(i - n, -1);
    if (i % n > 0) A.push(i - 1, -1.5);
    A.push(i, 4.5 + (i % n < n / 2 ? added : 0));
    if (i % n < n - 1) A.push(i + 1, -1);
    if (i < n * (n - 1)) A.push(i + n, -1);
  });
  return make_csr(Space(), A);
}

TEST(Nonsymmetric, HugeDiagonalEntriesDoNotHideIt) {
  struct Case {
    double added;
    int on_host;
    int on_device;  ///< which sweeps twice
  };
  for (const auto& [added, on_host, on_device] :
       {Case{0, 15, 10}, Case{1e6, 14, 10}, Case{1e12, 14, 10}, Case{1e20, 14, 10}}) {
    const auto outcome = solve(one_sided(added));
    const bool in_float = outcome.picked.precision == Precision::single;
    EXPECT_EQ(outcome.picked.solver.name, in_float ? SolverName::fgmres : SolverName::gmres)
        << added;
    EXPECT_TRUE(outcome.result.converged()) << added << " " << to_string(outcome.result.status);
    EXPECT_NEAR(outcome.result.iterations, kernels::is_host_space<Space> ? on_host : on_device, 1)
        << added;
  }
}

TEST(Nonsymmetric, TheNotesSayWhatItChanges) {
  const auto outcome = solve(one_sided(0));
  EXPECT_TRUE(noted(outcome.hierarchy, "restriction"));
  SolveParameters asked;
  asked.amg.symmetry = amg::AssumedSymmetry::symmetric;
  EXPECT_EQ(solve(one_sided(0), asked).picked.amg.symmetry, amg::AssumedSymmetry::symmetric);
}

TESSERA_TEST_SUITE(Directed, Matrices, TypeNames);

TESSERA_TYPED_TEST(Directed, EveryNodeJoinsAnAggregate) {
  // Couplings to lower numbers alone, but for the first row's: it would see nobody, and what has
  // no couplings needs no aggregate.
  constexpr Ordinal n = 3000;
  Random random(5);
  const auto A = by_rows<Scalar>(n, n, [&](auto& A, Ordinal i) {
    const Ordinal other = random.below(std::max(i - 1, 1));
    if (i > 1) A.push(other, Scalar(-0.5));
    if (i > 0) A.push(i - 1, Scalar(-0.75));
    A.push(i, Scalar(2));
    if (i == 0) A.push(1, Scalar(-0.5));
  });
  const auto csr = make_csr<Offset>(exec, A);
  amg::Parameters parameters;
  parameters.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
  std::vector<Ordinal> rows;
  for (const bool told : {false, true}) {
    if (told) parameters.symmetry = amg::AssumedSymmetry::general;
    amg::Multigrid<Scalar, typename TypeParam::Space> grid(parameters);
    grid.setup(exec, csr);
    ASSERT_GT(grid.levels().size(), 1U);
    const auto P = to_host(csr_of<Offset>(grid.levels()[0].P));
    for (Ordinal i = 0; i < n; ++i)
      EXPECT_LT(P.offsets[i], P.offsets[i + 1]) << i;
    rows.push_back(P.num_cols);
  }
  EXPECT_EQ(rows[0], rows[1]) << "found out as told";
}

}  // namespace tessera::test::nonsymmetric_test
