// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_cholesky.hpp"

#include "tessera/direct/detail/multifrontal.hpp"
#include "tessera/direct/detail/triangular_solve.hpp"

namespace tessera::direct {

SparseCholesky::SparseCholesky() = default;
SparseCholesky::~SparseCholesky() = default;

bool SparseCholesky::factor(const HostSpace& exec, const HostMatrix& A,
                            const SymbolicCholesky& symbolic, double min_pivot) {
  m_symbolic = &symbolic;
  // Each panel is set by the thread that factors it.
  m_values.resize(symbolic.first_value.back());
  detail::Multifrontal factors(A, symbolic, min_pivot, m_values.data());
  if (!factors.run(exec)) return false;
  m_raised = factors.raised_pivots();
  m_solve = std::make_unique<detail::TriangularSolve>(symbolic, max_workers(exec, symbolic.tasks));
  return true;
}

void SparseCholesky::solve(const HostSpace& exec, double* x, double* work) const {
  const SymbolicCholesky& f = *m_symbolic;
  for (int k = 0; k < f.n; ++k)
    work[k] = x[f.order[k]];
  m_solve->run(exec, max_workers(exec, f.tasks), m_values.data(), work);
  for (int k = 0; k < f.n; ++k)
    x[f.order[k]] = work[k];
}

}  // namespace tessera::direct
