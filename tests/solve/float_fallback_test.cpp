// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid in double goes on where multigrid in float has failed.
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::test::float_fallback_test {

TESSERA_TEST_SUITE(FloatFallback, Spaces, TypeNames);

TESSERA_TYPED_TEST(FloatFallback, ABreakdownIsTriedAgainInDouble) {
  // Poisson less 1: the diagonal is positive, the matrix is not.
  const auto p = gallery_problem(exec, ProblemKind::poisson2d, 50);
  const auto A =
      make_csr(exec, with_diagonal(to_host(p.A), [](Ordinal, double& value) { value -= 1; }));
  SolveParameters parameters;
  parameters.amg.coarse_sweeps = 4;  // factors would tell at once
  parameters.solver.name = SolverName::cg;  // asked for, and so kept
  auto solver = set_up(exec, A, parameters);
  ASSERT_EQ(solver.parameters().precision, Precision::single);
  int last = -1;
  solver.set_logger([&](const IterationInfo& now) {
    EXPECT_GE(now.iteration, last) << "iterations go on from the first solve's";
    last = now.iteration;
    return true;
  });
  const auto result = solver.solve(exec, p.b, zeros<double>(exec, p.A.num_rows));
  EXPECT_EQ(solver.parameters().precision, Precision::same);
  EXPECT_EQ(solver.hierarchy().levels.front().precision, "double");
  EXPECT_TRUE(noted(solver.hierarchy(), "in float the solve ended as breakdown"));
  EXPECT_EQ(result.status, SolveStatus::breakdown) << "cg is not for this matrix";
  EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
  EXPECT_EQ(result.iterations, last);
  EXPECT_LE(result.true_relative_residual, 1);
}

/// Double goes on from the iterate at which float stagnates, and does not begin from zero.
TESSERA_TYPED_TEST(FloatFallback, AStagnationHandsItsIterateOver) {
  const auto p = gallery_problem(exec, ProblemKind::poisson2d, 50);
  const auto b = hashed_rhs(exec, p.A.num_rows);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;  // no factors follow
  parameters.solver.tolerance = 1e-17;  // out of reach
  parameters.solver.single_kernel = SingleKernel::off;
  const auto solved = [&](Precision precision) {
    parameters.precision = precision;
    auto solver = set_up(exec, p.A, parameters);
    EXPECT_EQ(solver.parameters().precision, Precision::single);
    const auto result = solver.solve(exec, b, zeros<double>(exec, p.A.num_rows));
    EXPECT_EQ(to_string(result.status), "stagnated");
    return std::pair(result, solver.hierarchy());
  };
  // Float that was asked for stays, and ends where the first attempt does.
  const auto [first, in_float] = solved(Precision::single);
  EXPECT_EQ(in_float.levels.front().precision, "float");
  const auto [both, in_double] = solved(Precision::automatic);
  EXPECT_EQ(in_double.levels.front().precision, "double");
  EXPECT_TRUE(noted(in_double, "in float the solve ended as stagnated after " +
                                   std::to_string(first.iterations) + " iterations"));
  ASSERT_GT(both.iterations, first.iterations);
  ASSERT_EQ(both.residual_history.size(), static_cast<std::size_t>(both.iterations) + 1);
  ASSERT_EQ(first.residual_history.size(), static_cast<std::size_t>(first.iterations) + 1);
  EXPECT_TRUE(std::equal(first.residual_history.begin(), first.residual_history.end(),
                         both.residual_history.begin()));
  for (std::size_t i = first.residual_history.size(); i < both.residual_history.size(); ++i)
    EXPECT_LT(both.residual_history[i], 1e-13) << "iteration " << i;
  EXPECT_LE(both.true_relative_residual, first.true_relative_residual);
}

/// Each of `num_unknowns` unknowns of a node is coupled to its own kind alone, as by `A`.
HostMatrix<double> of_nodes(const HostMatrix<double>& A, Ordinal num_unknowns) {
  return by_rows<double>(
      A.num_rows * num_unknowns, A.num_cols * num_unknowns, [&](auto& made, Ordinal row) {
        const Ordinal node = row / num_unknowns;
        for (auto e = A.offsets[node]; e < A.offsets[node + 1]; ++e)
          made.push(A.columns[e] * num_unknowns + row % num_unknowns, A.values[e]);
      });
}

/// Each unknown has a constant vector, however many there are.
TESSERA_TYPED_TEST(FloatFallback, NodesOfManyUnknownsStayInFloat) {
  const auto p = gallery_problem(exec, ProblemKind::poisson2d, 12);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.precision = Precision::single;
  parameters.amg.coarse_size = 100;
  parameters.amg.max_operator_complexity = 100;  // a node's unknowns are coupled on coarse levels
  for (const int block_size : {31, 32, 33, 40}) {
    const auto A = make_csr(exec, of_nodes(to_host(p.A), block_size));
    auto solver = set_up(exec, A, parameters, {}, block_size);
    EXPECT_EQ(solver.parameters().precision, Precision::single) << block_size;
    ASSERT_GT(solver.hierarchy().levels.size(), 1U) << block_size;
    EXPECT_EQ(solver.hierarchy().levels.front().precision, "float") << block_size;
    const auto b = hashed_rhs(exec, A.num_rows);
    const auto result = solver.solve(exec, b, zeros<double>(exec, A.num_rows));
    EXPECT_EQ(to_string(result.status), "converged") << block_size;
  }
}

}  // namespace tessera::test::float_fallback_test
