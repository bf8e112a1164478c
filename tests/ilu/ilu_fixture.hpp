// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors of matrices of the host, on a space and by the textbook in long double.
#pragma once

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"
#include "tessera/smoother/ilu_smoother.hpp"

#include <cmath>

namespace tessera::test {

/// Row by row as in Saad, Iterative Methods for Sparse Linear Systems, algorithm 10.4, on A's
/// pattern with its diagonal: dense, what is not in the pattern 0. Pivots of at most `shift` times
/// their row's largest entry are raised to that.
template <class Scalar>
Dense reference_ilu(const HostMatrix<Scalar>& A, double shift = 1e-6) {
  const int n = A.num_rows;
  Dense F = to_dense(A);
  std::vector<char> stored(static_cast<std::size_t>(n) * n, 0);
  std::vector<long double> largest(n, 0);
  for (int i = 0; i < n; ++i) {
    stored[i * n + i] = 1;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      stored[i * n + A.columns[e]] = 1;
    for (int j = 0; j < n; ++j)
      largest[i] = std::max(largest[i], std::abs(F(i, j)));
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      if (!stored[i * n + k]) continue;
      F(i, k) /= F(k, k);
      for (int j = k + 1; j < n; ++j) {
        if (stored[i * n + j] && stored[k * n + j]) F(i, j) -= F(i, k) * F(k, j);
      }
    }
    const long double bound = largest[i] > 0 ? shift * largest[i] : 1;
    if (shift > 0 && std::abs(F(i, i)) <= shift * largest[i])
      F(i, i) = F(i, i) < 0 ? -bound : bound;
  }
  return F;
}

/// Positive definite, with eigenvalues from 0.17 to 5.83, but of its four pivots without fill the
/// last is -5 (Kershaw, J. Comput. Phys. 26, 1978, section 3).
template <class Scalar>
HostMatrix<Scalar> kershaw() {
  const Scalar a = 3, c = 2;
  return from_rows<Scalar>(4, {{{0, a}, {1, -c}, {3, c}},
                               {{0, -c}, {1, a}, {2, -c}},
                               {{1, -c}, {2, a}, {3, -c}},
                               {{0, c}, {2, -c}, {3, a}}});
}

template <class Param>
class Ilu {
 public:
  TESSERA_TEST_TYPES(Param);
  using Preconditioner = IluPreconditioner<Scalar, Space, Offset>;

  explicit Ilu(const HostMatrix<Scalar>& A, const IluParameters& p = {}, Space space = {})
      : exec(space), n(A.num_rows), matrix(make_csr<Offset>(exec, A)), M(p) {
    M.initialize(exec, matrix);
    is_finite = M.compute(exec, matrix.view());
  }

  HostMatrix<Scalar> factors() const {
    const auto& F = M.factors();
    return to_host(
        kernels::Csr<Scalar, Space, Offset>{n, n, F.pattern.offsets, F.pattern.columns, F.values});
  }
  std::vector<Scalar> apply(const std::vector<Scalar>& r, int k = 1) {
    const auto z = to_multivector(
        exec, std::vector<Scalar>(r.size(), std::numeric_limits<Scalar>::quiet_NaN()), n, k);
    M.prepare(exec, k);
    M.apply(exec, to_multivector(exec, r, n, k), z);
    return to_host(z);
  }

  Space exec;
  Ordinal n;
  kernels::Csr<Scalar, Space, Offset> matrix;
  Preconditioner M;
  bool is_finite = false;
};

/// The stored entries of F, and no other, are those of the reference.
template <class Scalar>
void expect_factors(const HostMatrix<Scalar>& F, const Dense& expected, double roundings_of = 100) {
  long double scale = 1;
  for (const long double value : expected.values)
    scale = std::max(scale, std::abs(value));
  const Dense found = to_dense(F);
  for (int i = 0; i < F.num_rows; ++i) {
    for (int j = 0; j < F.num_rows; ++j)
      ASSERT_NEAR(static_cast<double>(found(i, j)), static_cast<double>(expected(i, j)),
                  roundings<Scalar>(roundings_of) * static_cast<double>(scale))
          << "entry " << i << ", " << j;
  }
}

/// Adds to the diagonal until it is larger than the rest of its row.
template <class Scalar>
HostMatrix<Scalar> dominant(HostMatrix<Scalar> A) {
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(A.num_rows);
  for (int i = 0; i < A.num_rows; ++i) {
    Scalar sum = 1;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) continue;
      rows[i].emplace_back(A.columns[e], A.values[e]);
      sum += std::abs(A.values[e]);
    }
    rows[i].emplace_back(i, i % 2 == 0 ? sum : -sum);
    std::sort(rows[i].begin(), rows[i].end());
  }
  return from_rows(A.num_cols, rows);
}

}  // namespace tessera::test
