// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular systems, solved by `Solver` and looked at by the matrix.
#pragma once

#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include <numeric>

namespace tessera::test::singular {

using Vector = std::vector<double>;

/// A grid that nothing ties to the ground; `around`: periodic in each direction.
inline HostMatrix<double> floating_grid(Ordinal nx, Ordinal ny, Ordinal nz = 1,
                                        bool around = false) {
  Network network(nx * ny * nz);
  const Ordinal extents[] = {nx, ny, nz};
  const Ordinal strides[] = {1, nx, nx * ny};
  for (Ordinal v = 0; v < network.size(); ++v) {
    const Ordinal at[] = {v % nx, v / nx % ny, v / (nx * ny)};
    for (int d = 0; d < 3; ++d) {
      if (at[d] + 1 < extents[d]) {
        network.tie(v, v + strides[d], 1);
      } else if (around && extents[d] > 2) {
        network.tie(v, v - (extents[d] - 1) * strides[d], 1);
      }
    }
  }
  return network.matrix();
}

/// D A D.
inline HostMatrix<double> scaled(HostMatrix<double> A, const Vector& d) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) { value *= d[i] * d[j]; });
  return A;
}

inline Vector product(const HostMatrix<double>& A, const Vector& x) {
  const auto Ax = multiply(A, x, 1);
  return {Ax.begin(), Ax.end()};
}

inline double norm(const Vector& v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

template <class Param>
class SingularSolver : public ::testing::Test {
 public:
  using Space = typename Param::Space;

  void set_up(const HostMatrix<double>& A, const SolveParameters& parameters = {},
              const Vector& near_nullspace = {}) {
    m_A = A;
    solver = Solver<double, Space>(parameters);
    const Ordinal n = A.num_rows;
    solver.setup(exec, make_csr(exec, A),
                 to_multivector(exec, near_nullspace, n, near_nullspace.size() / n));
  }

  void update(const HostMatrix<double>& A) {
    m_A = A;
    solver.update_values(exec, make_csr(exec, A));
  }

  /// Solves from zero; what is reported and x itself are checked by the matrix.
  SolveResult solve(const Vector& b) {
    const std::size_t n = m_A.num_rows, k = b.size() / n;
    const auto x = to_multivector(exec, Vector(b.size(), 0.0), n, k);
    const SolveResult result = solver.solve(exec, to_multivector(exec, b, n, k), x);
    const Vector all = to_host(x);
    for (std::size_t j = 0; j < k; ++j)
      check(result.columns[j], {b.begin() + j * n, b.begin() + (j + 1) * n},
            {all.begin() + j * n, all.begin() + (j + 1) * n});
    this->x = all;
    return result;
  }

  void expect(SolveStatus status, const Vector& b) {
    const SolveResult result = solve(b);
    EXPECT_EQ(to_string(result.status), to_string(status))
        << result.true_relative_residual << " after " << result.iterations << " iterations";
  }

  bool noted(const std::string& text) const { return test::noted(solver.hierarchy(), text); }
  NullspaceKind nullspace() const { return solver.parameters().solver.nullspace; }

  Space exec;
  Solver<double, Space> solver;
  Vector x;

 private:
  void check(const ColumnResult& column, const Vector& b, const Vector& x) const {
    const double tolerance = solver.parameters().solver.tolerance;
    Vector r = product(m_A, x);
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = b[i] - r[i];
    EXPECT_NEAR(column.true_relative_residual, norm(r) / norm(b), 1e-3 * tolerance)
        << "of the system given";
    if (!is_solved(column.status)) return;
    // The part of r in the range is at most tolerance ||b|| long, and A no longer than its rows.
    double largest_row = 0;
    for (Ordinal i = 0; i < m_A.num_rows; ++i) {
      double sum = 0;
      for (auto e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e)
        sum += std::abs(m_A.values[e]);
      largest_row = std::max(largest_row, sum);
    }
    EXPECT_LE(norm(product(m_A, r)), 1.01 * largest_row * tolerance * norm(b));
    if (column.status == SolveStatus::least_squares) {
      EXPECT_NEAR(column.outside_range, norm(r) / norm(b), 2 * tolerance);
    }
  }

  HostMatrix<double> m_A;
};
}  // namespace tessera::test::singular
