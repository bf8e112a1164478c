// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parts of the solvers that live on the host: least squares and parameters.
#include "tessera/solver/detail/givens.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace tessera::host_parts_test {

TEST(GivensLeastSquares, SolvesTheSmallProblem) {
  detail::GivensLeastSquares problem;
  problem.prepare(2);
  problem.start(5);
  EXPECT_DOUBLE_EQ(problem.residual(), 5);
  // H = [2 1; 1 3; 0 1], right-hand side (5, 0, 0).
  EXPECT_TRUE(problem.append(std::vector<double>{2}, 1, 1e-16));
  EXPECT_TRUE(problem.append(std::vector<double>{1, 3}, 1, 1e-16));
  std::vector<double> y(2);
  EXPECT_EQ(problem.solve(y, 1e-16), 2);
  const double r0 = 5 - 2 * y[0] - y[1];
  const double r1 = -y[0] - 3 * y[1];
  const double r2 = -y[1];
  // The residual is orthogonal to the columns, and as long as the problem says.
  EXPECT_NEAR(2 * r0 + r1, 0, 1e-13);
  EXPECT_NEAR(r0 + 3 * r1 + r2, 0, 1e-13);
  EXPECT_NEAR(problem.residual(), std::sqrt(r0 * r0 + r1 * r1 + r2 * r2), 1e-13);
}

TEST(GivensLeastSquares, RefusesSingularAndInfiniteColumns) {
  detail::GivensLeastSquares problem;
  problem.prepare(3);
  problem.start(1);
  EXPECT_FALSE(problem.append(std::vector<double>{0}, 0, 1e-16));
  EXPECT_FALSE(problem.append(std::vector<double>{NAN}, 1, 1e-16));
  EXPECT_FALSE(problem.append(std::vector<double>{1}, INFINITY, 1e-16));
  EXPECT_EQ(problem.size(), 0);
  EXPECT_TRUE(problem.append(std::vector<double>{4}, 1e-20, 1e-16));
  EXPECT_EQ(problem.residual(), 0);
}

TEST(GivensLeastSquares, LeavesOutColumnsWhoseSolutionIsAllRounding) {
  // The second column takes the residual from 0.71 to 0.1 with a y of 1e12.
  detail::GivensLeastSquares problem;
  problem.prepare(2);
  problem.start(1);
  EXPECT_TRUE(problem.append(std::vector<double>{1}, 1, 1e-16));
  EXPECT_TRUE(problem.append(std::vector<double>{1, 1 + 1e-12}, 1e-13, 1e-16));
  EXPECT_NEAR(problem.residual(), 0.1, 0.02);
  std::vector<double> y(3, 7.0);
  EXPECT_EQ(problem.solve(y, 1e-10), 1);
  EXPECT_NEAR(y[0], 0.5, 1e-15);
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 0);
  // Where arithmetic is exact enough, both count.
  EXPECT_EQ(problem.solve(y, 1e-16), 2);
  EXPECT_GT(std::abs(y[1]), 1e11);
}

/// Collects names and checks that defaults lie in their ranges.
struct Collect {
  std::set<std::string> names;

  void operator()(std::string_view name, bool&, std::string_view) { add(name); }
  template <class T>
  void operator()(std::string_view name, T& value, std::string_view, Range<T> range) {
    EXPECT_LE(range.lowest, value) << name;
    EXPECT_GE(range.highest, value) << name;
    add(name);
  }
  template <class Enum>
  void operator()(std::string_view name, Enum& value, std::string_view, EnumNames<Enum> names) {
    EXPECT_TRUE(std::any_of(names.begin(), names.end(),
                            [&](const EnumName<Enum>& entry) { return entry.value == value; }));
    add(name);
  }
  template <class Nested>
  void section(std::string_view name, Nested& nested, std::string_view) {
    add(name);
    describe_parameters(*this, nested);
  }
  void add(std::string_view name) { EXPECT_TRUE(names.insert(std::string(name)).second) << name; }
};

TEST(SolverParameters, AreDescribedOnceEach) {
  SolverParameters p;
  Collect collect;
  describe_parameters(collect, p);
  EXPECT_EQ(collect.names.size(), 18u + 3u) << "the parameters and three sections";
  for (std::size_t i = 0; i < solver_names.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(solver_names[i].value), i);
}

}  // namespace tessera::host_parts_test
