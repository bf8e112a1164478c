// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A CSR matrix in std::vectors: what tests build and what references compute on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::test {

template <class Scalar>
struct HostMatrix {
  std::int32_t num_rows = 0;
  std::int32_t num_cols = 0;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<Scalar> values;

  std::size_t num_entries() const { return columns.size(); }

  void push(std::int32_t column, Scalar value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(columns.size())); }

  friend bool operator==(const HostMatrix&, const HostMatrix&) = default;
};

/// Calls `visit(i, j, value)` for each entry, row after row.
template <class Matrix, class Visit>
void for_each_entry(Matrix& A, const Visit& visit) {
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      visit(i, A.columns[e], A.values[e]);
  }
}

/// Row after row: `fill(A, i)` pushes the entries of row i.
template <class Scalar, class Fill>
HostMatrix<Scalar> by_rows(std::int32_t num_rows, std::int32_t num_cols, const Fill& fill) {
  HostMatrix<Scalar> A;
  A.num_rows = num_rows;
  A.num_cols = num_cols;
  for (std::int32_t i = 0; i < num_rows; ++i) {
    fill(A, i);
    A.end_row();
  }
  return A;
}

/// The same matrix in another scalar.
template <class To, class From>
HostMatrix<To> converted(const HostMatrix<From>& A) {
  return {A.num_rows, A.num_cols, A.offsets, A.columns, {A.values.begin(), A.values.end()}};
}

/// Rows as lists of (column, value).
template <class Scalar>
HostMatrix<Scalar> from_rows(
    std::int32_t num_cols, const std::vector<std::vector<std::pair<std::int32_t, Scalar>>>& rows) {
  HostMatrix<Scalar> A;
  A.num_rows = static_cast<std::int32_t>(rows.size());
  A.num_cols = num_cols;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row)
      A.push(column, value);
    A.end_row();
  }
  return A;
}

/// The diagonal and the rows and columns that `is_long` tells, full: `value(i, j)` at each place.
template <class Scalar, class IsLong, class Value>
HostMatrix<Scalar> with_long_rows(std::int32_t n, const IsLong& is_long, const Value& value) {
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    for (std::int32_t j = 0; j < n; ++j) {
      if (i == j || is_long(i) || is_long(j)) A.push(j, static_cast<Scalar>(value(i, j)));
    }
  });
}

/// Square, without an entry.
template <class Scalar>
HostMatrix<Scalar> without_entries(std::int32_t n) {
  return by_rows<Scalar>(n, n, [](auto&, std::int32_t) {});
}

/// The identity.
template <class Scalar>
HostMatrix<Scalar> identity(std::int32_t n) {
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) { A.push(i, Scalar(1)); });
}

/// The 3-, 5- or 7-point Laplacian (2 d on the diagonal, -1 off it) with Dirichlet boundary, on
/// nx by ny by nz points, x fastest; a dimension of one point does not count. Rows are sorted.
template <class Scalar>
HostMatrix<Scalar> poisson(std::int32_t nx, std::int32_t ny = 1, std::int32_t nz = 1) {
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = nx * ny * nz;
  const int dimensions = (nx > 1) + (ny > 1) + (nz > 1);
  for (std::int32_t z = 0; z < nz; ++z) {
    for (std::int32_t y = 0; y < ny; ++y) {
      for (std::int32_t x = 0; x < nx; ++x) {
        const std::int32_t row = x + nx * (y + ny * z);
        if (z > 0) A.push(row - nx * ny, Scalar(-1));
        if (y > 0) A.push(row - nx, Scalar(-1));
        if (x > 0) A.push(row - 1, Scalar(-1));
        A.push(row, Scalar(2 * (dimensions > 0 ? dimensions : 1)));
        if (x + 1 < nx) A.push(row + 1, Scalar(-1));
        if (y + 1 < ny) A.push(row + nx, Scalar(-1));
        if (z + 1 < nz) A.push(row + nx * ny, Scalar(-1));
        A.end_row();
      }
    }
  }
  return A;
}

}  // namespace tessera::test
