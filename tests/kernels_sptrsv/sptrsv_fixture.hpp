// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Triangles of matrices of the host, solved with on a space and by substitution in long double.
#pragma once

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/sptrsv/lu_solve.hpp"
#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include <cmath>

namespace tessera::test {

using kernels::TriangleKind;

inline const std::vector<SptrsvAlgorithm> all_algorithms{
    SptrsvAlgorithm::automatic, SptrsvAlgorithm::levels, SptrsvAlgorithm::counters,
    SptrsvAlgorithm::recursive};

inline const char* name_of(SptrsvAlgorithm algorithm) {
  constexpr const char* names[] = {"auto", "levels", "counters", "recursive"};
  return names[static_cast<int>(algorithm)];
}

/// The triangle's rows solved for in their order.
template <class Scalar>
std::vector<long double> substitute(const HostMatrix<Scalar>& A, TriangleKind kind,
                                    const std::vector<Scalar>& inverse_diagonal,
                                    const std::vector<Scalar>& b) {
  const int n = A.num_rows;
  std::vector<long double> x(n);
  for (int p = 0; p < n; ++p) {
    const int i = kind == TriangleKind::lower ? p : n - 1 - p;
    long double rest = b[i];
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const bool is_in = kind == TriangleKind::lower ? A.columns[e] < i : A.columns[e] > i;
      if (is_in) rest -= static_cast<long double>(A.values[e]) * x[A.columns[e]];
    }
    x[i] = inverse_diagonal.empty() ? rest : rest * inverse_diagonal[i];
  }
  return x;
}

/// Scales the entries off the diagonal so that each row's sum is at most one half, and solutions
/// stay bounded.
template <class Scalar>
HostMatrix<Scalar> tamed(HostMatrix<Scalar> A) {
  for (int i = 0; i < A.num_rows; ++i) {
    Scalar sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      sum += std::abs(A.values[e]);
    for (auto e = A.offsets[i]; e < A.offsets[i + 1] && sum > 0; ++e)
      A.values[e] /= 2 * sum;
  }
  return A;
}

template <class Param>
class TriangleCase {
 public:
  TESSERA_TEST_TYPES(Param);

  TriangleCase(const HostMatrix<Scalar>& matrix, TriangleKind kind, bool unit, Space space = {})
      : exec(space), host(matrix), A(make_csr<Offset>(exec, matrix)), kind(kind) {
    cut = kernels::cut_at_diagonal(exec, A.view());
    if (!unit) {
      for (int i = 0; i < host.num_rows; ++i)
        inverse.push_back(static_cast<Scalar>(1 + 0.25 * (i % 3)));
    }
    d = to_device(exec, inverse);
  }

  kernels::TriangleView<Scalar, Space, Offset> triangle() const {
    return kind == TriangleKind::lower ? kernels::lower_triangle(A.view(), cut, d)
                                       : kernels::upper_triangle(A.view(), cut, d);
  }
  kernels::SptrsvPlan<Space, Offset> plan(SptrsvAlgorithm algorithm,
                                          int recursion_depth = 0) const {
    return kernels::analyse_sptrsv(exec, triangle(), algorithm, recursion_depth);
  }
  std::vector<Scalar> solve(const kernels::SptrsvPlan<Space, Offset>& plan,
                            const std::vector<Scalar>& b, int k = 1) const {
    const auto n = static_cast<std::size_t>(host.num_rows);
    // NaN in the output must not matter.
    const auto x = to_multivector(
        exec, std::vector<Scalar>(n * k, std::numeric_limits<Scalar>::quiet_NaN()), n, k);
    kernels::sptrsv(exec, plan, triangle(), to_multivector(exec, b, n, k), x);
    return to_host(x);
  }
  std::vector<long double> expected(const std::vector<Scalar>& b) const {
    return substitute(host, kind, inverse, b);
  }

  Space exec;
  HostMatrix<Scalar> host;
  kernels::Csr<Scalar, Space, Offset> A;
  TriangleKind kind;
  kernels::DiagonalCut<Space, Offset> cut;
  std::vector<Scalar> inverse;
  Array<Scalar, Space> d;
};

template <class Scalar>
void expect_solution(const std::vector<Scalar>& x, const std::vector<long double>& expected,
                     const std::string& what) {
  long double scale = 1;
  for (const long double value : expected)
    scale = std::max(scale, std::abs(value));
  ASSERT_EQ(x.size(), expected.size()) << what;
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(x[i], static_cast<double>(expected[i]),
                roundings<Scalar>(200) * static_cast<double>(scale))
        << what << ", row " << i;
}

}  // namespace tessera::test
