// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How far from the exact result a kernel may end: one bound for the products of every format, for
/// inner products and for vector kernels, so that none of their tests has a tolerance of its own.
///
/// A sum of n products, added in any order in a scalar of unit roundoff u, differs from the exact
/// one by at most n u / (1 - n u) times the sum of their absolute values (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd edition, section 3.1). So a row is held to its own length
/// and its own entries, whatever the rest of the matrix is.
#pragma once

#include "support/host_matrix.hpp"

#include "tessera/kernels/precision/arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tessera::test {

/// An exact number, and by how much what a kernel computes may differ from it.
struct Bound {
  long double exact = 0;
  double error = 0;
};

/// For 1 / (1 - n u) and products of errors: n u is below 0.1 wherever this is used.
inline constexpr double higher_order = 1.1;

/// Whether each entry i of `actual` is as `bound_of(i)` says; a NaN is not.
template <class Scalar, class BoundOf>
::testing::AssertionResult is_within(const std::vector<Scalar>& actual, const BoundOf& bound_of) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const Bound bound = bound_of(i);
    const long double off = std::abs(static_cast<long double>(actual[i]) - bound.exact);
    if (!(off <= bound.error)) {
      return ::testing::AssertionFailure()
             << "place " << i << " is " << actual[i] << ", expected "
             << static_cast<double>(bound.exact) << ": they differ by " << static_cast<double>(off)
             << ", and rounding explains " << bound.error;
    }
  }
  return ::testing::AssertionSuccess();
}

/// A sum of products of a few factors, computed in `Scalar`: six operations, one upon another.
template <class Scalar>
Bound few_operations(std::initializer_list<long double> addends) {
  Bound bound;
  long double reach = 0;
  for (const long double addend : addends) {
    bound.exact += addend;
    reach += std::abs(addend);
  }
  bound.error = higher_order * 6 * unit_roundoff<Scalar> * static_cast<double>(reach);
  return bound;
}

/// The rows of A x for several columns of x, summed in `Sum`.
template <class Sum, class Working>
class RowSums {
 public:
  /// `A` holds the values that its storage stands for; `x` is num_cols by k, column after column.
  RowSums(const HostMatrix<double>& A, const std::vector<Working>& x, int k) {
    for (int column = 0; column < k; ++column) {
      const std::size_t first = static_cast<std::size_t>(column) * A.num_cols;
      for (std::int32_t i = 0; i < A.num_rows; ++i)
        m_rows.push_back(row_of(A, i, x.data() + first));
    }
  }

  std::size_t size() const { return m_rows.size(); }
  /// Of place `i` of A x, without a rounding.
  long double exact(std::size_t i) const { return m_rows[i].sum; }

  /// What `factor` times place `i` of A x plus a few addends comes to: the sum and the update are
  /// computed in `Sum` or in `Working`, and the result is rounded to `Working`.
  Bound update(std::size_t i, long double factor,
               std::initializer_list<long double> addends = {}) const {
    const Row& row = m_rows[i];
    const auto reach = static_cast<double>(std::abs(factor) * row.magnitude);
    Bound bound = few_operations<Working>(addends);
    bound.exact += factor * row.sum;
    bound.error +=
        higher_order * reach * ((row.terms + 2) * unit_roundoff<Sum> + 6 * unit_roundoff<Working>);
    return bound;
  }

 private:
  struct Row {
    long double sum = 0;
    long double magnitude = 0;  ///< |A| |x|
    double terms = 0;
  };

  static Row row_of(const HostMatrix<double>& A, std::int32_t i, const Working* x) {
    Row row;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const long double term = static_cast<long double>(A.values[e]) * x[A.columns[e]];
      row.sum += term;
      row.magnitude += std::abs(term);
    }
    row.terms = static_cast<double>(A.offsets[i + 1] - A.offsets[i]);
    return row;
  }

  std::vector<Row> m_rows;
};

/// The most additions in double of a sum over `n` entries that lie one upon another: those of a
/// chunk of a column, and then those of up to 1024 chunks (kernels/vector/chunk_map.hpp).
inline double longest_chain(std::size_t n) {
  const double chunk = 1024 * std::ceil(static_cast<double>(n) / (1024 * 1024));
  return std::min(static_cast<double>(n), chunk + 1024);
}

/// The inner product of columns `j` of `u` and `v`, each of `k` columns, left in `Result`. Where
/// that is narrower than double, a host rounds to it once, and a device carries sums in it: trees
/// over threads of up to n / 1024 entries each.
template <class Result, class Scalar>
Bound dot_bound(const std::vector<Scalar>& u, const std::vector<Scalar>& v, std::size_t k,
                std::size_t j) {
  const std::size_t n = u.size() / k;
  Bound bound;
  long double reach = 0;
  for (std::size_t i = j * n; i < (j + 1) * n; ++i) {
    const long double term = static_cast<long double>(u[i]) * v[i];
    bound.exact += term;
    reach += std::abs(term);
  }
  double roundings = (longest_chain(n) + 2) * unit_roundoff<double>;
  if (!std::is_same_v<Result, double>) {
    const double tree = std::min(static_cast<double>(n), 64.0 + static_cast<double>(n) / 1024);
    roundings += (tree + 2) * unit_roundoff<Result>;
  }
  bound.error = higher_order * roundings * static_cast<double>(reach);
  return bound;
}

}  // namespace tessera::test
