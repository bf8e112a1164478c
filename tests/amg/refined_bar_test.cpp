// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One source, one answer: on a bar of hexahedra in MFEM's numbers every execution space makes the
/// levels and takes the iterations that are recorded here.
#include "support/refined_bar.hpp"
#include "support/share.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"

#include <iostream>

namespace tessera::test::refined_bar_test {

struct Found {
  SolveResult result;
  HierarchyInfo hierarchy;

  std::vector<std::int64_t> rows() const {
    std::vector<std::int64_t> rows;
    for (const auto& level : hierarchy.levels)
      rows.push_back(level.rows);
    return rows;
  }
};

template <class Space>
Found solve_bar(const Space& exec, const RefinedBar& bar) {
  const auto A = make_csr(exec, bar.elasticity());
  const auto places = to_multivector(exec, bar.coordinates(), bar.vertices().size(), 3);
  const auto modes = rigid_body_modes<double, Space>(exec, places);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;  // a host would factor few rows
  parameters.solver.tolerance = 1e-8;
  auto solver = set_up(exec, A, parameters, modes, 3);
  const auto x = zeros<double>(exec, A.num_rows);
  auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  EXPECT_EQ(to_string(result.status), "converged");
  std::cout << "refined bar of " << A.num_rows << " rows: " << result.iterations
            << " iterations, operator complexity " << solver.hierarchy().operator_complexity
            << '\n';
  return {result, solver.hierarchy()};
}

/// Aggregates of a general graph, in so many iterations.
template <class Space>
void expect_levels(const Space& exec, int refinements, const std::vector<std::int64_t>& rows,
                   double complexity, int iterations) {
  const Found found = solve_bar(exec, RefinedBar(refinements));
  EXPECT_EQ(found.rows(), rows);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    EXPECT_EQ(found.hierarchy.levels[i].aggregation, "mis2") << "level " << i;
  EXPECT_NEAR(found.hierarchy.operator_complexity, complexity, 0.001 * complexity);
  EXPECT_NEAR(found.result.iterations, iterations, 1);
}

TESSERA_TEST_SUITE(RefinedBarTest, Spaces, TypeNames);

TESSERA_TYPED_TEST(RefinedBarTest, RefinedThreeTimes) {
  expect_levels(exec, 3, {15795, 1674, 84}, 1.293, 16);
}

/// With 150 unknowns instead of 200 for the coarsest level there would be another, and with it more
/// iterations.
TESSERA_TYPED_TEST(RefinedBarTest, RefinedFiveTimes) {
  if (asked_share() > 1) GTEST_SKIP() << "left out where a share of the cases is asked for: large";
  expect_levels(exec, 5, {839619, 74556, 2244, 144}, 1.375, 21);
}

/// In the order of a grid it is found to be one, and is another test.
TESSERA_TYPED_TEST(RefinedBarTest, IsABoxAlongTheAxesAlone) {
  RefinedBar bar(3);
  bar.number_along_axes();
  const Found found = solve_bar(exec, bar);
  EXPECT_EQ(found.hierarchy.levels[0].aggregation, "boxes on a grid of 65 x 9 x 9");
  EXPECT_EQ(found.rows(), (std::vector<std::int64_t>{15795, 1188, 42}));
  EXPECT_NEAR(found.result.iterations, 13, 1);
}

/// Of what MFEM 4.9 prints for its mesh: of the file, of edges, faces and elements.
TEST(RefinedBar, HasTheNumbersOfMfem) {
  const RefinedBar bar(2);
  using Point = RefinedBar::Point;
  ASSERT_EQ(bar.vertices().size(), 825u);
  EXPECT_EQ(bar.vertices()[9], (Point{0, 4, 0}));
  EXPECT_EQ(bar.vertices()[40], (Point{2, 0, 4}));
  EXPECT_EQ(bar.vertices()[100], (Point{32, 2, 4}));
  EXPECT_EQ(bar.vertices()[140], (Point{30, 2, 0}));
  EXPECT_EQ(bar.vertices()[152], (Point{30, 2, 2}));
  EXPECT_EQ(bar.vertices()[153], (Point{1, 0, 0}));
  EXPECT_EQ(bar.vertices()[200], (Point{3, 4, 4}));
  EXPECT_EQ(bar.vertices()[500], (Point{29, 4, 4}));
  EXPECT_EQ(bar.vertices()[640], (Point{20, 1, 1}));
  EXPECT_EQ(bar.vertices()[760], (Point{29, 3, 4}));
  EXPECT_EQ(bar.vertices()[824], (Point{29, 3, 3}));
}

}  // namespace tessera::test::refined_bar_test
