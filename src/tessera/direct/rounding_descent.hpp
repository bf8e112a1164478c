// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Of the vectors of doubles near a solution, one that leaves a small residual.
#pragma once

#include "tessera/direct/host_matrix.hpp"

#include <functional>
#include <vector>

namespace tessera::direct {

/// Rounding a solution to doubles leaves a residual of about epsilon |A| |x|, for each number is
/// rounded by itself. Here each in turn goes to the double that lessens ||b - A x|| most while the
/// others stay: coordinate descent on the grid of the doubles. Where that ends, a number goes to
/// the next double together with one of its neighbours. On real matrices the residual becomes a
/// fifth to a thousandth, by moves of few units in the last place.
class RoundingDescent {
 public:
  /// `A` has to stay.
  explicit RoundingDescent(const HostMatrix& A);

  /// Lessens ||b - A x||, b and x having n numbers, until it is at most `target`, a pass over x
  /// gains next to nothing, or `goes_on()`, asked before each pass, is false. Returns the norm, as
  /// `extended_residual` measures it.
  double descend(const double* b, double* x, double target, const std::function<bool()>& goes_on);

 private:
  /// Of a number by `by`, and by how much that changes the squared norm.
  struct Move {
    double by;
    double change;
  };

  Move best_move(int j, const double* x) const;
  /// To the next double above or below, by the sign of `direction`.
  Move unit_move(int j, const double* x, int direction) const;
  /// By how much moving number `j` is best without the grid.
  double slope(int j) const;
  Move move_by(int j, double by, double ideal) const;
  void make(int j, const Move& move, double* x);

  void step(int j, double* x);
  void step_in_pairs(int j, double* x);
  /// Steps over all numbers, there and back, until the residual is small enough or stagnates.
  double step_until_still(const double* b, double* x, double target,
                          const std::function<bool()>& goes_on);

  const HostMatrix& m_A;
  HostMatrix m_columns;  ///< the transpose
  std::vector<double> m_squares;  ///< squared norms of the columns
  std::vector<double> m_residual;
};

}  // namespace tessera::direct
