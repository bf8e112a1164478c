// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch.
#include "solver/solver_fixture.hpp"

#include "tessera/kernels/format/inverse_diagonal.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <cmath>

namespace {

using namespace tessera;
using namespace tessera::test;
using kernels::PersistentEnd;
using kernels::PersistentLimits;
using kernels::PersistentReport;
using kernels::PersistentTuning;

enum class Method { cg, bicgstab };

template <class Scalar>
struct Answer {
  PersistentReport report;
  std::vector<Scalar> x;
};

/// Solves on one workspace, time and again.
template <class Scalar, class Space, class Offset>
class Persistent {
 public:
  Answer<Scalar> solve(Method method, const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                       With with = With::nothing, const PersistentLimits& limits = {},
                       std::vector<Scalar> x0 = {}, const PersistentTuning& tuning = {},
                       double time_limit_s = 0) {
    const auto matrix = make_csr<Offset>(m_exec, A);
    const auto view = matrix.view();
    Array<Scalar, Space> d;
    if (with == With::jacobi) d = kernels::inverse_diagonal(m_exec, view);
    if (x0.empty()) x0.assign(b.size(), Scalar(0));
    const auto rhs = to_device(m_exec, b);
    const auto x = to_device(m_exec, x0);
    Answer<Scalar> answer;
    answer.report = method == Method::cg
                        ? kernels::persistent_cg(m_exec, m_workspace, view, d, rhs, x, limits,
                                                 time_limit_s, tuning)
                        : kernels::persistent_bicgstab(m_exec, m_workspace, view, d, rhs, x, limits,
                                                       time_limit_s, tuning);
    answer.x = to_host(x);
    return answer;
  }

 private:
  Space m_exec;
  kernels::PersistentWorkspace<Scalar, Space> m_workspace;
};

template <class Scalar>
PersistentLimits reachable(double factor = 1) {
  PersistentLimits limits;
  limits.tolerance = factor * reachable_tolerance<Scalar>;
  return limits;
}

/// Numbers between -1 and 1.
template <class Scalar>
std::vector<Scalar> some_vector(std::size_t n, unsigned seed = 7) {
  std::vector<Scalar> v(n);
  for (auto& value : v) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<Scalar>(static_cast<double>(seed) / 2147483648.0 - 1);
  }
  return v;
}

template <class Scalar>
HostMatrix<Scalar> scaled(HostMatrix<Scalar> A, double factor) {
  for (auto& value : A.values)
    value = static_cast<Scalar>(factor * value);
  return A;
}

/// What a report must say whatever has happened.
template <class Scalar>
void expect_consistent(const Answer<Scalar>& answer, const PersistentLimits& limits) {
  const auto& report = answer.report;
  EXPECT_NE(report.end, PersistentEnd::none);
  EXPECT_NE(report.end, PersistentEnd::lost);
  EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations) + 1);
  EXPECT_LE(report.iterations, std::max(0, limits.max_iterations));
  if (report.end == PersistentEnd::converged) {
    EXPECT_LE(report.residual_norm, limits.tolerance * report.reference_norm * (1 + 1e-12));
  }
}

/// The true residual is what the report says, and small enough where it has converged.
template <class Scalar>
void expect_true_residual(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                          const Answer<Scalar>& answer, double norm_of_b) {
  const double actual = residual_norms(A, b, answer.x, 1)[0];
  const double rounding = sizeof(Scalar) == 8 ? 1e-13 : 1e-5;
  EXPECT_NEAR(actual, answer.report.residual_norm, rounding * norm_of_b);
}

template <class Scalar>
double norm_of(const std::vector<Scalar>& v) {
  double sum = 0;
  for (const Scalar value : v)
    sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

template <class Param>
class PersistentSolveTest : public ::testing::Test {};
TYPED_TEST_SUITE(PersistentSolveTest, Matrices, TypeNames);

TYPED_TEST(PersistentSolveTest, FindsTheSolution) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  for (const std::int32_t n : {1, 2, 31, 33, 127, 301}) {
    const auto spd = random_spd_matrix<Scalar>(n, std::min(1.0, 5.0 / n), n);
    const auto general = nonsymmetric_matrix<Scalar>(n, n);
    const auto b = some_vector<Scalar>(n);
    const auto limits = reachable<Scalar>();
    for (const With with : {With::nothing, With::jacobi}) {
      for (const Method method : {Method::cg, Method::bicgstab}) {
        SCOPED_TRACE(std::to_string(n) + (method == Method::cg ? " cg" : " bicgstab"));
        const auto& A = method == Method::cg ? spd : general;
        const auto answer = persistent.solve(method, A, b, with, limits);
        expect_consistent(answer, limits);
        EXPECT_EQ(answer.report.end, PersistentEnd::converged);
        EXPECT_NEAR(answer.report.rhs_norm, norm_of(b), 1e-6 * norm_of(b));
        expect_true_residual(A, b, answer, norm_of(b));
        expect_near(answer.x, dense_solve(A, b), sizeof(Scalar) == 8 ? 1e-7 : 2e-3);
      }
    }
  }
}

TYPED_TEST(PersistentSolveTest, EveryShapeOfCrewSolvesALargerSystem) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  const auto limits = reachable<Scalar>();
  std::vector<PersistentTuning> tunings{{}, {.shares = 1}, {.shares = 5}, {.shares = 40}};
  if constexpr (!kernels::is_host_space<Space>) {
    tunings.push_back({.shares = 3, .lanes = 64, .lanes_per_row = 4});
    tunings.push_back({.shares = 90, .lanes = 512, .lanes_per_row = 32});
    tunings.push_back({.shares = 7, .lanes = 96, .stage = false});
    tunings.push_back({.shares = 1, .lanes = 512, .lanes_per_row = 2, .stage = false});
  }
  for (const auto& tuning : tunings) {
    for (const Method method : {Method::cg, Method::bicgstab}) {
      const auto answer = persistent.solve(method, A, b, With::jacobi, limits, {}, tuning);
      SCOPED_TRACE(std::to_string(answer.report.shape.shares) + " shares");
      expect_consistent(answer, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      expect_true_residual(A, b, answer, norm_of(b));
      EXPECT_LT(answer.report.iterations, method == Method::cg ? 250 : 200);
    }
  }
}

TYPED_TEST(PersistentSolveTest, AgreesWithTheOrdinarySolverIterationByIteration) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(20, 21);
  const auto N = nonsymmetric_matrix<Scalar>(400);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const auto& matrix = method == Method::cg ? A : N;
    const auto b = some_vector<Scalar>(matrix.num_rows);
    const SolverParameters parameters{
        .name = method == Method::cg ? SolverName::cg : SolverName::bicgstab,
        .tolerance = reachable_tolerance<Scalar>};
    const auto ordinary = solve<Space>(parameters, matrix, b, 1, With::jacobi);
    const auto answer = persistent.solve(method, matrix, b, With::jacobi, reachable<Scalar>());
    ASSERT_TRUE(ordinary.result.converged());
    ASSERT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_NEAR(answer.report.iterations, ordinary.result.iterations, 2);
    const auto& history = answer.report.history;
    for (std::size_t i = 0; i < std::min<std::size_t>(history.size(), 8); ++i)
      EXPECT_NEAR(history[i], ordinary.result.residual_history[i], 1e-3 * history[i]) << i;
  }
}

TYPED_TEST(PersistentSolveTest, SameBitsEachTime) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = random_spd_matrix<Scalar>(2500, 0.003);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const auto first = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
    for (int repeat = 0; repeat < 10; ++repeat) {
      const auto again = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
      ASSERT_EQ(again.x, first.x);
      ASSERT_EQ(again.report.history, first.report.history);
    }
  }
}

TYPED_TEST(PersistentSolveTest, TwoHundredSolvesOfDifferentSizes) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  for (int i = 0; i < 200; ++i) {
    const auto A = poisson<Scalar>(3 + i % 37, 1 + i % 41);
    const auto b = some_vector<Scalar>(A.num_rows, i);
    const Method method = i % 3 == 0 ? Method::bicgstab : Method::cg;
    const auto answer = persistent.solve(method, A, b, i % 2 == 0 ? With::jacobi : With::nothing,
                                         reachable<Scalar>(), {}, {.shares = i % 5});
    ASSERT_EQ(answer.report.end, PersistentEnd::converged) << i;
  }
}

TYPED_TEST(PersistentSolveTest, TrivialSystems) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto limits = reachable<Scalar>();
  for (const Method method : {Method::cg, Method::bicgstab}) {
    // Nothing at all.
    HostMatrix<Scalar> none;
    none.offsets = {0};
    auto answer = persistent.solve(method, none, {});
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.history, std::vector<double>{0});
    // b = 0 gives x = 0 whatever the guess.
    const auto A = poisson<Scalar>(9, 7);
    const std::vector<Scalar> zero(A.num_rows, Scalar(0));
    answer =
        persistent.solve(method, A, zero, With::jacobi, limits, some_vector<Scalar>(A.num_rows));
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.iterations, 0);
    EXPECT_EQ(answer.x, zero);
    // The guess is the solution: small integers, without rounding.
    std::vector<Scalar> exact(A.num_rows);
    for (std::size_t i = 0; i < exact.size(); ++i)
      exact[i] = static_cast<Scalar>(i % 5);
    const auto Ax = multiply(A, exact, 1);
    const std::vector<Scalar> b(Ax.begin(), Ax.end());
    answer = persistent.solve(method, A, b, With::nothing, limits, exact);
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_EQ(answer.report.iterations, 0);
    EXPECT_EQ(answer.x, exact);
    EXPECT_EQ(answer.report.history.size(), 1);
    // A diagonal is solved at the first step with its own inverse.
    const auto D = diagonal_matrix<Scalar>({1, 2, 4, 8, 16});
    answer = persistent.solve(method, D, {1, 1, 1, 1, 1}, With::jacobi, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    EXPECT_LE(answer.report.iterations, 2);
    // A full matrix.
    const auto full = random_spd_matrix<Scalar>(70, 1.0);
    const auto c = some_vector<Scalar>(70);
    answer = persistent.solve(method, full, c, With::jacobi, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    expect_true_residual(full, c, answer, norm_of(c));
  }
}

TYPED_TEST(PersistentSolveTest, Limits) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(40, 40);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    PersistentLimits limits = reachable<Scalar>();
    for (const int most : {0, 1, 2, 5}) {
      limits.max_iterations = most;
      const auto answer = persistent.solve(method, A, b, With::nothing, limits);
      expect_consistent(answer, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::max_iterations);
      EXPECT_EQ(answer.report.iterations, most);
      EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-6));
      expect_true_residual(A, b, answer, norm_of(b));
    }
    // Relative to the start.
    limits = reachable<Scalar>();
    limits.tolerance = 0.5;
    limits.relative_to_rhs = false;
    const auto from_guess =
        persistent.solve(method, A, b, With::nothing, limits, some_vector<Scalar>(A.num_rows, 99));
    EXPECT_EQ(from_guess.report.end, PersistentEnd::converged);
    EXPECT_NEAR(from_guess.report.history.front(), 1, 1e-12);
    EXPECT_NE(from_guess.report.reference_norm, from_guess.report.rhs_norm);
  }
}

TYPED_TEST(PersistentSolveTest, StagnatesWhereTheToleranceIsOutOfReach) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(30, 30);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    PersistentLimits limits;
    limits.tolerance = 1e-30;
    limits.max_iterations = 5000;
    const auto answer = persistent.solve(method, A, b, With::jacobi, limits);
    expect_consistent(answer, limits);
    EXPECT_TRUE(answer.report.end == PersistentEnd::stagnated ||
                answer.report.end == PersistentEnd::breakdown ||
                answer.report.end == PersistentEnd::max_iterations)
        << static_cast<int>(answer.report.end);
    // The best that the precision allows is there all the same.
    EXPECT_LT(answer.report.residual_norm, norm_of(b) * (sizeof(Scalar) == 8 ? 1e-12 : 1e-3));
    limits.max_iterations = 100000;
    EXPECT_EQ(persistent.solve(method, A, b, With::jacobi, limits, {}, {}, 0.05).report.end,
              answer.report.end);
  }
}

TYPED_TEST(PersistentSolveTest, StartsAgainWhereTheRecurrenceHasDrifted) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(30, 30);
  const auto b = some_vector<Scalar>(A.num_rows);
  // So large a guess that its rounding is more than the tolerance.
  auto guess = some_vector<Scalar>(A.num_rows, 5);
  for (auto& value : guess)
    value *= sizeof(Scalar) == 8 ? Scalar(1e8) : Scalar(1e4);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    PersistentLimits limits = reachable<Scalar>();
    limits.divergence_limit = 1e30;
    limits.verify = false;
    const auto once = persistent.solve(method, A, b, With::nothing, limits, guess);
    EXPECT_EQ(once.report.end, PersistentEnd::stagnated);
    EXPECT_GT(once.report.residual_norm, limits.tolerance * once.report.rhs_norm);
    limits.verify = true;
    const auto again = persistent.solve(method, A, b, With::nothing, limits, guess);
    expect_consistent(again, limits);
    EXPECT_EQ(again.report.end, PersistentEnd::converged);
    EXPECT_GT(again.report.iterations, once.report.iterations);
    expect_true_residual(A, b, again, norm_of(b));
  }
}

TYPED_TEST(PersistentSolveTest, LeavesNoWorseIterateThanTheGuess) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  // Nearly skew: residuals grow before they fall.
  const std::int32_t n = 60;
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = n;
  for (std::int32_t i = 0; i < n; ++i) {
    if (i > 0) A.push(i - 1, Scalar(-1));
    A.push(i, Scalar(0.05));
    if (i + 1 < n) A.push(i + 1, Scalar(1));
    A.end_row();
  }
  const auto b = some_vector<Scalar>(n);
  bool has_grown = false;
  for (const Method method : {Method::cg, Method::bicgstab}) {
    PersistentLimits limits = reachable<Scalar>();
    for (limits.max_iterations = 1; limits.max_iterations < 30; ++limits.max_iterations) {
      const auto answer = persistent.solve(method, A, b, With::nothing, limits);
      has_grown = has_grown || answer.report.history.back() > 1.5;
      EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-6));
      expect_true_residual(A, b, answer, norm_of(b));
    }
  }
  EXPECT_TRUE(has_grown);
}

TYPED_TEST(PersistentSolveTest, EndsInTime) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(300, 300);
  const auto b = some_vector<Scalar>(A.num_rows);
  PersistentLimits limits;
  limits.tolerance = 0;
  limits.verify = true;
  limits.max_iterations = 10000000;
  const auto answer = persistent.solve(Method::cg, A, b, With::nothing, limits, {}, {}, 1e-3);
  expect_consistent(answer, limits);
  EXPECT_EQ(answer.report.end, PersistentEnd::time_limit);
}

TYPED_TEST(PersistentSolveTest, SaysWhatIsWrongWithAMatrix) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto limits = reachable<Scalar>();
  const auto end_of = [&](Method method, const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                          With with = With::nothing) {
    const auto answer = persistent.solve(method, A, b, with, limits);
    expect_consistent(answer, limits);
    EXPECT_TRUE(all_finite(answer.x));
    return answer.report.end;
  };
  // Zero rows, whose equations read 0 = 1: nothing reaches them.
  auto zeros = poisson<Scalar>(5, 5);
  std::fill(zeros.values.begin(), zeros.values.end(), Scalar(0));
  const std::vector<Scalar> ones(25, Scalar(1));
  EXPECT_EQ(end_of(Method::cg, zeros, ones), PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::bicgstab, zeros, ones), PersistentEnd::breakdown);
  HostMatrix<Scalar> empty;
  empty.num_rows = empty.num_cols = 25;
  empty.offsets.assign(26, 0);
  EXPECT_EQ(end_of(Method::cg, empty, ones), PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::bicgstab, empty, ones), PersistentEnd::breakdown);
  // Indefinite: <p, A p> = 0 at once, and < 0.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, -1}), {1, 1}), PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::cg, scaled(poisson<Scalar>(5, 5), -1), ones), PersistentEnd::breakdown);
  // Jacobi with a negative diagonal, and with a zero one: then M r is 0 there.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({-1, -2, -3}), {1, 1, 1}, With::jacobi),
            PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({0, 0}), {1, 1}, With::jacobi),
            PersistentEnd::breakdown);
  // Singular, with b outside of the range.
  const auto singular = end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 1});
  EXPECT_TRUE(singular == PersistentEnd::breakdown || singular == PersistentEnd::stagnated ||
              singular == PersistentEnd::max_iterations || singular == PersistentEnd::diverged)
      << static_cast<int>(singular);
  // And within it.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 0}),
            PersistentEnd::converged);
}

TYPED_TEST(PersistentSolveTest, NamesNumbersThatAreNone) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  for (const Method method : {Method::cg, Method::bicgstab}) {
    for (const Scalar bad : {nan, infinity, -infinity}) {
      auto A = poisson<Scalar>(30, 30);
      auto b = some_vector<Scalar>(A.num_rows);
      b[450] = bad;
      EXPECT_EQ(persistent.solve(method, A, b).report.end, PersistentEnd::not_a_number);
      b[450] = 1;
      std::vector<Scalar> x0(A.num_rows, Scalar(0));
      x0[3] = bad;
      EXPECT_EQ(persistent.solve(method, A, b, With::nothing, {}, x0).report.end,
                PersistentEnd::not_a_number);
      A.values[A.values.size() / 2] = bad;
      const auto answer = persistent.solve(method, A, b, With::jacobi);
      EXPECT_EQ(answer.report.end, PersistentEnd::not_a_number);
      EXPECT_LT(answer.report.iterations, 2);
    }
  }
}

TYPED_TEST(PersistentSolveTest, LargeAndSmallNumbers) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const std::vector<double> sizes = sizeof(Scalar) == 8
                                        ? std::vector<double>{1e-150, 1e-30, 1e30, 1e150}
                                        : std::vector<double>{1e-12, 1e12};
  const auto P = poisson<Scalar>(25, 25);
  const auto unit = some_vector<Scalar>(P.num_rows);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    for (const With with : {With::nothing, With::jacobi}) {
      for (const double size_of_A : sizes) {
        for (const double size_of_b : sizes) {
          const auto A = scaled(P, size_of_A);
          auto b = unit;
          for (auto& value : b)
            value = static_cast<Scalar>(value * size_of_b);
          SCOPED_TRACE(std::to_string(std::log10(size_of_A)) + ", " +
                       std::to_string(std::log10(size_of_b)));
          const bool is_within = sizeof(Scalar) == 8 || size_of_b / size_of_A < 1e20;
          if (!is_within) continue;
          const auto answer = persistent.solve(method, A, b, with, reachable<Scalar>());
          EXPECT_EQ(answer.report.end, PersistentEnd::converged);
          EXPECT_NEAR(answer.report.rhs_norm / size_of_b, norm_of(unit), 1e-5 * norm_of(unit));
          EXPECT_LE(answer.report.residual_norm, answer.report.rhs_norm * 1e-5);
          EXPECT_TRUE(all_finite(answer.x));
        }
      }
    }
  }
}

TYPED_TEST(PersistentSolveTest, RowsOfVeryDifferentLengths) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  // An arrow: the first row and column are full.
  const std::int32_t n = 3000;
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = n;
  A.offsets = {0};
  for (std::int32_t i = 0; i < n; ++i) {
    if (i == 0) {
      for (std::int32_t j = 0; j < n; ++j) {
        A.columns.push_back(j);
        A.values.push_back(j == 0 ? Scalar(n) : Scalar(-0.5));
      }
    } else {
      A.columns.insert(A.columns.end(), {0, i});
      A.values.insert(A.values.end(), {Scalar(-0.5), Scalar(2)});
    }
    A.offsets.push_back(static_cast<std::int64_t>(A.columns.size()));
  }
  const auto b = some_vector<Scalar>(n);
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const auto answer = persistent.solve(method, A, b, With::jacobi, reachable<Scalar>());
    EXPECT_EQ(answer.report.end, PersistentEnd::converged);
    expect_true_residual(A, b, answer, norm_of(b));
  }
}

TYPED_TEST(PersistentSolveTest, RefusesWhatDoesNotFit) {
  TESSERA_TEST_TYPES(TypeParam);
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(4, 4);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(15, 1)), Error);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(16, 1), With::nothing, {},
                                std::vector<Scalar>(17, 0)),
               Error);
  EXPECT_THROW(persistent.solve(Method::cg, A, std::vector<Scalar>(16, 1), With::nothing, {}, {},
                                {.lanes_per_row = 3}),
               Error);
  auto wide = A;
  wide.num_cols = 17;
  EXPECT_THROW(persistent.solve(Method::bicgstab, wide, std::vector<Scalar>(16, 1)), Error);
}

}  // namespace
