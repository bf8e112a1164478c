// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` and `Multigrid` say to arguments that they do not take, and what they make of a
/// matrix whose values change later.
#include "tessera/solve.hpp"

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/matrix/crs_matrix.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace tessera::test::solver_arguments_test {

using Change = std::function<void(SolveParameters&)>;

/// The error of a Solver, and of the parts that its parameters go to.
void expect_refused(const Change& change, const std::string& name_and_value,
                    const std::string& expected) {
  SolveParameters parameters;
  change(parameters);
  const auto whole = error_of([&] { Solver<double, HostSpace> solver(parameters); });
  expect_error(whole, ErrorKind::configuration, {name_and_value, expected});
  parameters.solver.name = SolverName::cg;
  const auto part = name_and_value.starts_with("amg.")
                        ? error_of([&] { amg::Multigrid<double, HostSpace> grid(parameters.amg); })
                        : whole;
  expect_error(part, ErrorKind::configuration, {name_and_value, expected});
}

TEST(SolverArguments, ParametersKeepToTheirRanges) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using P = SolveParameters;
  expect_refused([](P& p) { p.amg.smoothed_aggregation.prolongator_omega = 7; },
                 "amg.smoothed_aggregation.prolongator_omega = 7 ", "a number from 0 to 2");
  expect_refused([](P& p) { p.amg.smoothed_aggregation.strength_threshold = 3; },
                 "amg.smoothed_aggregation.strength_threshold = 3 ", "a number from -1 to 1");
  expect_refused([](P& p) { p.amg.smoothed_aggregation.strength_threshold = -1.25; },
                 "amg.smoothed_aggregation.strength_threshold = -1.25 ", "a number from -1 to 1");
  expect_refused([](P& p) { p.amg.max_levels = 0; }, "amg.max_levels = 0 ",
                 "a whole number from 1 to 50");
  expect_refused([](P& p) { p.amg.coarse_size = -1; }, "amg.coarse_size = -1 ",
                 "a whole number from 0 to 20000");
  expect_refused([](P& p) { p.amg.smoother.sweeps = 101; }, "amg.smoother.sweeps = 101 ",
                 "a whole number from 1 to 100");
  expect_refused([](P& p) { p.amg.smoother.type = static_cast<SmootherType>(99); },
                 "amg.smoother.type = 99 ", "one of: auto, jacobi, l1_jacobi, chebyshev, spai0");
  expect_refused([](P& p) { p.amg.cycle = static_cast<amg::CycleType>(-1); }, "amg.cycle = -1 ",
                 "one of: v, w");
  expect_refused([](P& p) { p.solver.tolerance = 1.5; }, "solver.tolerance = 1.5 ",
                 "a number from 0 to 1");
  expect_refused([=](P& p) { p.solver.tolerance = nan; }, "solver.tolerance = nan ",
                 "a number from 0 to 1");
  expect_refused([=](P& p) { p.amg.max_operator_complexity = infinity; },
                 "amg.max_operator_complexity = inf ", "a number from 1 to 1000");
  expect_refused([](P& p) { p.solver.max_iterations = -5; }, "solver.max_iterations = -5 ",
                 "a whole number from 0 to 100000000");
  expect_refused([](P& p) { p.preconditioner = static_cast<PreconditionerKind>(99); },
                 "preconditioner = 99 ",
                 "one of: auto, none, jacobi, block_jacobi, ilu, amg, direct");
}

template <class Param>
class SolverArgumentsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Values = std::vector<Scalar>;
  Space exec;

  Problem<Scalar, Space> problem(ProblemKind kind, int n) {
    return make_problem<Scalar, Space>(exec, {.problem = kind, .n = n});
  }

  /// With a tolerance that this precision reaches.
  static SolveParameters reachable() {
    SolveParameters parameters;
    parameters.solver.tolerance = std::is_same_v<Scalar, float> ? 1e-4 : 1e-9;
    return parameters;
  }

  /// Columns that no two aggregates or blocks make dependent.
  MultiVector<Scalar, Space> near_nullspace(std::size_t n, int m) {
    Values v(n * m);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = static_cast<Scalar>(1 + i % (7 + i / n));
    return to_multivector(exec, v, n, m);
  }

  /// What the Solver and Multigrid say to near-nullspace vectors.
  void expect_refused(const MultiVector<Scalar, Space>& given, ErrorKind kind,
                      const std::string& part) {
    const auto p = problem(ProblemKind::poisson2d, 20);
    Solver<Scalar, Space> solver;
    expect_error(error_of([&] { solver.setup(exec, p.A, given); }), kind,
                 {"near-nullspace vectors", part});
    amg::Multigrid<Scalar, Space> grid;
    expect_error(error_of([&] { grid.setup(exec, p.A, given); }), kind,
                 {"near-nullspace vectors", part});
  }
};
TYPED_TEST_SUITE(SolverArgumentsTest, Scalars, TypeNames);

TYPED_TEST(SolverArgumentsTest, TakesTenNearNullspaceVectorsAndNoMore) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 20);
  Solver<Scalar, Space> solver;
  EXPECT_NO_THROW(solver.setup(this->exec, p.A, this->near_nullspace(400, 10)));
  this->expect_refused(this->near_nullspace(400, 11), ErrorKind::precondition, "at most 10");
  this->expect_refused(this->near_nullspace(400, 40), ErrorKind::precondition, "they are 40");
  this->expect_refused(this->near_nullspace(399, 2), ErrorKind::precondition, "399");
  const auto empty = allocate_multivector<Scalar>(this->exec, "tessera::test", 0, 3);
  this->expect_refused(empty, ErrorKind::precondition, "they have 0");
}

TYPED_TEST(SolverArgumentsTest, RefusesNearNullspaceVectorsThatSpanNothing) {
  using Scalar = typename TypeParam::Scalar;
  const auto set_column = [&](auto v, int j, Scalar value) {
    Kokkos::deep_copy(this->exec, Kokkos::subview(v, Kokkos::ALL, j), value);
    return v;
  };
  const auto set_entry = [&](auto v, int i, int j, Scalar value) {
    Kokkos::deep_copy(this->exec, Kokkos::subview(v, i, j), value);
    return v;
  };
  const auto make = [&] { return this->near_nullspace(400, 6); };
  this->expect_refused(set_column(make(), 4, 0), ErrorKind::bad_input, "column 4 of 6");
  this->expect_refused(set_column(make(), 0, 0), ErrorKind::bad_input, "is all zeros");
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  this->expect_refused(set_entry(make(), 399, 5, nan), ErrorKind::bad_input, "column 5 of 6");
  this->expect_refused(set_entry(make(), 0, 1, -infinity), ErrorKind::bad_input,
                       "a NaN or an infinity");
  this->expect_refused(set_column(make(), 2, nan), ErrorKind::bad_input, "a NaN or an infinity");
}

TYPED_TEST(SolverArgumentsTest, NearNullspaceBeyondFloatsRangeIsForMultigridInDouble) {
  if constexpr (std::is_same_v<typename TypeParam::Scalar, double>) {
    using Space = typename TypeParam::Space;
    const auto p = this->problem(ProblemKind::poisson2d, 60);
    for (const double size : {1e60, 1e-60}) {
      Solver<double, Space> solver;
      const std::vector<double> v(3600, size);
      solver.setup(this->exec, p.A, to_multivector(this->exec, v, 3600, 1));
      EXPECT_EQ(solver.parameters().precision, Precision::same);
      EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
      const auto x = zeros<double>(this->exec, 3600);
      EXPECT_TRUE(solver.solve(this->exec, p.b, x).converged());
    }
  }
}

TYPED_TEST(SolverArgumentsTest, VectorsThatOverlapAreAnError) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 20);
  const auto memory = to_multivector(this->exec, std::vector<Scalar>(2000, 1), 1000, 2);
  const auto rows = [&](int begin) {
    return Kokkos::subview(memory, std::pair<int, int>(begin, begin + 400), Kokkos::ALL);
  };
  auto solver = set_up(this->exec, p.A, this->reachable());
  expect_error(error_of([&] { solver.solve(this->exec, rows(0), rows(0)); }),
               ErrorKind::precondition, {"b and x overlap"});
  expect_error(error_of([&] { solver.solve(this->exec, rows(0), rows(399)); }),
               ErrorKind::precondition, {"b and x overlap"});
  // Rows of one allocation, with gaps between their columns.
  const auto result = solver.solve(this->exec, rows(0), rows(400));
  EXPECT_TRUE(result.converged());
  const auto b = to_multivector(this->exec, std::vector<Scalar>(800, 1), 400, 2);
  const auto x = to_multivector(this->exec, std::vector<Scalar>(800, 1), 400, 2);
  EXPECT_EQ(solver.solve(this->exec, b, x).iterations, result.iterations);
  const auto expected = to_host(x);
  const auto all = to_host(memory);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t row = i % 1000;
    const bool of_x = row >= 400 && row < 800;
    EXPECT_EQ(all[i], of_x ? expected[i / 1000 * 400 + row - 400] : Scalar(1)) << i;
  }
  amg::Multigrid<Scalar, Space> grid;
  grid.setup(this->exec, p.A);
  expect_error(error_of([&] { grid.apply(this->exec, b, b); }), ErrorKind::precondition,
               {"r and z overlap"});
}

TYPED_TEST(SolverArgumentsTest, ASolverThatWasMovedFromSaysSo) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 20);
  const auto x = zeros<Scalar>(this->exec, 400);
  auto first = set_up(this->exec, p.A, this->reachable());
  Solver<Scalar, Space> second(std::move(first));
  EXPECT_TRUE(second.solve(this->exec, p.b, x).converged());
  const auto expect = [](const std::function<void()>& call) {
    expect_error(error_of(call), ErrorKind::precondition, {"this Solver was moved from"});
  };
  expect([&] { first.setup(this->exec, p.A); });
  expect([&] { first.solve(this->exec, p.b, x); });
  expect([&] { first.parameters(); });
  expect([&] { first.hierarchy(); });
  expect([&] { first.setup_ms(); });
  expect([&] { first.set_logger({}); });
  first = std::move(second);
  expect([&] { second.parameters(); });
  EXPECT_TRUE(first.solve(this->exec, p.b, x).converged());
}

/// D A D in place of A, with a smooth diagonal D between 1/2 and 3/2.
template <class Scalar, class Space>
void scale_both_sides(const Space& exec, const kernels::Csr<Scalar, Space>& A) {
  auto host = to_host(A);
  const auto d = [&](std::int64_t i) {
    return 1 + 0.5 * std::sin(6.0 * static_cast<double>(i) / A.num_rows);
  };
  for (std::int64_t i = 0; i < A.num_rows; ++i) {
    for (auto e = host.offsets[i]; e < host.offsets[i + 1]; ++e)
      host.values[e] = static_cast<Scalar>(host.values[e] * d(i) * d(host.columns[e]));
  }
  Kokkos::deep_copy(exec, A.values, to_device(exec, host.values));
  exec.fence("tessera::test: new values");
}

TYPED_TEST(SolverArgumentsTest, AKeptPreconditionerIsOfTheValuesAtSetup) {
  TESSERA_TEST_TYPES(TypeParam);
  struct Case {
    PreconditionerKind preconditioner;
    Precision precision;
    SmootherType smoother;
    int coarse_size;
  };
  const auto amg = PreconditionerKind::amg;
  for (const Case& c :
       {Case{amg, Precision::same, SmootherType::jacobi, 0},
        Case{amg, Precision::same, SmootherType::chebyshev, 0},
        Case{amg, Precision::same, SmootherType::jacobi, 2000},
        Case{amg, Precision::single, SmootherType::jacobi, 0},
        Case{PreconditionerKind::jacobi, Precision::same, SmootherType::jacobi, 0}}) {
    const auto p = this->problem(ProblemKind::poisson2d, 40);
    SolveParameters parameters = this->reachable();
    // The scaled problem's solution is so much larger than r that a float's roundings in A x reach
    // 1e-4 of r. The old values leave a residual of r's own size.
    if (std::is_same_v<Scalar, float>) parameters.solver.tolerance = 2e-3;
    parameters.preconditioner = c.preconditioner;
    parameters.precision = c.precision;
    parameters.amg.smoother.type = c.smoother;
    parameters.amg.coarse_size = c.coarse_size;
    auto solver = set_up(this->exec, p.A, parameters);
    const auto r = to_multivector(this->exec, std::vector<Scalar>(1600, 1), 1600, 1);
    const auto solve = [&] {
      const auto x = zeros<Scalar>(this->exec, 1600);
      const auto result = solver.solve(this->exec, r, x);
      return std::pair{result, x};
    };
    const int before = solve().first.iterations;
    scale_both_sides(this->exec, p.A);
    const auto [result, x] = solve();
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 4 * before + 40);
    EXPECT_EQ(solver.parameters().precision, c.precision) << "no second setup";
    // The solution is the new matrix's.
    const CrsMatrix<Scalar, Space> A(this->exec, p.A);
    const auto residual = allocate_multivector<Scalar>(this->exec, "tessera::test", 1600, 1);
    A.residual(this->exec, r, x, residual);
    double sum = 0;
    for (const Scalar v : to_host(residual))
      sum += static_cast<double>(v) * v;
    EXPECT_LE(std::sqrt(sum / 1600), 2 * parameters.solver.tolerance);
  }
}

}  // namespace tessera::test::solver_arguments_test
