// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular symmetric matrices, and solvers of which each result is checked by the matrix.
#pragma once

#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::singular_systems {

using Vector = std::vector<double>;

/// Parts that do not touch. Row i of the whole is a row of part i mod their number as long as they
/// have any left, so that a part's rows do not lie together.
struct Parts {
  HostMatrix<double> A;
  std::vector<int> part;  ///< of each row
};

inline Parts side_by_side(const std::vector<HostMatrix<double>>& parts) {
  Ordinal n = 0;
  for (const auto& P : parts)
    n += P.num_rows;
  Parts all;
  std::vector<std::vector<Ordinal>> place(parts.size());
  for (std::size_t turn = 0; static_cast<Ordinal>(all.part.size()) < n; ++turn) {
    const std::size_t p = turn % parts.size();
    if (static_cast<Ordinal>(place[p].size()) == parts[p].num_rows) continue;
    place[p].push_back(static_cast<Ordinal>(all.part.size()));
    all.part.push_back(static_cast<int>(p));
  }
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (Ordinal i = 0; i < parts[p].num_rows; ++i) {
      auto& row = rows[place[p][i]];
      for (auto e = parts[p].offsets[i]; e < parts[p].offsets[i + 1]; ++e)
        row.emplace_back(place[p][parts[p].columns[e]], parts[p].values[e]);
      std::sort(row.begin(), row.end());
    }
  }
  all.A = from_rows(n, rows);
  return all;
}

/// D A D as products with D give it: rounded after each, and so otherwise on both sides of the
/// diagonal.
inline HostMatrix<double> scaled_on_both_sides(HostMatrix<double> A, const Vector& d) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
    value *= d[i];
    value *= d[j];
  });
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
class SingularFixture : public ::testing::Test {
 public:
  using Space = typename Param::Space;

  void set_up(const HostMatrix<double>& A, const SolveParameters& parameters = {}) {
    m_A = A;
    solver = Solver<double, Space>(parameters);
    solver.setup(exec, make_csr(exec, A));
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

}  // namespace tessera::test::singular_systems
