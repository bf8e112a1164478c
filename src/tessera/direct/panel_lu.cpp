// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/panel_lu.hpp"

#include "tessera/direct/detail/lu_fronts.hpp"
#include "tessera/direct/detail/triangular_solve.hpp"

#include <cmath>

namespace tessera::direct {
namespace {

class PanelLuSolve : public detail::SupernodeSolve {
 public:
  PanelLuSolve(const SymbolicLu& f, const detail::LuValues& values) : m_f(f), m_values(values) {}

  void forward(int s, double* own, double* below) const override {
    solve_forward(m_values.panels(m_f, s), own, below);
  }
  void backward(int s, double* own, const double* below) const override {
    solve_backward(m_values.panels(m_f, s), own, below);
  }

 private:
  const SymbolicLu& m_f;
  detail::LuValues m_values;
};

}  // namespace

PanelLu::PanelLu() = default;
PanelLu::~PanelLu() = default;
PanelLu::PanelLu(PanelLu&&) noexcept = default;
PanelLu& PanelLu::operator=(PanelLu&&) noexcept = default;

bool PanelLu::factor(const HostSpace& exec, const HostMatrix& A, const SymbolicLu& symbolic) {
  m_symbolic = &symbolic;
  const SymbolicCholesky& f = symbolic.fronts;
  // Each panel is set by the thread that factors it.
  m_lower.resize(f.first_value.back());
  m_upper.resize(symbolic.first_upper.back());
  m_swaps.resize(f.n);
  detail::LuFronts fronts(A, symbolic, {m_lower.data(), m_upper.data(), m_swaps.data()});
  if (!fronts.run(exec)) return false;
  m_raised = fronts.raised_pivots();
  m_solve = std::make_unique<detail::TriangularSolve>(f, max_workers(exec, f.tasks));
  return true;
}

void PanelLu::solve(const HostSpace& exec, double* x, double* work) const {
  const SymbolicLu& f = *m_symbolic;
  for (int i = 0; i < f.fronts.n; ++i)
    work[f.row_rank[i]] = std::ldexp(x[i], f.matching.row_exponent[i]);
  // Read here.
  const detail::LuValues values{const_cast<double*>(m_lower.data()),
                                const_cast<double*>(m_upper.data()),
                                const_cast<int*>(m_swaps.data())};
  m_solve->run(exec, max_workers(exec, f.fronts.tasks), PanelLuSolve(f, values), work);
  for (int j = 0; j < f.fronts.n; ++j)
    x[j] = std::ldexp(work[f.fronts.rank[j]], f.matching.column_exponent[j]);
}

}  // namespace tessera::direct
