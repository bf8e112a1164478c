// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GMRES's small least-squares problem of one right-hand side, on the host.
#pragma once

#include <span>
#include <vector>

namespace tessera::detail {

/// min || beta e_1 - H y || by Givens rotations, one column of the Hessenberg matrix H at a time
/// (Saad, Iterative Methods for Sparse Linear Systems, section 6.5.3).
class GivensLeastSquares {
 public:
  /// Makes room for `restart` columns.
  void prepare(int restart);
  /// Starts again with the residual norm `beta`.
  void start(double beta);

  /// Appends a column: h(0 … size()) and the entry `h_next` below. `rounding` is the relative size
  /// below which a number is rounding error. False where the column is not finite or makes H
  /// singular; nothing is appended then.
  bool append(std::span<const double> h, double h_next, double rounding);

  /// Columns so far.
  int size() const { return m_size; }
  /// The residual norm of the least-squares solution.
  double residual() const;
  /// y(0 … size() - 1), by back substitution. Where A is (nearly) singular, the last columns of H
  /// buy little with a y so long that its rounding error, `rounding` ||R|| ||y||, outgrows the
  /// residual: then only as many leading columns are used as make the sum of both least, and the
  /// rest of y is zero. Returns how many.
  int solve(std::span<double> y, double rounding) const;

 private:
  /// y of the leading `count` columns; the rest of y is zero.
  void solve_leading(int count, std::span<double> y) const;
  /// Column `column` of R.
  std::span<const double> triangle(int column) const {
    return {m_triangle.data() + static_cast<std::size_t>(column) * (m_restart + 1),
            static_cast<std::size_t>(column) + 1};
  }

  int m_restart = 0;
  int m_size = 0;
  std::vector<double> m_triangle;  ///< R, column after column, each of length restart + 1
  std::vector<double> m_cosine;
  std::vector<double> m_sine;
  std::vector<double> m_rhs;
  std::vector<double> m_column;
};

}  // namespace tessera::detail
