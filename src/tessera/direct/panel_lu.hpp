// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L U of a general sparse matrix in dense panels, on the host.
#pragma once

#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/large_pages.hpp"
#include "tessera/direct/symbolic_lu.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <vector>

namespace tessera::direct {
namespace detail {
class TriangularSolve;
}

/// A multifrontal factorisation with static pivoting: rows are swapped inside a diagonal block
/// alone, and pivots that are small there are raised, so that its factors are those of a matrix
/// nearby. Each number is made of the same operations in the same order by any number of threads.
class PanelLu {
 public:
  PanelLu();
  ~PanelLu();
  PanelLu(PanelLu&&) noexcept;
  PanelLu& operator=(PanelLu&&) noexcept;

  /// Factors `A` along `symbolic`, which was made of its pattern and is kept. False where a number
  /// is not finite.
  [[nodiscard]] bool factor(const HostSpace& exec, const HostMatrix& A, const SymbolicLu& symbolic);

  /// x <- A^-1 x, in the matrix's own numbering; `work` has n numbers.
  void solve(const HostSpace& exec, double* x, double* work) const;

  int raised_pivots() const { return m_raised; }
  double stored_entries() const { return static_cast<double>(m_lower.size() + m_upper.size()); }

 private:
  const SymbolicLu* m_symbolic = nullptr;
  HostArray<double> m_lower;  ///< the panels' columns
  HostArray<double> m_upper;  ///< the rows of U right of them
  std::vector<int> m_swaps;
  int m_raised = 0;
  std::unique_ptr<detail::TriangularSolve> m_solve;
};

}  // namespace tessera::direct
