// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The absolute tolerance by `Solver`: in one kernel, by factors, of singular and of scaled
/// systems.
#include "support/host_values.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::absolute_tolerance_test {

template <class Param>
class AbsoluteToleranceTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  HostMatrix<double> grid(ProblemKind kind, int n) {
    return to_host(make_problem<double, Space>(exec, {.problem = kind, .n = n}).A);
  }

  static double norm_of_residual(const HostMatrix<double>& A, const std::vector<double>& b,
                                 const std::vector<double>& x) {
    const auto Ax = multiply(A, x, 1);
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      sum += (b[i] - Ax[i]) * (b[i] - Ax[i]);
    return std::sqrt(sum);
  }

  /// Solves for b; what converged by the absolute tolerance meets it in the system's own terms.
  SolveResult solve(const HostMatrix<double>& A, const std::vector<double>& b,
                    const SolveParameters& p) {
    auto solver = set_up(exec, make_csr(exec, A), p);
    const auto x = zeros<double>(exec, A.num_rows);
    const auto result = solver.solve(exec, to_multivector(exec, b, A.num_rows), x);
    if (result.converged()) {
      const double bound = std::max(p.solver.absolute_tolerance,
                                    p.solver.tolerance * result.columns[0].reference_norm);
      EXPECT_LE(norm_of_residual(A, b, to_host(x)), bound * (1 + 1e-9));
    }
    return result;
  }
};
TYPED_TEST_SUITE(AbsoluteToleranceTest, Spaces, TypeNames);

TYPED_TEST(AbsoluteToleranceTest, EndsSolvesInOneKernel) {
  const auto A = this->grid(ProblemKind::poisson2d, 30);
  const std::vector<double> b(A.num_rows, 1.0);
  for (const auto name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto tiles : {TilePrecision::off, TilePrecision::fixed, TilePrecision::dynamic}) {
      for (const double scale : {1.0, 1e-20, 1e20}) {
        SCOPED_TRACE(::testing::Message() << int(name) << " " << int(tiles) << " " << scale);
        SolveParameters p;
        p.preconditioner = PreconditionerKind::jacobi;
        p.solver.name = name;
        p.solver.single_kernel = SingleKernel::on;
        p.solver.tiles = tiles;
        p.solver.tolerance = 0;
        p.solver.absolute_tolerance = 1e-3 * scale;
        std::vector<double> scaled = b;
        for (double& value : scaled)
          value *= scale;
        const auto one = this->solve(A, scaled, p);
        EXPECT_TRUE(one.in_one_kernel);
        EXPECT_TRUE(one.converged());
        EXPECT_TRUE(one.columns[0].by_absolute_tolerance);
        p.solver.single_kernel = SingleKernel::off;
        const auto many = this->solve(A, scaled, p);
        EXPECT_FALSE(many.in_one_kernel);
        EXPECT_NEAR(one.iterations, many.iterations, 3);
        p.solver.single_kernel = SingleKernel::on;
        p.solver.tolerance = 1e-8;
        p.solver.absolute_tolerance = 1e-12 * scale;
        const auto further = this->solve(A, scaled, p);
        EXPECT_TRUE(further.converged());
        EXPECT_GT(further.iterations, one.iterations);
        EXPECT_FALSE(further.columns[0].by_absolute_tolerance);
      }
    }
  }
}

TYPED_TEST(AbsoluteToleranceTest, TellsALateLoggerOfEachBound) {
  const auto A = this->grid(ProblemKind::poisson2d, 20);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::jacobi;
  p.solver.name = SolverName::cg;
  p.solver.single_kernel = SingleKernel::on;
  p.solver.tolerance = 0;
  p.solver.absolute_tolerance = 1e-3;
  auto solver = set_up(this->exec, make_csr(this->exec, A), p);
  std::vector<IterationInfo> logged;
  solver.set_logger(
      [&logged](const IterationInfo& now) {
        logged.push_back(now);
        return true;
      },
      LogTiming::may_be_late);
  const auto b = to_multivector(this->exec, std::vector<double>(A.num_rows, 1.0), A.num_rows);
  const auto result = solver.solve(this->exec, b, zeros<double>(this->exec, A.num_rows));
  ASSERT_EQ(logged.size(), result.residual_history.size());
  EXPECT_TRUE(result.in_one_kernel);
  EXPECT_NEAR(logged.front().residual_over_bound, 20 / 1e-3, 1e-6);
  EXPECT_LE(logged.back().residual_over_bound, 1);
}

TYPED_TEST(AbsoluteToleranceTest, EndsSolvesByFactors) {
  const auto A = this->grid(ProblemKind::poisson2d, 30);
  const std::vector<double> b(A.num_rows, 1.0);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::direct;
  p.solver.tolerance = 0;
  p.solver.absolute_tolerance = 1e-9;
  const auto result = this->solve(A, b, p);
  EXPECT_TRUE(result.converged());
  EXPECT_TRUE(result.columns[0].by_absolute_tolerance);
  p.solver.absolute_tolerance = 1e-300;
  const auto out_of_reach = this->solve(A, b, p);
  EXPECT_EQ(to_string(out_of_reach.status), "stagnated");
  EXPECT_FALSE(out_of_reach.columns[0].by_absolute_tolerance);
}

TYPED_TEST(AbsoluteToleranceTest, IsThatOfTheSystemAsItWasGiven) {
  // Rows and columns over sixteen orders of magnitude: multigrid's own matrix has ones for a
  // diagonal.
  const auto grid = this->grid(ProblemKind::poisson2d, 40);
  const auto d = spread(grid.num_rows, 8.0, 11);
  const auto A = scaled(grid, d, d);
  const std::vector<double> b = d;
  SolveParameters p;
  p.solver.tolerance = 0;
  double norm = 0;
  for (const double value : b)
    norm += value * value;
  p.solver.absolute_tolerance = 1e-4 * std::sqrt(norm);
  const auto result = this->solve(A, b, p);
  EXPECT_TRUE(result.converged());
  EXPECT_TRUE(result.columns[0].by_absolute_tolerance);
  EXPECT_LE(result.true_relative_residual, 1e-4 * (1 + 1e-9));
}

TYPED_TEST(AbsoluteToleranceTest, OfASingularSystemIsOfWhatAnXReduces) {
  Network network(30 * 30);
  for (Ordinal v = 0; v < network.size(); ++v) {
    if (v % 30 + 1 < 30) network.tie(v, v + 1, 1);
    if (v / 30 + 1 < 30) network.tie(v, v + 30, 1);
  }
  const auto A = network.matrix();
  std::vector<double> b(A.num_rows, 0.0);
  b[0] = 1;  // the constant's part of it is in no range
  SolveParameters p;
  p.solver.tolerance = 0;
  p.solver.absolute_tolerance = 1e-4;
  const auto result = this->solve(A, b, p);
  EXPECT_EQ(to_string(result.status), "least_squares");
  EXPECT_TRUE(result.columns[0].by_absolute_tolerance);
  EXPECT_NEAR(result.outside_range, 1 / std::sqrt(A.num_rows), 1e-10);
  p.solver.absolute_tolerance = 2;
  EXPECT_TRUE(this->solve(A, b, p).converged());
}

}  // namespace tessera::test::absolute_tolerance_test
