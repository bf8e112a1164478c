// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solvers that a nullspace is given to, and a beam that has one of two vectors.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::test::given_nullspaces {

using Vector = std::vector<double>;

/// A beam that nothing holds: D^T D of the second differences D, which takes every linear function
/// to zero.
inline HostMatrix<double> free_beam(Ordinal n) {
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  const double stencil[] = {1, -2, 1};
  std::vector<Vector> dense(n, Vector(n, 0.0));
  for (Ordinal k = 0; k + 2 < n; ++k) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        dense[k + i][k + j] += stencil[i] * stencil[j];
    }
  }
  for (Ordinal i = 0; i < n; ++i) {
    for (Ordinal j = 0; j < n; ++j) {
      if (dense[i][j] != 0) rows[i].emplace_back(j, dense[i][j]);
    }
  }
  return from_rows(n, rows);
}

/// Two columns, a + b i and c + d i at row i.
inline Vector linear_functions(Ordinal n, double a, double b, double c, double d) {
  Vector basis;
  for (Ordinal i = 0; i < n; ++i)
    basis.push_back(a + b * i);
  for (Ordinal i = 0; i < n; ++i)
    basis.push_back(c + d * i);
  return basis;
}

/// A x of a hashed x.
inline Vector image_of_some(const HostMatrix<double>& A) {
  const auto Ax = multiply(A, random_vector<double>(A.num_cols, 1), 1);
  return {Ax.begin(), Ax.end()};
}

inline double dot(const double* x, const double* y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <class Param>
class GivenNullspaceFixture : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Solver<double, Space> solver_of(const HostMatrix<double>& A, const Vector& basis,
                                  const SolveParameters& p = {}) {
    Solver<double, Space> solver(p);
    solver.set_nullspace(exec, columns_of(A.num_rows, basis));
    solver.setup(exec, make_csr(exec, A));
    return solver;
  }

  MultiVector<double, Space> columns_of(Ordinal n, const Vector& values) {
    return to_multivector(exec, values, n, static_cast<int>(values.size()) / std::max(n, 1));
  }

  /// The part of the solution in the nullspace over all of it, for each vector of the basis.
  static void expect_orthogonal(const Vector& x, const Vector& basis) {
    for (std::size_t at = 0; at < basis.size(); at += x.size()) {
      const double size =
          std::sqrt(dot(x.data(), x.data(), x.size()) * dot(&basis[at], &basis[at], x.size()));
      EXPECT_LE(std::abs(dot(x.data(), &basis[at], x.size())), 1e-10 * size);
    }
  }

  static SolveParameters by_gmres() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::jacobi;
    p.solver.name = SolverName::gmres;
    p.solver.gmres.restart = 60;
    return p;
  }
};

}  // namespace tessera::test::given_nullspaces
