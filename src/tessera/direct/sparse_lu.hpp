// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L U of a general sparse matrix, on the host, by SuiteSparse's KLU.
#pragma once

#include "tessera/direct/cost.hpp"
#include "tessera/direct/host_matrix.hpp"

#include <memory>

namespace tessera::direct {

/// Left-looking LU with partial pivoting that prefers the diagonal, of the blocks of a block
/// triangular form (Davis & Palamadai Natarajan 2010). Each is ordered by approximate minimum
/// degree, which supposes that pivots stay on the diagonal, or by COLAMD, whose factors have a
/// bound wherever they are. One thread, no BLAS.
class SparseLu {
 public:
  /// Orders the pattern of `A`, by COLAMD where that is sure to be cheap.
  /// @throws Error of kind `configuration` where the library was built without SuiteSparse.
  explicit SparseLu(const HostMatrix& A);
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  /// By COLAMD a bound; else estimated without a look at values, which may ask for other pivots.
  const Cost& cost() const;
  bool is_by_colamd() const;

  /// Factors a matrix of that pattern. False where a pivot is zero.
  [[nodiscard]] bool factor(const HostMatrix& A);

  /// Of the factors that were made, their blocks' off-diagonal entries counted; 0 without.
  double stored_entries() const;

  /// x <- A^-1 x
  void solve(double* x) const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera::direct
