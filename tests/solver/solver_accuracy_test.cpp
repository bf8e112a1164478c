// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Each solver finds the solution: symmetric and nonsymmetric, one and several right-hand sides.
#include "solver_fixture.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::solver_accuracy_test {

TESSERA_TEST_SUITE(SolverAccuracy, Scalars, TypeNames);

template <class Scalar>
void expect_converged(const Solved<Scalar>& solved, const HostMatrix<Scalar>& A,
                      const std::vector<Scalar>& b, int k, const SolverParameters& p) {
  EXPECT_EQ(to_string(solved.result.status), "converged");
  EXPECT_LE(solved.result.true_relative_residual, p.tolerance);
  EXPECT_EQ(solved.result.residual_history.size(),
            static_cast<std::size_t>(solved.result.iterations) + 1);
  const auto norms = residual_norms(A, b, solved.x, k);
  const auto b_norms = residual_norms(A, b, std::vector<Scalar>(b.size(), Scalar(0)), k);
  const double slack = sizeof(Scalar) == 8 ? 1e-14 : 2e-6;
  for (int j = 0; j < k; ++j)
    EXPECT_LE(norms[j], (p.tolerance + slack) * b_norms[j]) << "column " << j;
  expect_near(solved.x, dense_solve(A, b, k), 1e3 * p.tolerance);
}

TESSERA_TYPED_TEST(SolverAccuracy, SymmetricSystemsWithOneToFourRightHandSides) {
  const auto A = random_spd_matrix<Scalar>(57, 0.1);
  for (const SolverName name : all_solvers) {
    for (int k = 1; k <= 4; ++k) {
      SCOPED_TRACE(name_of(name) + ", k = " + std::to_string(k));
      const SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
      const auto b = random_vector<Scalar>(57 * k, 3);
      const With with = name == SolverName::richardson || k % 2 == 0 ? With::jacobi : With::nothing;
      expect_converged(solve<Space>(p, A, b, k, with), A, b, k, p);
    }
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, NonsymmetricSystemsFromBothSides) {
  const auto A = nonsymmetric_matrix<Scalar>(61);
  const auto b = random_vector<Scalar>(61 * 2, 4);
  for (const SolverName name : nonsymmetric_solvers) {
    for (const auto side : {PreconditioningSide::left, PreconditioningSide::right}) {
      for (const With with : {With::nothing, With::jacobi}) {
        SCOPED_TRACE(name_of(name));
        const SolverParameters p{
            .name = name, .tolerance = reachable_tolerance<Scalar>, .side = side};
        expect_converged(solve<Space>(p, A, b, 2, with), A, b, 2, p);
      }
    }
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, TrueResidualInEachIteration) {
  const auto A = random_spd_matrix<Scalar>(50, 0.1);
  const auto b = random_vector<Scalar>(50 * 2, 5);
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    for (const With with : {With::nothing, With::jacobi}) {
      SCOPED_TRACE(name_of(name));
      const SolverParameters p{.name = name,
                               .tolerance = reachable_tolerance<Scalar>,
                               .residual = ResidualKind::true_residual};
      expect_converged(solve<Space>(p, A, b, 2, with), A, b, 2, p);
    }
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, TrueResidualIsRefusedWhereThereIsNone) {
  const auto refusal = [](SolverParameters p) {
    p.residual = ResidualKind::true_residual;
    const auto error = error_of([&] { make_solver<Scalar, Space>(p); });
    return error && error->kind() == ErrorKind::configuration;
  };
  EXPECT_TRUE(refusal({.name = SolverName::gmres}));
  EXPECT_TRUE(refusal({.name = SolverName::fgmres}));
  EXPECT_TRUE(refusal({.name = SolverName::bicgstab, .side = PreconditioningSide::left}));
  EXPECT_FALSE(refusal({.name = SolverName::bicgstab}));
  EXPECT_FALSE(refusal({.name = SolverName::cg}));
  EXPECT_FALSE(refusal({.name = SolverName::richardson}));
}

TESSERA_TYPED_TEST(SolverAccuracy, ColumnsDoNotInfluenceEachOther) {
  const int n = 45;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  // A zero column, one that its guess already solves, and two ordinary ones.
  auto b = random_vector<Scalar>(n * 4, 6);
  std::fill(b.begin() + n, b.begin() + 2 * n, Scalar(0));
  std::vector<Scalar> guess = random_vector<Scalar>(n * 4, 8);
  const auto exact = dense_solve(A, b, 4);
  for (int i = 0; i < n; ++i)
    guess[2 * n + i] = static_cast<Scalar>(exact[2 * n + i]);
  for (const SolverName name : all_solvers) {
    SCOPED_TRACE(name_of(name));
    const SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
    const auto together = solve<Space>(p, A, b, 4, With::jacobi, guess);
    expect_converged(together, A, b, 4, p);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(together.x[n + i], Scalar(0));
      EXPECT_EQ(together.x[2 * n + i], guess[2 * n + i]);
    }
    const std::vector<Scalar> b0(b.begin(), b.begin() + n);
    const auto alone = solve<Space>(p, A, b0, 1, With::jacobi,
                                    std::vector<Scalar>(guess.begin(), guess.begin() + n));
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(alone.x[i], together.x[i], 10 * p.tolerance);
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, ZeroRightHandSideGivesZero) {
  const auto A = random_spd_matrix<Scalar>(30, 0.2);
  for (const SolverName name : all_solvers) {
    const auto solved =
        solve<Space>(SolverParameters{.name = name}, A, std::vector<Scalar>(30, Scalar(0)), 1,
                     With::nothing, random_vector<Scalar>(30));
    EXPECT_TRUE(solved.result.converged());
    EXPECT_EQ(solved.result.iterations, 0);
    EXPECT_EQ(solved.result.true_relative_residual, 0);
    EXPECT_EQ(solved.x, std::vector<Scalar>(30, Scalar(0)));
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, EmptySystemConverges) {
  for (const SolverName name : all_solvers) {
    const auto solved =
        solve<Space>(SolverParameters{.name = name}, HostMatrix<Scalar>{}, std::vector<Scalar>{});
    EXPECT_TRUE(solved.result.converged()) << name_of(name);
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, RestartedGmresTakesSeveralCycles) {
  const auto A = nonsymmetric_matrix<Scalar>(80, 2);
  const auto b = random_vector<Scalar>(80, 9);
  for (const SolverName name : {SolverName::gmres, SolverName::fgmres}) {
    SolverParameters p{
        .name = name, .tolerance = reachable_tolerance<Scalar>, .gmres = {.restart = 5}};
    const auto restarted = solve<Space>(p, A, b);
    EXPECT_GT(restarted.result.iterations, 5);
    expect_converged(restarted, A, b, 1, p);
    p.gmres.restart = 80;
    const auto full = solve<Space>(p, A, b);
    expect_converged(full, A, b, 1, p);
    EXPECT_LE(full.result.iterations, restarted.result.iterations);
    for (std::size_t i = 1; i < full.result.residual_history.size(); ++i)
      EXPECT_LE(full.result.residual_history[i], full.result.residual_history[i - 1] * (1 + 1e-12));
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, ShortRecurrencesEndInAsManyIterationsAsEigenvalues) {
  std::vector<Scalar> d(300);
  for (std::size_t i = 0; i < d.size(); ++i)
    d[i] = Scalar(1 + i % 3);
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    for (const With with : {With::nothing, With::jacobi}) {
      SCOPED_TRACE(name_of(name));
      const auto solved = solve<Space>(SolverParameters{.name = name, .tolerance = 1e-5},
                                       diagonal_matrix(d), random_vector<Scalar>(300), 1, with);
      EXPECT_TRUE(solved.result.converged());
      EXPECT_EQ(solved.result.iterations, with == With::jacobi ? 1 : 3);
    }
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, ReferenceIsTheRightHandSideOrTheFirstResidual) {
  const auto A = random_spd_matrix<Scalar>(40, 0.2);
  const auto b = random_vector<Scalar>(40);
  std::vector<Scalar> guess(40, Scalar(1000));
  SolverParameters p{.name = SolverName::cg, .tolerance = 1e-3};
  const auto to_rhs = solve<Space>(p, A, b, 1, With::nothing, guess);
  EXPECT_GT(to_rhs.result.residual_history.front(), 100);
  EXPECT_LE(to_rhs.result.true_relative_residual, 1e-3);
  p.reference = StoppingReference::initial_residual;
  const auto to_first = solve<Space>(p, A, b, 1, With::nothing, guess);
  EXPECT_TRUE(to_first.result.converged());
  EXPECT_DOUBLE_EQ(to_first.result.residual_history.front(), 1);
  EXPECT_LT(to_first.result.iterations, to_rhs.result.iterations);
}

/// A preconditioner whose scaling changes from call to call.
template <class Scalar, class Space>
class Fickle : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;
  explicit Fickle(const Array<const Scalar, Space>& d) : m_d(d) {}
  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::multiply<Scalar, Space>(exec, Scalar(1 + m_calls++ % 3), m_d, r, z);
  }

 private:
  Array<const Scalar, Space> m_d;
  int m_calls = 0;
};

TESSERA_TYPED_TEST(SolverAccuracy, FlexibleMethodsBearAChangingPreconditioner) {
  const int n = 60;
  const auto A = random_spd_matrix<Scalar>(n, 0.1, 5);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(n), n);
  for (const SolverName name : {SolverName::cg, SolverName::fgmres}) {
    Fickle<Scalar, Space> M(kernels::inverse_diagonal(exec, op.view()));
    const auto x = to_multivector(exec, std::vector<Scalar>(n, Scalar(0)), n);
    const auto solver = make_solver<Scalar, Space>(
        {.name = name, .tolerance = reachable_tolerance<Scalar>, .cg = {.flexible = true}});
    const auto result = solver->solve(exec, op, &M, b, x);
    EXPECT_TRUE(result.converged()) << name_of(name);
    EXPECT_LT(result.iterations, 60) << name_of(name);
  }
}

TESSERA_TYPED_TEST(SolverAccuracy, SameInputGivesSameBits) {
  const auto A = poisson<Scalar>(60, 50);
  const auto b = random_vector<Scalar>(3000 * 2);
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab, SolverName::gmres}) {
    const SolverParameters p{.name = name, .tolerance = 1e-4};
    const auto first = solve<Space>(p, A, b, 2);
    const auto second = solve<Space>(p, A, b, 2);
    EXPECT_TRUE(first.result.converged());
    EXPECT_EQ(first.x, second.x);
    EXPECT_EQ(first.result.residual_history, second.result.residual_history);
  }
}

}  // namespace tessera::test::solver_accuracy_test
