// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/solves/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tessera::fuzz {

namespace {

using Real = long double;
using Vector = std::span<const double>;

constexpr Real slack = 1e-9L;  // of norms, which are sums of squares in double

bool all_finite(Vector v) {
  return std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); });
}

Real norm_of(std::span<const Real> v) {
  Real sum = 0;
  for (const Real value : v)
    sum += value * value;
  return std::sqrt(sum);
}

Real norm_of(Vector v) {
  const std::vector<Real> wide(v.begin(), v.end());
  return norm_of(std::span<const Real>(wide));
}

double largest_of(Vector v) {
  double largest = 0;
  for (const double value : v)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// b - A x, and how far from it a solve in a scalar may be.
struct Residual {
  std::vector<Real> values;
  Real norm = 0;
  Real allowance = 0;
  Real of_denormals = 0;  ///< what of it may come of rounding x itself to denormal numbers
  bool may_overflow = false;  ///< in that scalar
};

template <class Scalar>
Residual residual_in(const test::HostMatrix<double>& A, Vector b, Vector x) {
  using Limits = std::numeric_limits<Scalar>;
  const Real largest_b = largest_of(b);
  // A solve takes a power of two out of b and x, so that b is about 1.
  const Real up = std::max(largest_b, Real(1));
  const Real most = Limits::max() / Real(8) * (largest_b > 0 ? std::min(largest_b, Real(1)) : 1);
  Residual result;
  std::vector<Real> errors, of_denormals;
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    Real sum = b[i], reach = std::abs(sum), row = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const Real product = static_cast<Real>(A.values[e]) * x[A.columns[e]];
      sum -= product;
      reach += std::abs(product);
      row += std::abs(static_cast<Real>(A.values[e]));
    }
    const auto length = static_cast<Real>(A.offsets[i + 1] - A.offsets[i]);
    result.values.push_back(sum);
    errors.push_back((length + 2) * (Limits::epsilon() / Real(2)) * 1.1L * reach +
                     (length + 1) * Limits::denorm_min() * up);
    of_denormals.push_back(row * Limits::denorm_min());
    result.may_overflow = result.may_overflow || !(reach < most);
  }
  result.norm = norm_of(std::span<const Real>(result.values));
  result.allowance = norm_of(std::span<const Real>(errors));
  result.of_denormals = norm_of(std::span<const Real>(of_denormals));
  return result;
}

/// One right-hand side.
class ColumnVerdict {
 public:
  ColumnVerdict(const Case& drawn, const test::HostMatrix<double>& A,
                const SolverParameters& parameters, const std::vector<double>& x, int j)
      : m_A(A),
        m_parameters(parameters),
        m_column(j),
        m_b(column(drawn.b)),
        m_x0(column(drawn.x0)),
        m_x(column(x)) {
    const auto residual = drawn.in_float ? residual_in<float> : residual_in<double>;
    m_end = residual(A, m_b, m_x);
    m_start = residual(A, m_b, m_x0);
    m_rhs_norm = norm_of(m_b);
    m_epsilon = drawn.in_float ? std::numeric_limits<float>::epsilon()
                               : std::numeric_limits<double>::epsilon();
  }

  std::vector<std::string> faults(const ColumnResult& result) {
    m_result = result;
    const bool is_finite = all_finite(m_b) && all_finite(m_A.values);
    if (!is_finite) {
      if (result.status != SolveStatus::not_a_number) add("although a number is not finite");
      return m_faults;
    }
    if (is_solved(result.status)) {
      check_solved();
    } else {
      check_failed();
    }
    if (m_result.status != SolveStatus::not_a_number) check_reported();
    if (result.by_absolute_tolerance) check_by_absolute();
    const bool is_zero = largest_of(m_b) == 0;
    if (is_zero && all_finite(m_x0) && (largest_of(m_x) > 0 || !is_solved(result.status)))
      add(fmt::format("b is zero, and |x| up to {:.3e}", largest_of(m_x)));
    return m_faults;
  }

 private:
  Vector column(const std::vector<double>& v) const {
    const auto n = static_cast<std::size_t>(m_A.num_rows);
    return Vector(v).subspan(n * m_column, n);
  }

  void add(const std::string& what) {
    m_faults.push_back(
        fmt::format("column {} is {}: {}", m_column, to_string(m_result.status), what));
  }

  /// What the residual may be, by the documented norm.
  Real limit() const {
    Real reference = m_rhs_norm;
    // A guess whose residual has nothing of b's digits is taken for 0.
    if (m_parameters.reference == StoppingReference::initial_residual &&
        m_start.norm * m_epsilon <= 2 * m_rhs_norm)
      reference = m_start.norm + m_start.allowance;
    return std::max(m_parameters.tolerance * reference, Real(m_parameters.absolute_tolerance));
  }

  void check_solved() {
    if (!all_finite(m_x)) {
      add("x is not finite");
    } else if (m_result.status == SolveStatus::least_squares) {
      check_least_squares();
    } else if (!(m_end.norm <= limit() * (1 + slack) + m_end.allowance)) {
      add(fmt::format("its residual is {:.6e}, which is above {:.6e}, and rounding explains {:.3e}",
                      static_cast<double>(m_end.norm), static_cast<double>(limit()),
                      static_cast<double>(m_end.allowance)));
    }
  }

  /// What no x reduces is in the nullspace of the symmetric A, so that A takes the residual to that
  /// of the rest.
  void check_least_squares() {
    constexpr Real of_nullspace = 1000;  // units of roundoff that A may leave of such a vector
    std::vector<Real> image;
    Real size = 0;
    for (std::int32_t i = 0; i < m_A.num_rows; ++i) {
      Real sum = 0;
      for (auto e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e) {
        const Real value = m_A.values[e];
        sum += value * m_end.values[m_A.columns[e]];
        size += value * value;
      }
      image.push_back(sum);
    }
    const Real rest =
        limit() * (1 + slack) + m_end.allowance + of_nullspace * m_epsilon * m_end.norm;
    const Real norm = norm_of(std::span<const Real>(image));
    if (!(norm <= std::sqrt(size) * rest))
      add(fmt::format("A times its residual is {:.3e}, expected at most {:.3e}",
                      static_cast<double>(norm), static_cast<double>(std::sqrt(size) * rest)));
  }

  void check_failed() {
    if (m_end.may_overflow) return;
    // Where the guess was at that border it may have been taken for 0 as well.
    const bool guess_may_be_dropped = m_start.norm * m_epsilon >= m_rhs_norm / 2;
    const Real least = guess_may_be_dropped ? std::max(m_parameters.tolerance * m_rhs_norm,
                                                       Real(m_parameters.absolute_tolerance))
                                            : limit();
    // A residual does not see what x is where A has no entries in a column.
    const bool is_known = m_result.status != SolveStatus::not_a_number || all_finite(m_x);
    if (is_known && m_end.norm + m_end.allowance < least * (1 - slack))
      add(fmt::format("its residual {:.6e} meets {:.6e}", static_cast<double>(m_end.norm),
                      static_cast<double>(least)));
    // The best iterate, as far as the scalar has numbers for it (tessera/solver/krylov_solver.hpp).
    const Real most =
        m_start.norm * (1 + slack) + m_start.allowance + m_end.allowance + m_end.of_denormals;
    if (all_finite(m_x0) && !(m_end.norm <= most))
      add(fmt::format("its residual {:.6e} is above that of its guess, {:.6e}",
                      static_cast<double>(m_end.norm), static_cast<double>(m_start.norm)));
  }

  void check_by_absolute() {
    if (!is_solved(m_result.status)) add("by the absolute tolerance, although it is not solved");
    if (m_parameters.absolute_tolerance == 0) add("by an absolute tolerance of 0");
    const Real relative = m_parameters.tolerance * m_rhs_norm;
    if (m_parameters.reference == StoppingReference::rhs && m_end.norm + m_end.allowance < relative)
      add(fmt::format("by the absolute tolerance, although its residual {:.6e} meets {:.6e}",
                      static_cast<double>(m_end.norm), static_cast<double>(relative)));
  }

  void check_reported() {
    if (m_end.may_overflow) return;
    const Real scale = m_rhs_norm > 0 ? m_rhs_norm : 1;
    const Real off = std::abs(m_result.true_relative_residual * scale - m_end.norm);
    if (!(off <= 2 * m_end.allowance + slack * m_end.norm))
      add(fmt::format("it reports the relative residual {:.6e}, which is {:.6e}",
                      m_result.true_relative_residual, static_cast<double>(m_end.norm / scale)));
  }

  const test::HostMatrix<double>& m_A;
  const SolverParameters& m_parameters;
  std::size_t m_column;
  Vector m_b, m_x0, m_x;
  Residual m_end, m_start;
  Real m_rhs_norm = 0;
  Real m_epsilon = 0;
  ColumnResult m_result;
  std::vector<std::string> m_faults;
};

}  // namespace

std::vector<std::string> faults_of(const Case& drawn, const test::HostMatrix<double>& A,
                                   const SolverParameters& parameters, const SolveResult& result,
                                   const std::vector<double>& x) {
  std::vector<std::string> faults;
  const auto expect = [&](bool holds, const std::string& otherwise) {
    if (!holds) faults.push_back(otherwise);
  };
  expect(result.iterations <= parameters.max_iterations,
         fmt::format("{} iterations, of {} at most", result.iterations, parameters.max_iterations));
  expect(result.residual_history.size() == static_cast<std::size_t>(result.iterations) + 1,
         fmt::format("a history of {} after {} iterations", result.residual_history.size(),
                     result.iterations));
  expect(static_cast<int>(result.columns.size()) == drawn.num_columns,
         fmt::format("{} columns of {}", result.columns.size(), drawn.num_columns));
  SolveStatus worst = SolveStatus::converged;
  for (std::size_t j = 0; j < result.columns.size(); ++j) {
    const ColumnResult& column = result.columns[j];
    worst = std::max(worst, column.status);
    expect(
        column.iterations <= result.iterations,
        fmt::format("column {} has {} iterations of {}", j, column.iterations, result.iterations));
    ColumnVerdict verdict(drawn, A, parameters, x, static_cast<int>(j));
    const auto found = verdict.faults(column);
    faults.insert(faults.end(), found.begin(), found.end());
  }
  expect(result.status == worst, fmt::format("{}, and the worst of its columns is {}",
                                             to_string(result.status), to_string(worst)));
  expect(worst != SolveStatus::interrupted, "interrupted, and nobody has done that");
  expect(
      worst != SolveStatus::max_iterations || result.iterations == parameters.max_iterations,
      fmt::format("max_iterations after {} of {}", result.iterations, parameters.max_iterations));
  expect(worst != SolveStatus::time_limit || parameters.time_limit_s > 0,
         "time_limit, and there is none");
  return faults;
}

}  // namespace tessera::fuzz
