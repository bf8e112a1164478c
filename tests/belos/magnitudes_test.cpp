// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solver in Belos for right-hand sides of any magnitude, on any number of processes: the
/// iterations are those at magnitude one.
#include "belos/belos_cases.hpp"

#include "support/tpetra_magnitudes.hpp"

#include <limits>

namespace tessera::test::magnitudes_test {

constexpr double magnitudes[] = {1e-300, 1e-200, 1e-162, 1e-155, 1, 1e153, 1e200, 1e300};

Teuchos::ParameterList list_of(const char* method, const char* precision) {
  Teuchos::ParameterList list("TESSERA");
  list.set("preconditioner", "amg");
  list.set("precision", precision);
  list.set("gather_rows", 100);
  list.sublist("amg").set("coarse_size", 40);
  list.sublist("solver").set("name", method);
  return list;
}

/// What is solved with: GMRES from the right does not tolerate a preconditioner in float.
const std::vector<std::pair<const char*, const char*>> ways{
    {"cg", "same"},      {"cg", "float"},      {"gmres", "same"},      {"fgmres", "same"},
    {"fgmres", "float"}, {"bicgstab", "same"}, {"richardson", "same"}, {"richardson", "float"}};

/// The same of each column of both, brought to about 1: the largest relative residual.
double residual_at_one(const TpetraMatrix& A, const TpetraVectors& x, const TpetraVectors& b) {
  auto exponents = tpetra::exponents_of_columns(b);
  for (int& exponent : exponents)
    exponent = -exponent;
  return relative_residual(A, times_powers(x, exponents), times_powers(b, exponents));
}

TEST(BelosMagnitudes, TakeTheIterationsOfOneBesideEachOther) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  const std::size_t k = std::size(magnitudes);
  for (const auto& [method, precision] : ways) {
    SCOPED_TRACE(std::string(method) + ", " + precision);
    const auto solved = [&](bool scales, Solving& s) {
      for (std::size_t j = 0; j < k; ++j) {
        Tpetra::deep_copy(*s.b->getVectorNonConst(j), *waves(system.map)->getVector(0));
        if (scales) s.b->getVectorNonConst(j)->scale(magnitudes[j]);
      }
      s.solver->solve();
      return s.tessera().result();
    };
    Solving together(system, list_of(method, precision), k);
    Solving copies(system, list_of(method, precision), k);
    const SolveResult result = solved(true, together);
    const SolveResult expected = solved(false, copies);
    ASSERT_EQ(result.columns.size(), k);
    for (std::size_t j = 0; j < k; ++j) {
      SCOPED_TRACE(magnitudes[j]);
      EXPECT_EQ(to_string(result.columns[j].status), "converged");
      EXPECT_EQ(result.columns[j].iterations, expected.columns[j].iterations);
      EXPECT_NEAR(result.columns[j].reference_norm,
                  expected.columns[j].reference_norm * magnitudes[j],
                  1e-12 * expected.columns[j].reference_norm * magnitudes[j]);
    }
    EXPECT_LT(residual_at_one(*system.A, *together.x, *together.b), 1.001e-8);
  }
}

TEST(BelosMagnitudes, GuessesAreOfAnyMagnitude) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  const auto solve = [&](int of_b, int of_guess) {
    Solving s(system, list_of("cg", "same"));
    tpetra::multiply_columns(*s.b, {of_b}, 1);
    if (of_guess != std::numeric_limits<int>::min()) {
      s.x->putScalar(1);
      tpetra::multiply_columns(*s.x, {of_guess}, 1);
    }
    EXPECT_EQ(s.solver->solve(), Belos::Converged) << of_b << ", " << of_guess;
    const double residual = residual_at_one(*system.A, *s.x, *s.b);
    EXPECT_LT(residual, 1.001e-8);
    EXPECT_NEAR(s.solver->achievedTol(), residual, 1e-12);
    return s.solver->getNumIters();
  };
  const int from_zero = solve(0, std::numeric_limits<int>::min());
  const int from_one = solve(0, 0);
  EXPECT_EQ(solve(-900, -900), from_one);
  EXPECT_EQ(solve(900, 900), from_one);
  EXPECT_EQ(solve(0, 990), from_zero) << "a guess in which b's digits are lost";
  EXPECT_EQ(solve(-900, 0), from_zero);
  EXPECT_EQ(solve(-900, 900), from_zero);
}

TEST(BelosMagnitudes, ZerosAndNansBesideTheFarEnds) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  for (const char* method : {"cg", "fgmres"}) {
    SCOPED_TRACE(method);
    Solving s(system, list_of(method, "same"), 4);
    s.x->putScalar(1);
    s.b->getVectorNonConst(0)->scale(1e-300);
    s.b->getVectorNonConst(1)->putScalar(0);
    s.b->getVectorNonConst(2)->scale(1e300);
    s.b->getVectorNonConst(3)->putScalar(std::numeric_limits<double>::quiet_NaN());
    s.solver->solve();
    const auto& columns = s.tessera().result().columns;
    ASSERT_EQ(columns.size(), 4U);
    EXPECT_EQ(to_string(columns[0].status), "converged");
    EXPECT_EQ(to_string(columns[1].status), "converged");
    EXPECT_EQ(to_string(columns[2].status), "converged");
    EXPECT_EQ(to_string(columns[3].status), "not_a_number");
    EXPECT_EQ(s.x->getVector(1)->normInf(), 0);
    for (const std::size_t j : {0, 2})
      EXPECT_LT(residual_at_one(*system.A, *s.x->getVector(j), *s.b->getVector(j)), 1.001e-8);
  }
}

TEST(BelosMagnitudes, ConvergedSpeaksOfTheXThatIsReturned) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  const auto status_at = [&](const TpetraSystem& of, int exponent) {
    Solving s(of, list_of("cg", "same"));
    tpetra::multiply_columns(*s.b, {exponent}, 1);
    s.solver->solve();
    return std::string(to_string(s.tessera().result().status));
  };
  EXPECT_EQ(status_at(system, -1035), "converged");
  EXPECT_EQ(status_at(system, -1060), "stagnated") << "too few digits are left";
  TpetraSystem small(system);
  small.A = distribute(system.problem.A, system.map, 0x1p-40);
  EXPECT_EQ(status_at(small, 1010), "not_a_number") << "x overflows";
}

}  // namespace tessera::test::magnitudes_test
