// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Plain references on the host: dense, and in long double, so that they are right by inspection.
#pragma once

#include "support/host_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::test {

/// A dense matrix in long double, row after row.
struct Dense {
  std::int32_t num_rows = 0;
  std::int32_t num_cols = 0;
  std::vector<long double> values;

  Dense(std::int32_t rows, std::int32_t cols)
      : num_rows(rows), num_cols(cols), values(static_cast<std::size_t>(rows) * cols, 0.0L) {}
  long double& operator()(std::int32_t i, std::int32_t j) {
    return values[static_cast<std::size_t>(i) * num_cols + j];
  }
  long double operator()(std::int32_t i, std::int32_t j) const {
    return values[static_cast<std::size_t>(i) * num_cols + j];
  }
};

/// Duplicates are added.
template <class Scalar>
Dense to_dense(const HostMatrix<Scalar>& A) {
  Dense D(A.num_rows, A.num_cols);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) { D(i, j) += value; });
  return D;
}

inline Dense transpose(const Dense& A) {
  Dense T(A.num_cols, A.num_rows);
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    for (std::int32_t j = 0; j < A.num_cols; ++j)
      T(j, i) = A(i, j);
  }
  return T;
}

inline Dense multiply(const Dense& A, const Dense& B) {
  Dense C(A.num_rows, B.num_cols);
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    for (std::int32_t l = 0; l < A.num_cols; ++l) {
      const long double a = A(i, l);
      if (a == 0) continue;
      for (std::int32_t j = 0; j < B.num_cols; ++j)
        C(i, j) += a * B(l, j);
    }
  }
  return C;
}

/// A times the `k` columns of `x` (num_cols by k, column after column).
template <class Scalar>
std::vector<long double> multiply(const HostMatrix<Scalar>& A, const std::vector<Scalar>& x,
                                  int k = 1) {
  std::vector<long double> y(static_cast<std::size_t>(A.num_rows) * k, 0.0L);
  for (int c = 0; c < k; ++c) {
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
      y[i + static_cast<std::size_t>(c) * A.num_rows] +=
          static_cast<long double>(value) * x[j + static_cast<std::size_t>(c) * A.num_cols];
    });
  }
  return y;
}

/// A times ones, rounded.
template <class Scalar>
std::vector<Scalar> times_ones(const HostMatrix<Scalar>& A) {
  const auto product = multiply(A, std::vector<Scalar>(A.num_cols, Scalar(1)));
  return {product.begin(), product.end()};
}

/// The same, rows sorted by column, duplicates in their order.
template <class Scalar>
HostMatrix<Scalar> sorted(const HostMatrix<Scalar>& A) {
  return by_rows<Scalar>(A.num_rows, A.num_cols, [&](auto& S, std::int32_t i) {
    std::vector<std::pair<std::int32_t, Scalar>> row;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      row.emplace_back(A.columns[e], A.values[e]);
    }
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row)
      S.push(column, value);
  });
}

/// The transpose, rows sorted, duplicates in A's order.
template <class Scalar>
HostMatrix<Scalar> transpose(const HostMatrix<Scalar>& A) {
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(A.num_cols);
  for_each_entry(
      A, [&](std::int32_t i, std::int32_t j, auto value) { rows[j].emplace_back(i, value); });
  return from_rows(A.num_rows, rows);
}

/// The solution of A x = b by Gaussian elimination with partial pivoting; A square, not singular.
inline std::vector<long double> solve(Dense A, std::vector<long double> b) {
  const std::int32_t n = A.num_rows;
  for (std::int32_t k = 0; k < n; ++k) {
    std::int32_t pivot = k;
    for (std::int32_t i = k + 1; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    for (std::int32_t j = 0; j < n; ++j)
      std::swap(A(k, j), A(pivot, j));
    std::swap(b[k], b[pivot]);
    for (std::int32_t i = k + 1; i < n; ++i) {
      const long double factor = A(i, k) / A(k, k);
      for (std::int32_t j = k; j < n; ++j)
        A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::int32_t i = n - 1; i >= 0; --i) {
    for (std::int32_t j = i + 1; j < n; ++j)
      b[i] -= A(i, j) * b[j];
    b[i] /= A(i, i);
  }
  return b;
}

/// A tolerance of `factor` roundings of `Scalar`.
template <class Scalar>
constexpr double roundings(double factor) {
  return factor * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

}  // namespace tessera::test
