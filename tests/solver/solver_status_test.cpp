// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How solves end that do not converge: the status is right and x is finite and the best so far.
#include "solver_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::solver_status_test {

TESSERA_TEST_SUITE(SolverStatus, Scalars, TypeNames);

template <class Scalar>
void expect_status(const Solved<Scalar>& solved, std::string_view status) {
  EXPECT_EQ(to_string(solved.result.status), status);
  EXPECT_TRUE(all_finite(solved.x));
}

TESSERA_TYPED_TEST(SolverStatus, IndefiniteMatrixBreaksCgDown) {
  const auto A = diagonal_matrix<Scalar>({Scalar(1), Scalar(-2), Scalar(3)});
  const std::vector<Scalar> b{Scalar(1), Scalar(2), Scalar(1)};
  const auto solved = solve<Space>(SolverParameters{.name = SolverName::cg}, A, b);
  expect_status(solved, "breakdown");
  EXPECT_LE(solved.result.true_relative_residual, 1.0);
  // <p, A p> = 0 exactly.
  expect_status(solve<Space>(SolverParameters{.name = SolverName::cg},
                             diagonal_matrix<Scalar>({Scalar(1), Scalar(-1)}),
                             std::vector<Scalar>{Scalar(1), Scalar(1)}),
                "breakdown");
}

TESSERA_TYPED_TEST(SolverStatus, IndefinitePreconditionerBreaksCgDown) {
  // The diagonal is negative, and with it <r, D^-1 r>.
  const auto A =
      from_rows<Scalar>(2, {{{0, Scalar(-1)}, {1, Scalar(3)}}, {{0, Scalar(3)}, {1, Scalar(-1)}}});
  expect_status(solve<Space>(SolverParameters{.name = SolverName::cg}, A,
                             std::vector<Scalar>{Scalar(1), Scalar(2)}, 1, With::jacobi),
                "breakdown");
}

TESSERA_TYPED_TEST(SolverStatus, SkewMatrixBreaksBicgstabDownAfterOneRestart) {
  // <r, A r> = 0 for each r: alpha's divisor vanishes at once.
  const auto A = from_rows<Scalar>(2, {{{1, Scalar(1)}}, {{0, Scalar(-1)}}});
  const auto solved = solve<Space>(SolverParameters{.name = SolverName::bicgstab}, A,
                                   std::vector<Scalar>{Scalar(1), Scalar(0)});
  expect_status(solved, "breakdown");
  EXPECT_EQ(solved.result.iterations, 2);
  EXPECT_DOUBLE_EQ(solved.result.true_relative_residual, 1);
}

TESSERA_TYPED_TEST(SolverStatus, SingularMatrixBreaksGmresDown) {
  const auto A = diagonal_matrix<Scalar>({Scalar(1), Scalar(2), Scalar(0)});
  for (const SolverName name : {SolverName::gmres, SolverName::fgmres}) {
    const auto solved = solve<Space>(SolverParameters{.name = name, .tolerance = 1e-4}, A,
                                     std::vector<Scalar>{Scalar(1), Scalar(1), Scalar(1)});
    EXPECT_FALSE(solved.result.converged());
    EXPECT_LT(solved.result.iterations, 1000);
    EXPECT_TRUE(all_finite(solved.x));
    EXPECT_LE(solved.result.true_relative_residual, 1.0);
  }
}

TESSERA_TYPED_TEST(SolverStatus, NanInRightHandSideOrMatrix) {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const auto A = random_spd_matrix<Scalar>(20, 0.3);
  auto b = random_vector<Scalar>(20);
  auto bad_b = b;
  bad_b[7] = nan;
  auto bad_A = A;
  bad_A.values[5] = nan;
  auto infinite_A = A;
  infinite_A.values[5] = std::numeric_limits<Scalar>::infinity();
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    const SolverParameters p{.name = name};
    const std::vector<Scalar> guess(20, Scalar(0.5));
    const auto from_b = solve<Space>(p, A, bad_b, 1, With::nothing, guess);
    expect_status(from_b, "not_a_number");
    EXPECT_EQ(from_b.x, guess);
    expect_status(solve<Space>(p, bad_A, b), "not_a_number");
    expect_status(solve<Space>(p, infinite_A, b), "not_a_number");
  }
}

/// Turns to NaN at the given call.
template <class Scalar, class Space>
class Poisoned : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;
  Poisoned(const Array<const Scalar, Space>& d, int call) : m_d(d), m_calls(call) {}
  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    const Scalar factor = m_calls-- == 0 ? std::numeric_limits<Scalar>::quiet_NaN() : Scalar(0.5);
    kernels::multiply<Scalar, Space>(exec, factor, m_d, r, z);
  }

 private:
  Array<const Scalar, Space> m_d;
  int m_calls;
};

TESSERA_TYPED_TEST(SolverStatus, NanFromThePreconditionerLeavesTheBestIterate) {
  const int n = 40;
  const auto A = random_spd_matrix<Scalar>(n, 0.3);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = random_vector<Scalar>(n);
  for (const SolverName name : all_solvers) {
    for (int call = 0; call < 5; ++call) {
      SCOPED_TRACE(name_of(name) + ", call " + std::to_string(call));
      Poisoned<Scalar, Space> M(kernels::inverse_diagonal(exec, op.view()), call);
      const auto x = to_multivector(exec, std::vector<Scalar>(n, Scalar(0)), n);
      const auto solver = make_solver<Scalar, Space>({.name = name, .tolerance = 1e-12});
      const auto result = solver->solve(exec, op, &M, to_multivector(exec, b, n), x);
      EXPECT_EQ(to_string(result.status), "not_a_number");
      EXPECT_TRUE(all_finite(to_host(x)));
      EXPECT_LE(result.true_relative_residual, 1.0 + 1e-6);
      if (call >= 4) {
        EXPECT_LT(result.true_relative_residual, 0.9);
      }
    }
  }
}

TESSERA_TYPED_TEST(SolverStatus, DivergenceGivesTheBestIterate) {
  // Without damping the error grows threefold in each step; the guess is the best iterate.
  const auto A = diagonal_matrix<Scalar>({Scalar(4), Scalar(4), Scalar(4)});
  const std::vector<Scalar> guess(3, Scalar(0.5));
  const auto solved =
      solve<Space>(SolverParameters{.name = SolverName::richardson, .divergence_limit = 100}, A,
                   std::vector<Scalar>(3, Scalar(1)), 1, With::nothing, guess);
  expect_status(solved, "diverged");
  EXPECT_EQ(solved.x, guess);
  EXPECT_GT(solved.result.residual_history.back(), 100);
}

TESSERA_TYPED_TEST(SolverStatus, IterationLimitGivesTheBestIterate) {
  const auto A = nonsymmetric_matrix<Scalar>(200, 3);
  const auto spd = poisson<Scalar>(14, 14);
  for (const SolverName name : all_solvers) {
    for (const int limit : {0, 1, 2, 3, 5, 7}) {
      SCOPED_TRACE(name_of(name) + ", limit " + std::to_string(limit));
      const bool symmetric = name == SolverName::cg || name == SolverName::richardson;
      const auto& matrix = symmetric ? spd : A;
      const auto b = random_vector<Scalar>(matrix.num_rows);
      const SolverParameters p{.name = name, .tolerance = 1e-13, .max_iterations = limit};
      const auto solved = solve<Space>(p, matrix, b, 1, symmetric ? With::jacobi : With::nothing);
      expect_status(solved, "max_iterations");
      EXPECT_EQ(solved.result.iterations, limit);
      const auto& history = solved.result.residual_history;
      const double best = *std::min_element(history.begin(), history.end());
      // The history is the recurrence's, which drifts from the true residual by round-off.
      const double drift = sizeof(Scalar) == sizeof(float) ? 1e-2 : 1e-3;
      EXPECT_NEAR(solved.result.true_relative_residual, best, drift * best);
    }
  }
}

TESSERA_TYPED_TEST(SolverStatus, TheBestIterateMayLieBeforeTheLast) {
  // The first step ends the large error, and each triples the small one.
  const auto A = diagonal_matrix<Scalar>({Scalar(1), Scalar(4)});
  const auto solved =
      solve<Space>(SolverParameters{.name = SolverName::richardson, .max_iterations = 5}, A,
                   std::vector<Scalar>{Scalar(1), Scalar(1e-3)});
  expect_status(solved, "max_iterations");
  EXPECT_NEAR(solved.result.residual_history.back(), 0.243, 1e-4);
  EXPECT_NEAR(solved.result.true_relative_residual, 3e-3, 1e-6);
}

TESSERA_TYPED_TEST(SolverStatus, TimeLimit) {
  const auto A = poisson<Scalar>(30, 30);
  for (const SolverName name : all_solvers) {
    const auto solved =
        solve<Space>(SolverParameters{.name = name, .tolerance = 1e-6, .time_limit_s = 1e-9}, A,
                     random_vector<Scalar>(900), 1, With::jacobi);
    expect_status(solved, "time_limit");
    EXPECT_LE(solved.result.iterations, 1);
  }
}

TESSERA_TYPED_TEST(SolverStatus, LoggerSeesEachIterationAndMayInterrupt) {
  const auto A = poisson<Scalar>(20, 20);
  const auto b = random_vector<Scalar>(400);
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    std::vector<double> seen;
    const auto solved = solve<Space>(SolverParameters{.name = name, .tolerance = 1e-6}, A, b, 1,
                                     With::jacobi, {}, [&](const IterationInfo& info) {
                                       EXPECT_EQ(info.iteration, static_cast<int>(seen.size()));
                                       EXPECT_GE(info.elapsed_ms, 0);
                                       seen.push_back(info.relative_residual);
                                       return info.iteration < 3;
                                     });
    expect_status(solved, "interrupted");
    EXPECT_EQ(solved.result.iterations, 3);
    EXPECT_EQ(seen, solved.result.residual_history);
  }
}

TESSERA_TYPED_TEST(SolverStatus, ToleranceBelowRoundingStagnates) {
  const auto A = nonsymmetric_matrix<Scalar>(60, 4);
  const auto spd = random_spd_matrix<Scalar>(60, 0.1);
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    const bool symmetric = name == SolverName::cg || name == SolverName::richardson;
    const auto solved =
        solve<Space>(SolverParameters{.name = name, .tolerance = 1e-20}, symmetric ? spd : A,
                     random_vector<Scalar>(60), 1, With::jacobi);
    expect_status(solved, "stagnated");
    EXPECT_LT(solved.result.true_relative_residual, 30 * std::numeric_limits<Scalar>::epsilon());
    EXPECT_LT(solved.result.iterations, 1000);
  }
}

TESSERA_TYPED_TEST(SolverStatus, WithoutVerificationADriftedResidualIsStagnation) {
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  const auto b = random_vector<Scalar>(60);
  SolverParameters p{.name = SolverName::cg, .tolerance = 1e-20};
  const auto verified = solve<Space>(p, A, b);
  p.verify = false;
  const auto trusting = solve<Space>(p, A, b);
  expect_status(trusting, "stagnated");
  EXPECT_LT(trusting.result.iterations, verified.result.iterations);
}

TESSERA_TYPED_TEST(SolverStatus, WrongShapesAreErrors) {
  const auto A = random_spd_matrix<Scalar>(10, 0.3);
  EXPECT_THROW(
      solve<Space>(SolverParameters{.name = SolverName::cg},
                   random_matrix<Scalar>({.num_rows = 4, .num_cols = 5}), std::vector<Scalar>(4)),
      Error);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(20), 10, 2);
  const auto x = to_multivector(exec, random_vector<Scalar>(10), 10, 1);
  const auto solver = make_solver<Scalar, Space>(SolverParameters{.name = SolverName::cg});
  EXPECT_THROW(solver->solve(exec, op, nullptr, b, x), Error);
  EXPECT_THROW((make_solver<Scalar, Space>({.name = SolverName::cg, .tolerance = -1})), Error);
  EXPECT_THROW((make_solver<Scalar, Space>({.name = SolverName::automatic})), Error);
  EXPECT_THROW((make_solver<Scalar, Space>({.name = SolverName::cg, .gmres = {.restart = 0}})),
               Error);
  // The same memory for both, in whole or in part.
  EXPECT_THROW(solver->solve(exec, op, nullptr, b, b), Error);
  EXPECT_THROW(solver->solve(exec, op, nullptr, MultiVectorView<Scalar, Space>(b.data(), 10, 1),
                             MultiVectorView<Scalar, Space>(b.data() + 9, 10, 1)),
               Error);
}

}  // namespace tessera::test::solver_status_test
