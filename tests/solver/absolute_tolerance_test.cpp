// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The absolute tolerance: by every method, beside the relative one and in place of it.
#include "solver_fixture.hpp"
#include "support/error_of.hpp"
#include "tessera/solver/convergence_monitor.hpp"

namespace tessera::test::absolute_tolerance_test {

TESSERA_TEST_SUITE(AbsoluteTolerance, Scalars, TypeNames);

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Scalar>
std::vector<Scalar> times(std::vector<Scalar> v, double factor) {
  for (auto& value : v)
    value = static_cast<Scalar>(factor * value);
  return v;
}

/// What rounding explains between the norm that a solve measured and the one measured here.
template <class Scalar>
constexpr double rounding = sizeof(Scalar) == 8 ? 1e-12 : 1e-5;

TESSERA_TYPED_TEST(AbsoluteTolerance, EndsEachMethodWhereTheRelativeOneWouldNot) {
  const auto A = random_spd_matrix<Scalar>(80, 0.1);
  const auto b = times(random_vector<Scalar>(80, 1), 100);
  for (const SolverName name : all_solvers) {
    for (const double relative : {reachable_tolerance<Scalar>, 0.0}) {
      SCOPED_TRACE(name_of(name) + ", relative " + std::to_string(relative));
      const SolverParameters p{.name = name, .tolerance = relative, .absolute_tolerance = 0.5};
      const auto solved = solve<Space>(p, A, b, 1, With::jacobi);
      const double norm = residual_norms(A, b, solved.x, 1)[0];
      EXPECT_EQ(to_string(solved.result.status), "converged");
      EXPECT_TRUE(solved.result.columns[0].by_absolute_tolerance);
      EXPECT_LE(norm, 0.5 * (1 + rounding<Scalar>));
      EXPECT_GT(norm, reachable_tolerance<Scalar> * solved.result.columns[0].reference_norm);
      const SolverParameters q{.name = name, .tolerance = reachable_tolerance<Scalar>};
      const auto further = solve<Space>(q, A, b, 1, With::jacobi);
      EXPECT_LT(solved.result.iterations, further.result.iterations);
      EXPECT_FALSE(further.result.columns[0].by_absolute_tolerance);
    }
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, CountsWhereItIsTheLargerOne) {
  const auto A = random_spd_matrix<Scalar>(80, 0.1);
  const auto b = random_vector<Scalar>(80, 1);
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
    const auto without = solve<Space>(p, A, b, 1, With::jacobi);
    p.absolute_tolerance = 1e-3 * p.tolerance;
    const auto with = solve<Space>(p, A, b, 1, With::jacobi);
    EXPECT_EQ(with.x, without.x);
    EXPECT_EQ(with.result.residual_history, without.result.residual_history);
    EXPECT_FALSE(with.result.columns[0].by_absolute_tolerance);
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, IsThatOfTheColumnWhateverItsMagnitude) {
  // Powers of two are taken out of columns beyond 2^32.
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  const auto b = random_vector<Scalar>(60, 1);
  for (const SolverName name : all_solvers) {
    SolverParameters p{.name = name, .tolerance = 0, .absolute_tolerance = 1e-3};
    const auto expected = solve<Space>(p, A, b, 1, With::jacobi);
    for (const double factor : {0x1p40, 0x1p-40}) {
      SCOPED_TRACE(name_of(name) + ", " + std::to_string(factor));
      p.absolute_tolerance = 1e-3 * factor;
      const auto solved = solve<Space>(p, A, times(b, factor), 1, With::jacobi);
      EXPECT_EQ(to_string(solved.result.status), "converged");
      EXPECT_TRUE(solved.result.columns[0].by_absolute_tolerance);
      EXPECT_EQ(solved.result.iterations, expected.result.iterations);
      EXPECT_EQ(solved.x, times(expected.x, factor));
    }
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, HoldsForEachRightHandSideByItself) {
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  auto b = times(random_vector<Scalar>(60, 1), 1000);
  const auto small = times(random_vector<Scalar>(60, 2), 1e-3);
  b.insert(b.end(), small.begin(), small.end());
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    const SolverParameters p{
        .name = name, .tolerance = reachable_tolerance<Scalar>, .absolute_tolerance = 1};
    double last = infinity;
    const auto solved =
        solve<Space>(p, A, b, 2, With::jacobi, {}, [&last](const IterationInfo& now) {
          EXPECT_TRUE(now.iteration > 0 || now.residual_over_bound > 1);
          last = now.residual_over_bound;
          return true;
        });
    EXPECT_TRUE(solved.result.converged());
    EXPECT_LE(last, 1);
    const auto& columns = solved.result.columns;
    EXPECT_GT(columns[0].iterations, 0);
    EXPECT_EQ(columns[1].iterations, 0);
    EXPECT_NEAR(columns[1].true_relative_residual, 1, rounding<Scalar>);
    const auto norms = residual_norms(A, b, solved.x, 2);
    for (const int j : {0, 1}) {
      EXPECT_TRUE(columns[j].by_absolute_tolerance);
      EXPECT_LE(norms[j], 1 * (1 + rounding<Scalar>));
    }
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, LeavesAGuessThatMeetsIt) {
  const auto A = random_spd_matrix<Scalar>(40, 0.1);
  const auto b = random_vector<Scalar>(40, 1);
  const auto guess = random_vector<Scalar>(40, 2);
  for (const SolverName name : all_solvers) {
    for (const double absolute : {1e3, 1e300}) {
      const SolverParameters p{.name = name, .tolerance = 0, .absolute_tolerance = absolute};
      const auto solved = solve<Space>(p, A, b, 1, With::jacobi, guess);
      EXPECT_TRUE(solved.result.converged());
      EXPECT_EQ(solved.result.iterations, 0);
      EXPECT_EQ(solved.x, guess);
    }
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, TakesZerosAndNoRows) {
  const std::vector<Scalar> none;
  const auto A = random_spd_matrix<Scalar>(20, 0.2);
  const std::vector<Scalar> zero(20, Scalar(0)), guess(20, Scalar(1e6));
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    const SolverParameters p{.name = name, .tolerance = 0, .absolute_tolerance = 1e-3};
    const auto of_zero = solve<Space>(p, A, zero, 1, With::jacobi, guess);
    EXPECT_TRUE(of_zero.result.converged());
    EXPECT_FALSE(of_zero.result.columns[0].by_absolute_tolerance);
    EXPECT_EQ(of_zero.x, zero);
    EXPECT_TRUE(solve<Space>(p, identity<Scalar>(0), none).result.converged());
    const auto one = solve<Space>(p, identity<Scalar>(1), std::vector<Scalar>{Scalar(1e-4)});
    EXPECT_TRUE(one.result.converged());
    EXPECT_EQ(one.result.iterations, 0);
    EXPECT_TRUE(one.result.columns[0].by_absolute_tolerance);
    auto bad = random_vector<Scalar>(20, 3);
    bad[3] = std::numeric_limits<Scalar>::quiet_NaN();
    const SolverParameters huge{.name = name, .tolerance = 0, .absolute_tolerance = 1e300};
    const auto of_nan = solve<Space>(huge, A, bad).result;
    EXPECT_EQ(to_string(of_nan.status), "not_a_number");
    EXPECT_FALSE(of_nan.columns[0].by_absolute_tolerance);
  }
}

TESSERA_TYPED_TEST(AbsoluteTolerance, StagnatesWhereNeitherCanBeMet) {
  const auto A = random_spd_matrix<Scalar>(40, 0.1);
  const auto b = random_vector<Scalar>(40, 1);
  for (const SolverName name : {SolverName::cg, SolverName::gmres}) {
    const SolverParameters p{.name = name, .tolerance = 0, .absolute_tolerance = 1e-300};
    const auto result = solve<Space>(p, A, b, 1, With::jacobi).result;
    EXPECT_FALSE(result.converged());
    EXPECT_FALSE(result.columns[0].by_absolute_tolerance);
  }
}

TEST(AbsoluteToleranceOfMonitor, LooksPastColumnsThatHaveEndedByIt) {
  // The relative residual stays at 1, that of a right-hand side which ended at once; the other one
  // gains a digit in four iterations.
  const auto is_slow = [](bool has_absolute) {
    ConvergenceMonitor monitor(1e-8, 1000, 100, has_absolute);
    bool slow = false;
    for (int i = 0; i <= 60; ++i)
      slow = slow || monitor.is_slow({i, 1.0, 0, std::pow(10.0, 8 - 0.25 * i)});
    return slow;
  };
  EXPECT_TRUE(is_slow(false));
  EXPECT_FALSE(is_slow(true));
  // Where it is out of reach, it says nothing.
  ConvergenceMonitor monitor(1e-8, 1000, 100, true);
  bool slow = false;
  for (int i = 0; i <= 60; ++i)
    slow = slow || monitor.is_slow({i, std::pow(10.0, -0.1 * i), 0, infinity});
  EXPECT_FALSE(slow);
}

TEST(AbsoluteToleranceOfParameters, IsAFiniteNumberThatIsNotNegative) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {-1.0, -1e-300, nan, infinity, -infinity}) {
    const SolverParameters p{.name = SolverName::cg, .absolute_tolerance = wrong};
    expect_error(error_of([&] { make_solver<double, HostSpace>(p); }), ErrorKind::configuration,
                 {"solver.absolute_tolerance", "a number from 0 to 1e+300"});
  }
}

}  // namespace tessera::test::absolute_tolerance_test
