// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_cholesky.hpp"

#include "tessera/direct/detail/cholesky_fronts.hpp"
#include "tessera/direct/detail/partial_cholesky.hpp"
#include "tessera/direct/detail/triangular_solve.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"

namespace tessera::direct {
namespace {

class PanelSolve : public detail::SupernodeSolve {
 public:
  PanelSolve(const SymbolicCholesky& f, const double* values) : m_f(f), m_values(values) {}

  void forward(int s, double* own, double* below) const override {
    solve_forward(panel(s), own, below);
  }
  void backward(int s, double* own, const double* below) const override {
    solve_backward(panel(s), own, below);
  }

 private:
  detail::Panel panel(int s) const {
    // Panels are read here.
    return {const_cast<double*>(m_values) + m_f.first_value[s], m_f.height(s), m_f.width(s)};
  }

  const SymbolicCholesky& m_f;
  const double* m_values;
};

}  // namespace

SparseCholesky::SparseCholesky() = default;
SparseCholesky::~SparseCholesky() = default;

bool SparseCholesky::factor(const HostSpace& exec, const HostMatrix& A,
                            const SymbolicCholesky& symbolic, double min_pivot) {
  m_symbolic = &symbolic;
  // Each panel is set by the thread that factors it.
  m_values.resize(symbolic.first_value.back());
  detail::CholeskyFronts factors(A, symbolic, min_pivot, m_values.data());
  if (!factors.run(exec)) return false;
  m_raised = factors.raised_pivots();
  m_solve = std::make_unique<detail::TriangularSolve>(symbolic, max_workers(exec, symbolic.tasks));
  return true;
}

void SparseCholesky::solve(const HostSpace& exec, double* x, double* work) const {
  const SymbolicCholesky& f = *m_symbolic;
  for (int k = 0; k < f.n; ++k)
    work[k] = x[f.order[k]];
  m_solve->run(exec, max_workers(exec, f.tasks), PanelSolve(f, m_values.data()), work);
  for (int k = 0; k < f.n; ++k)
    x[f.order[k]] = work[k];
}

}  // namespace tessera::direct
