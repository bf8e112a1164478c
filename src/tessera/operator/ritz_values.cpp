// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/ritz_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

/// The largest eigenvalue, by Sturm sequences: the pivots of T - x I are all negative just where
/// every eigenvalue is below x.
double largest_eigenvalue(const Tridiagonal& matrix) {
  const std::size_t k = matrix.diagonal.size();
  double low = -std::numeric_limits<double>::infinity();
  double high = low;
  for (std::size_t i = 0; i < k; ++i) {
    const double before = i > 0 ? std::sqrt(matrix.squares[i - 1]) : 0;
    const double after = i + 1 < k ? std::sqrt(matrix.squares[i]) : 0;
    low = std::max(low, matrix.diagonal[i]);
    high = std::max(high, matrix.diagonal[i] + before + after);
  }
  const auto all_below = [&](double x) {
    double pivot = matrix.diagonal[0] - x;
    for (std::size_t i = 1; i < k && pivot < 0; ++i) {
      pivot = matrix.diagonal[i] - x - matrix.squares[i - 1] / pivot;
    }
    return pivot < 0;
  };
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = low + (high - low) / 2;
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

/// |last component| of the eigenvector of `value`, by the three-term recurrence, times the entry
/// that would come next: the residual's norm.
double ritz_residual(const Tridiagonal& matrix, double value) {
  const std::size_t k = matrix.diagonal.size();
  double previous = 0;
  double current = 1;
  double norm_squared = 1;
  for (std::size_t i = 0; i + 1 < k; ++i) {
    const double before = i > 0 ? std::sqrt(matrix.squares[i - 1]) : 0;
    const double next =
        ((value - matrix.diagonal[i]) * current - before * previous) / std::sqrt(matrix.squares[i]);
    previous = current;
    current = next;
    norm_squared += next * next;
  }
  return std::sqrt(matrix.squares[k - 1] / norm_squared) * std::abs(current);
}

}  // namespace

RitzValue largest_ritz_value(const Tridiagonal& matrix) {
  Tridiagonal negated = matrix;
  for (double& entry : negated.diagonal)
    entry = -entry;
  const double top = largest_eigenvalue(matrix);
  const double bottom = largest_eigenvalue(negated);
  if (top >= bottom) return {top, ritz_residual(matrix, top)};
  return {-bottom, ritz_residual(negated, bottom)};
}

}  // namespace tessera

extern "C" {
void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*, double*,
            const int*, double*, const int*, double*, const int*, int*);
}

namespace tessera {

RitzValue largest_ritz_modulus(const Hessenberg& matrix) {
  const int n = matrix.size;
  Hessenberg a = matrix;
  Hessenberg vectors{n, std::vector<double>(a.entries.size())};
  std::vector<double> real(n);
  std::vector<double> imaginary(n);
  const int no_vectors = 1;
  const int lwork = 4 * n;  // the least that dgeev takes: blocking is for larger matrices
  std::vector<double> work(lwork);
  int info = 0;
  dgeev_("N", "V", &n, a.entries.data(), &n, real.data(), imaginary.data(), nullptr, &no_vectors,
         vectors.entries.data(), &n, work.data(), &lwork, &info);
  if (info != 0) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  int largest = 0;
  for (int j = 1; j < n; ++j) {
    const double modulus = std::hypot(real[j], imaginary[j]);
    if (modulus > std::hypot(real[largest], imaginary[largest])) largest = j;
  }
  // The vector of a complex pair is column `largest` plus i times the next one: of the two
  // eigenvalues, equal in modulus, the first was taken.
  double last = std::abs(vectors(n - 1, largest));
  if (imaginary[largest] != 0) last = std::hypot(last, vectors(n - 1, largest + 1));
  return {std::hypot(real[largest], imaginary[largest]), matrix.next * last};
}

}  // namespace tessera
