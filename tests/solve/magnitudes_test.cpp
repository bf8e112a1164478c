// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Right-hand sides, guesses and matrices of any magnitude: the solves are those at magnitude one.
#include "solve/magnitudes.hpp"

#include "support/typed_tests.hpp"

#include <limits>

namespace tessera::test::magnitudes_test {

constexpr double magnitudes[] = {1e-300, 1e-200, 1e-162, 1e-155, 1, 1e153, 1e200, 1e300};

template <class Param>
class Magnitudes : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using System = MagnitudeSystem<Scalar, Space>;
  Space exec;
  System symmetric{exec, false};
  System nonsymmetric{exec, true};

  const System& system_for(const Variant& variant) const {
    return variant.symmetric_only ? symmetric : nonsymmetric;
  }
  static std::vector<Variant> all_variants() {
    auto variants = methods_and_preconditioners();
    const auto add = [&](const std::vector<Variant>& more) {
      variants.insert(variants.end(), more.begin(), more.end());
    };
    add(parameter_variants());
    if (std::is_same_v<Scalar, double>) add(narrow_variants());
    if (std::is_same_v<Scalar, float>) {
      for (Variant& variant : variants)
        variant.parameters.solver.tolerance = 1e-4;
    }
    return variants;
  }
};
TYPED_TEST_SUITE(Magnitudes, Scalars, TypeNames);

template <class Param>
class MagnitudesInDouble : public Magnitudes<Param> {};
TYPED_TEST_SUITE(MagnitudesInDouble, Spaces, TypeNames);

TYPED_TEST(Magnitudes, APowerOfTwoInBIsOneInX) {
  TESSERA_TEST_TYPES(TypeParam);
  // As far as x and what is left of b at the end stay normal numbers.
  const bool is_double = std::is_same_v<Scalar, double>;
  const int lowest = is_double ? -930 : -70;
  const int highest = is_double ? 990 : 100;
  Random random(11);
  for (const Variant& variant : this->all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto& system = this->system_for(variant);
    const auto b = bounded_below<Scalar>(system.num_rows(), 5);
    const auto plain = system.solve(variant.parameters, b);
    const int drawn = lowest + static_cast<int>(random.uniform(0, 1) * (highest - lowest));
    for (const int exponent : {drawn, lowest, highest}) {
      SCOPED_TRACE(exponent);
      const auto scaled = system.solve(variant.parameters, times_power(b, exponent));
      // Of x's entries those may be denormal that cancellation has made tiny.
      expect_same_but_for_power(plain.result, plain.x, scaled.result, scaled.x, exponent);
    }
  }
}

TYPED_TEST(Magnitudes, APowerOfTwoInGuessAndBIsOneInX) {
  TESSERA_TEST_TYPES(TypeParam);
  const int power = std::is_same_v<Scalar, double> ? 900 : 60;
  for (const Variant& variant : this->all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto& system = this->system_for(variant);
    const auto b = bounded_below<Scalar>(system.num_rows(), 5);
    const auto x0 = bounded_below<Scalar>(system.num_rows(), 6);
    const auto plain = system.solve(variant.parameters, b, x0);
    for (const int exponent : {-power, power}) {
      SCOPED_TRACE(exponent);
      const auto scaled =
          system.solve(variant.parameters, times_power(b, exponent), times_power(x0, exponent));
      expect_same_but_for_power(plain.result, plain.x, scaled.result, scaled.x, exponent);
    }
  }
}

/// At each of the eight magnitudes, as a whole and beside each other, beside the same digits at
/// magnitude one: a decimal power rounds them otherwise.
TYPED_TEST(MagnitudesInDouble, EightMagnitudesTakeTheIterationsOfOne) {
  for (const Variant& variant : this->all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto& system = this->system_for(variant);
    const std::size_t n = system.num_rows();
    const auto b = bounded_below<double>(n, 7);
    std::vector<double> side_by_side, copies;
    for (const double magnitude : magnitudes) {
      SCOPED_TRACE(magnitude);
      auto scaled = b;
      for (double& value : scaled)
        value *= magnitude;
      const auto at_one = times_power(scaled, -std::ilogb(magnitude));
      side_by_side.insert(side_by_side.end(), scaled.begin(), scaled.end());
      copies.insert(copies.end(), at_one.begin(), at_one.end());
      const auto plain = system.solve(variant.parameters, at_one);
      const auto alone = system.solve(variant.parameters, scaled);
      EXPECT_EQ(to_string(alone.result.status), to_string(plain.result.status));
      EXPECT_EQ(alone.result.iterations, plain.result.iterations);
      if (!alone.result.converged()) continue;
      EXPECT_LE(system.true_residual(scaled, alone.x), 1.001 * variant.parameters.solver.tolerance);
    }
    const auto reference = system.solve(variant.parameters, copies);
    const auto together = system.solve(variant.parameters, side_by_side);
    ASSERT_EQ(together.result.columns.size(), std::size(magnitudes));
    for (std::size_t j = 0; j < std::size(magnitudes); ++j) {
      SCOPED_TRACE(magnitudes[j]);
      const ColumnResult& column = together.result.columns[j];
      EXPECT_EQ(to_string(column.status), to_string(reference.result.columns[j].status));
      EXPECT_EQ(column.iterations, reference.result.columns[j].iterations);
      if (column.status != SolveStatus::converged) continue;
      EXPECT_LE(system.true_residual(side_by_side, together.x, j),
                1.001 * variant.parameters.solver.tolerance);
    }
  }
}

/// Else the comparison above would be of failures.
TYPED_TEST(MagnitudesInDouble, WhatIsComparedConverges) {
  int converged = 0;
  const auto variants = this->all_variants();
  for (const Variant& variant : variants) {
    const auto& system = this->system_for(variant);
    const auto b = bounded_below<double>(system.num_rows(), 7);
    const auto result = system.solve(variant.parameters, b).result;
    const bool is_weak = variant.parameters.preconditioner != PreconditionerKind::amg &&
                         variant.parameters.preconditioner != PreconditionerKind::direct;
    EXPECT_TRUE(result.converged() || is_weak) << variant.name << ": " << to_string(result.status);
    converged += result.converged() ? 1 : 0;
  }
  EXPECT_GE(converged, static_cast<int>(4 * variants.size() / 5));
}

TYPED_TEST(MagnitudesInDouble, MatricesOfOtherMagnitudesTakeTheSameIterations) {
  for (const Variant& variant : this->all_variants()) {
    SCOPED_TRACE(variant.name);
    // It is damped for a matrix of about 1, and without a preconditioner scales with it.
    const bool is_bare_richardson = variant.parameters.solver.name == SolverName::richardson &&
                                    variant.parameters.preconditioner == PreconditionerKind::none;
    if (is_bare_richardson) continue;
    const auto& system = this->system_for(variant);
    const auto b = bounded_below<double>(system.num_rows(), 8);
    const auto plain = system.solve(variant.parameters, b);
    for (const int exponent : {-300, 300}) {
      SCOPED_TRACE(exponent);
      const auto scaled = system.times(exponent);
      const auto answer = scaled.solve(variant.parameters, b);
      EXPECT_EQ(to_string(answer.result.status), to_string(plain.result.status));
      EXPECT_EQ(answer.result.iterations, plain.result.iterations);
      if (!answer.result.converged()) continue;
      EXPECT_LE(scaled.true_residual(b, answer.x), 1.001 * variant.parameters.solver.tolerance);
    }
  }
}

TYPED_TEST(MagnitudesInDouble, WhatIsPickedIsTheSameAtEveryMagnitude) {
  // Large enough for multigrid in float.
  const MagnitudeSystem<double, typename TypeParam::Space> system(this->exec, false, 46);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  const auto b = bounded_below<double>(system.num_rows(), 9);
  const auto plain = system.solve(p, b);
  EXPECT_TRUE(plain.result.converged());
  for (const int of_A : {-300, 0, 300}) {
    for (const int of_b : {-600, 0, 600}) {
      SCOPED_TRACE(std::to_string(of_A) + ", " + std::to_string(of_b));
      const auto scaled = system.times(of_A);
      const auto right = times_power(b, of_b);
      const auto answer = scaled.solve(p, right);
      EXPECT_EQ(to_string(answer.result.status), "converged");
      EXPECT_EQ(answer.result.iterations, plain.result.iterations);
      EXPECT_LE(scaled.true_residual(right, answer.x), 1.001e-8L);
    }
  }
}

TYPED_TEST(MagnitudesInDouble, AGuessOutOfAllProportionIsNone) {
  std::vector<SolveParameters> all;
  for (const SolverName name : {SolverName::cg, SolverName::gmres})
    all.push_back(parameters_of(name, PreconditionerKind::amg));
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    for (const bool on_tiles : {false, true}) {
      all.push_back(parameters_of(name, PreconditionerKind::jacobi));
      all.back().solver.single_kernel = SingleKernel::on;
      if (on_tiles) all.back().solver.tiles = TilePrecision::fixed;
    }
  }
  for (const SolveParameters& p : all) {
    SCOPED_TRACE(std::to_string(&p - all.data()));
    const auto& system = this->symmetric;
    const std::size_t n = system.num_rows();
    const auto b = bounded_below<double>(n, 5);
    const auto plain = system.solve(p, b);
    for (const auto& [of_b, of_guess] : {std::pair(0, 990), {-990, 0}, {-990, 990}, {-400, -200}}) {
      SCOPED_TRACE(std::to_string(of_b) + ", " + std::to_string(of_guess));
      const auto answer =
          system.solve(p, times_power(b, of_b), times_power(bounded_below<double>(n, 6), of_guess));
      EXPECT_EQ(to_string(answer.result.status), "converged");
      EXPECT_EQ(answer.result.iterations, plain.result.iterations);
      EXPECT_EQ(answer.x, times_power(plain.x, of_b));
    }
  }
}

TYPED_TEST(MagnitudesInDouble, ZerosAndNansBesideTheFarEnds) {
  const auto& system = this->symmetric;
  const std::size_t n = system.num_rows();
  const auto b = bounded_below<double>(n, 5);
  std::vector<double> all(5 * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = b[i] * 1e-300;
    all[2 * n + i] = b[i] * 1e300;
    all[3 * n + i] = b[i];
    all[4 * n + i] = b[i] * 1e300;
  }
  all[3 * n + 7] = std::numeric_limits<double>::quiet_NaN();
  all[4 * n + 7] = std::numeric_limits<double>::infinity();
  for (const auto& solver : solver_names) {
    if (solver.value == SolverName::automatic) continue;
    SCOPED_TRACE(solver.name);
    const SolveParameters p = parameters_of(solver.value, PreconditionerKind::amg);
    const auto answer = system.solve(p, all, std::vector<double>(5 * n, 1.0));
    const auto status = [&](int j) { return to_string(answer.result.columns[j].status); };
    EXPECT_EQ(status(0), "converged");
    EXPECT_EQ(status(1), "converged");
    EXPECT_EQ(status(2), "converged");
    EXPECT_EQ(status(3), "not_a_number");
    EXPECT_EQ(status(4), "not_a_number");
    EXPECT_LE(system.true_residual(all, answer.x, 0), 1.001e-8L);
    EXPECT_LE(system.true_residual(all, answer.x, 2), 1.001e-8L);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(answer.x[n + i], 0) << "b = 0";
  }
}

/// What the documentation of `KrylovSolver::solve` says of numbers at the ends of the range.
TYPED_TEST(MagnitudesInDouble, ConvergedSpeaksOfTheXThatIsReturned) {
  for (const auto single_kernel : {SingleKernel::off, SingleKernel::on}) {
    SolveParameters p = parameters_of(SolverName::cg, PreconditionerKind::jacobi);
    p.solver.single_kernel = single_kernel;
    const auto& system = this->symmetric;
    const auto b = bounded_below<double>(system.num_rows(), 5);
    const auto at = [&](int exponent) {
      const auto right = times_power(b, exponent);
      auto answer = system.solve(p, right);
      EXPECT_EQ(answer.result.converged(),
                system.true_residual(right, answer.x) <= 1.001 * p.solver.tolerance)
          << exponent;
      return answer.result;
    };
    // Denormal, with digits enough for the tolerance, and with too few.
    EXPECT_EQ(to_string(at(-1035).status), "converged");
    EXPECT_EQ(to_string(at(-1060).status), "stagnated");
    // x overflows where b does not.
    const auto small = system.times(-30);
    const auto overflown = small.solve(p, times_power(b, 1010));
    EXPECT_EQ(to_string(overflown.result.status), "not_a_number");
  }
}

TYPED_TEST(MagnitudesInDouble, ADenormalMatrixIsNotSolved) {
  for (const Variant& variant : methods_and_preconditioners()) {
    if (variant.parameters.preconditioner == PreconditionerKind::direct) continue;
    SCOPED_TRACE(variant.name);
    const auto tiny = this->symmetric.times(-1050);
    const auto b = bounded_below<double>(tiny.num_rows(), 5);
    try {
      const auto answer = tiny.solve(variant.parameters, b);
      EXPECT_FALSE(answer.result.converged());
    } catch (const Error&) {
      // Setup says that 1 / a_ii is no number.
    }
  }
}

}  // namespace tessera::test::magnitudes_test
