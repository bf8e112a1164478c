// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch, and what holds of each.
#pragma once
#include "solver/solver_fixture.hpp"

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <cmath>

namespace tessera::test {

using kernels::PersistentEnd;
using kernels::PersistentLimits;
using kernels::PersistentReport;
using kernels::PersistentTuning;

enum class Method { cg, bicgstab };

/// Either method of the same arguments, on rows or on tiles: the workspace's namespace has both.
template <class... Arguments>
auto persistent_solve(Method method, Arguments&&... arguments) {
  return method == Method::cg ? persistent_cg(arguments...) : persistent_bicgstab(arguments...);
}

template <class Scalar>
struct Answer {
  PersistentReport report;
  std::vector<Scalar> x;
};

inline constexpr Method both_methods[] = {Method::cg, Method::bicgstab};
inline std::string name_of(Method method) { return method == Method::cg ? " cg" : " bicgstab"; }

/// Groups of several shapes, more of them on a device.
template <class Space>
std::vector<PersistentTuning> shapes_of_groups(int lanes = 512) {
  std::vector<PersistentTuning> tunings{{}, {.shares = 1}, {.shares = 5}, {.shares = 40}};
  if constexpr (!kernels::is_host_space<Space>) {
    tunings.push_back({.shares = 3, .lanes = 64, .lanes_per_row = 4});
    tunings.push_back({.shares = 90, .lanes = lanes, .lanes_per_row = 32});
    tunings.push_back({.shares = 7, .lanes = 96, .stage = false});
    tunings.push_back({.shares = 1, .lanes = lanes, .lanes_per_row = 2, .stage = false});
  }
  return tunings;
}

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
    answer.report = persistent_solve(method, m_exec, m_workspace, view, d, rhs, x, limits,
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
  PersistentLimits limits{.tolerance = factor * reachable_tolerance<Scalar>};
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

template <class Scalar>
double norm_of(const std::vector<Scalar>& v) {
  double sum = 0;
  for (const Scalar value : v)
    sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

/// What a report must say whatever has happened.
template <class Scalar>
void expect_consistent(const Answer<Scalar>& answer, const PersistentLimits& limits) {
  const auto& report = answer.report;
  EXPECT_NE(report.end, PersistentEnd::none);
  EXPECT_NE(report.end, PersistentEnd::barrier_timeout);
  EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations) + 1);
  EXPECT_LE(report.iterations, std::max(0, limits.max_iterations));
  if (report.end == PersistentEnd::converged) {
    EXPECT_LE(report.residual_norm, limits.tolerance * report.reference_norm * (1 + 1e-12));
  }
}

/// The true residual is what the report says, and small enough where it has converged.
template <class Scalar>
void expect_true_residual(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                          const Answer<Scalar>& answer) {
  const double actual = residual_norms(A, b, answer.x, 1)[0];
  const double rounding = sizeof(Scalar) == 8 ? 1e-13 : 1e-5;
  EXPECT_NEAR(actual, answer.report.residual_norm, rounding * norm_of(b));
}

/// It has converged, and its report is right.
template <class Scalar>
void expect_converged(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                      const Answer<Scalar>& answer,
                      const PersistentLimits& limits = reachable<Scalar>()) {
  expect_consistent(answer, limits);
  EXPECT_EQ(answer.report.end, PersistentEnd::converged);
  expect_true_residual(A, b, answer);
}

/// The same bits, iteration after iteration.
template <class Answer>
void expect_same_answer(const Answer& answer, const Answer& expected) {
  EXPECT_EQ(answer.x, expected.x);
  EXPECT_EQ(answer.report.history, expected.report.history);
}

/// `solve(A, b, x0)`, x0 empty for zero, says that numbers are none, of b, x0 and A, and when.
template <class Scalar, class Solve>
void expect_named(const Solve& solve, Scalar bad) {
  auto A = poisson<Scalar>(30, 30);
  auto b = some_vector<Scalar>(A.num_rows);
  b[450] = bad;
  EXPECT_EQ(solve(A, b, {}).end, PersistentEnd::not_a_number);
  b[450] = 1;
  std::vector<Scalar> x0(A.num_rows, Scalar(0));
  x0[3] = bad;
  EXPECT_EQ(solve(A, b, x0).end, PersistentEnd::not_a_number);
  A.values[A.values.size() / 2] = bad;
  const PersistentReport report = solve(A, b, {});
  EXPECT_EQ(report.end, PersistentEnd::not_a_number);
  EXPECT_LT(report.iterations, 2);
}

/// `solve(A, b)` converges for A and b of any sizes that a scalar has.
template <class Scalar, class Solve>
void expect_any_sizes(const Solve& solve, const std::vector<double>& sizes_of_A,
                      const std::vector<double>& sizes_of_b) {
  const auto P = poisson<Scalar>(25, 25);
  const auto unit = some_vector<Scalar>(P.num_rows);
  for (const double size_of_A : sizes_of_A) {
    for (const double size_of_b : sizes_of_b) {
      if (sizeof(Scalar) == 4 && size_of_b / size_of_A > 1e20) continue;
      SCOPED_TRACE(std::to_string(std::log10(size_of_A)) + ", " +
                   std::to_string(std::log10(size_of_b)));
      auto b = unit;
      for (auto& value : b)
        value = static_cast<Scalar>(value * size_of_b);
      const Answer<Scalar> answer = solve(scaled(P, size_of_A), b);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      EXPECT_NEAR(answer.report.rhs_norm / size_of_b, norm_of(unit), 1e-5 * norm_of(unit));
      EXPECT_LE(answer.report.residual_norm, answer.report.rhs_norm * 1e-5);
      EXPECT_TRUE(all_finite(answer.x));
    }
  }
}

}  // namespace tessera::test
