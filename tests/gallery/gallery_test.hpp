// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the gallery's tests share: generation by name, and properties of matrices on the host.
#pragma once

#include "support/device.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"

namespace tessera::test {

template <class Param>
Problem<typename Param::Scalar, typename Param::Space, typename Param::Offset> generate(
    const GalleryParameters& parameters) {
  using Space = typename Param::Space;
  const Space exec;
  auto problem =
      make_problem<typename Param::Scalar, Space, typename Param::Offset>(exec, parameters);
  exec.fence("tessera::test: generated");
  return problem;
}

/// Its matrix on the host.
template <class Param>
HostMatrix<typename Param::Scalar> matrix_of(const GalleryParameters& parameters) {
  return to_host(generate<Param>(parameters).A);
}

/// Entry by entry.
inline void expect_near(const Dense& A, const Dense& expected, double tolerance) {
  ASSERT_EQ(A.num_rows, expected.num_rows);
  for (std::size_t i = 0; i < A.values.size(); ++i)
    ASSERT_NEAR(static_cast<double>(A.values[i]), static_cast<double>(expected.values[i]),
                tolerance);
}

/// Whether vertex `v` of a jittered mesh of n interior vertices a side is the boundary's neighbour.
/// The jitter is less than half an edge, so that rounding finds a vertex's point of the grid.
template <class Scalar>
bool is_beside_the_boundary(const std::vector<Scalar>& places, Ordinal v, int dim, int n) {
  const std::size_t vertices = places.size() / dim;
  for (int d = 0; d < dim; ++d) {
    const auto at = std::lround(double(places[v + d * vertices]) * (n + 1));
    if (at == 1 || at == n) return true;
  }
  return false;
}

/// Rows sorted without duplicates, columns in range, every diagonal entry stored, values finite.
template <class Scalar>
void expect_sound(const HostMatrix<Scalar>& A) {
  ASSERT_EQ(A.num_rows, A.num_cols);
  ASSERT_EQ(A.offsets.size(), static_cast<std::size_t>(A.num_rows) + 1);
  ASSERT_EQ(A.offsets.front(), 0);
  ASSERT_EQ(A.offsets.back(), static_cast<std::int64_t>(A.num_entries()));
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    bool diagonal = false;
    ASSERT_LT(A.offsets[i], A.offsets[i + 1]) << "row " << i;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      ASSERT_GE(A.columns[e], 0) << "row " << i;
      ASSERT_LT(A.columns[e], A.num_cols) << "row " << i;
      if (e > A.offsets[i]) {
        ASSERT_LT(A.columns[e - 1], A.columns[e]) << "row " << i;
      }
      ASSERT_TRUE(std::isfinite(A.values[e])) << "row " << i;
      diagonal |= A.columns[e] == i;
    }
    ASSERT_TRUE(diagonal) << "row " << i;
  }
}

/// Equal to the transpose, pattern and bits.
template <class Scalar>
bool is_symmetric(const HostMatrix<Scalar>& A) {
  return A == transpose(A);
}

/// By Cholesky's factorisation; a pivot below `tolerance` times the diagonal entry counts as zero.
inline bool is_positive_definite(Dense A, long double tolerance) {
  const std::int32_t n = A.num_rows;
  for (std::int32_t k = 0; k < n; ++k) {
    long double pivot = A(k, k);
    for (std::int32_t j = 0; j < k; ++j)
      pivot -= A(k, j) * A(k, j);
    if (!(pivot > tolerance * A(k, k))) return false;
    A(k, k) = std::sqrt(pivot);
    for (std::int32_t i = k + 1; i < n; ++i) {
      for (std::int32_t j = 0; j < k; ++j)
        A(i, k) -= A(i, j) * A(k, j);
      A(i, k) /= A(k, k);
    }
  }
  return true;
}

/// A times column `c` of vectors stored column after column.
template <class Scalar>
std::vector<long double> multiply_column(const HostMatrix<Scalar>& A,
                                         const std::vector<Scalar>& vectors, int c) {
  const auto first = vectors.begin() + static_cast<std::ptrdiff_t>(c) * A.num_cols;
  return multiply(A, std::vector<Scalar>(first, first + A.num_cols));
}

}  // namespace tessera::test
