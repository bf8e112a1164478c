// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The recurrences of Lanczos and Arnoldi for the spectral radius of D^-1 A, whatever vectors are
/// and wherever their inner products are summed.
#pragma once

#include "tessera/operator/ritz_values.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::amg {

/// What the steps of Lanczos need of the vectors u (the basis vector of the step) and w.
template <class Method>
concept LanczosVectors = requires(Method& method, int step) {
  method.start();  // u = the start vector, with its norm
  { method.goes_on(step) } -> std::convertible_to<bool>;  // false where no vector is left
  method.multiply(step);  // w = A u and u'w
  method.orthogonalise(step);  // u = D^-1 w less its part along the last two u, with its norm
  // Of the steps so far, up to where an invariant subspace was found.
  { method.matrix() } -> std::same_as<Tridiagonal>;
};

/// The modulus of the largest Ritz value of `steps` steps at most, plus half its residual. 0 where
/// there is no start vector; NaN where the matrix holds one.
template <LanczosVectors Method>
double radius_by_lanczos(Method&& method, int steps) {
  method.start();
  for (int step = 0; step < steps && method.goes_on(step); ++step) {
    method.multiply(step);
    method.orthogonalise(step);
  }
  const Tridiagonal matrix = method.matrix();
  if (matrix.diagonal.empty()) return 0;
  const auto finite = [](double entry) { return std::isfinite(entry); };
  if (!std::ranges::all_of(matrix.diagonal, finite) || !std::ranges::all_of(matrix.squares, finite))
    return std::numeric_limits<double>::quiet_NaN();
  const auto ritz = largest_ritz_value(matrix);
  return std::abs(ritz.value) + ritz.residual / 2;
}

/// The columns of Arnoldi's Hessenberg matrix, up to where an invariant subspace was found: what
/// would come after that is rounding error.
class HessenbergColumns {
 public:
  /// `epsilon`: that of the vectors' scalar.
  explicit HessenbergColumns(double epsilon) : m_tolerance(100 * epsilon) {}

  /// Takes the next column: its entries down to the diagonal, the one below, and that one's square.
  /// False where it is the last one.
  bool add(std::vector<double> entries, double below, double below_squared) {
    double square = below_squared;
    for (const double entry : entries)
      square += entry * entry;
    m_largest = std::max(m_largest, std::sqrt(square));
    entries.push_back(below);
    m_columns.push_back(std::move(entries));
    return below > m_tolerance * m_largest;
  }

  Hessenberg matrix() const {
    const auto size = static_cast<int>(m_columns.size());
    Hessenberg matrix{size, std::vector<double>(m_columns.size() * m_columns.size(), 0.0),
                      size > 0 ? m_columns.back().back() : 0.0};
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < std::min(j + 2, size); ++i)
        matrix(i, j) = m_columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    return matrix;
  }

 private:
  double m_tolerance;
  double m_largest = 0;  ///< norm of a column
  std::vector<std::vector<double>> m_columns;
};

/// What the steps of Arnoldi leave.
struct ArnoldiOutcome {
  double first_norm = 0;  ///< of the start vector, or its square
  Hessenberg matrix;  ///< by HessenbergColumns
};

/// What the steps of Arnoldi need of the basis V and the vector w that becomes its next column.
template <class Method>
concept ArnoldiVectors = requires(Method& method, int step) {
  method.start();  // w = the start vector, with its norm
  { method.goes_on(step) } -> std::convertible_to<bool>;  // false where no vector is left
  method.normalise(step);  // column `step` of V = w / ||w||
  method.multiply(step);  // w = the operator times that column
  method.orthogonalise(step);  // w less its parts along V, with its norm
  { method.outcome() } -> std::same_as<ArnoldiOutcome>;
};

/// The largest modulus of a Ritz value of `steps` steps at most, plus half its residual. 0 where
/// there is no start vector; NaN where the matrix holds one.
template <ArnoldiVectors Method>
double radius_by_arnoldi(Method&& method, int steps) {
  method.start();
  for (int step = 0; step < steps && method.goes_on(step); ++step) {
    method.normalise(step);
    method.multiply(step);
    method.orthogonalise(step);
  }
  const auto [first_norm, matrix] = method.outcome();
  if (first_norm == 0) return 0;
  const auto finite = [](double entry) { return std::isfinite(entry); };
  if (!finite(first_norm) || !finite(matrix.next) || !std::ranges::all_of(matrix.entries, finite))
    return std::numeric_limits<double>::quiet_NaN();
  const auto ritz = largest_ritz_modulus(matrix);
  return ritz.value + ritz.residual / 2;
}

}  // namespace tessera::amg
