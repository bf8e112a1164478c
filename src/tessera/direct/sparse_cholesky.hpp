// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L L^T of a sparse symmetric positive definite matrix, on the host.
#pragma once

#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/large_pages.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>

namespace tessera::direct {
namespace detail {
class TriangularSolve;
}

/// A multifrontal factorisation (Duff & Reid 1983; Liu 1992), whose subtrees are factored side by
/// side. Each number is made of the same operations in the same order by any number of threads: its
/// bits depend on the matrix alone.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();

  /// Factors `A`, whose lower triangle is read, along `symbolic`, which was made of its pattern and
  /// which is kept. A pivot that is no more than `min_pivot` of the matrix's own diagonal, above
  /// or below zero, is round-off: it is raised to its square root, which makes the inverse of a
  /// singular matrix a bounded one, and of a nearly singular one a preconditioner. False where a
  /// pivot is negative beyond that, so that the matrix is not definite, or not a number.
  [[nodiscard]] bool factor(const HostSpace& exec, const HostMatrix& A,
                            const SymbolicCholesky& symbolic, double min_pivot);

  /// x <- A^-1 x, in the matrix's own numbering; `work` has n numbers.
  void solve(const HostSpace& exec, double* x, double* work) const;

  int raised_pivots() const { return m_raised; }
  double stored_entries() const { return static_cast<double>(m_values.size()); }

 private:
  const SymbolicCholesky* m_symbolic = nullptr;
  HostArray<double> m_values;  ///< the panels, column after column
  int m_raised = 0;
  std::unique_ptr<detail::TriangularSolve> m_solve;
};

}  // namespace tessera::direct
