// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_cholesky.hpp"

#include "tessera/direct/detail/multifrontal.hpp"
#include "tessera/direct/detail/partial_cholesky.hpp"

#include <algorithm>

namespace tessera::direct {

bool SparseCholesky::factor(const HostSpace& exec, const HostMatrix& A,
                            const SymbolicCholesky& symbolic, double least_pivot) {
  m_symbolic = &symbolic;
  // Each panel is set by the thread that factors it.
  m_values.resize(symbolic.first_value.back());
  detail::Multifrontal factors(A, symbolic, least_pivot, m_values.data());
  if (!factors.run(exec)) return false;
  m_raised = factors.raised_pivots();
  int most_below = 0;
  for (int s = 0; s < symbolic.num_supernodes(); ++s)
    most_below = std::max(most_below, symbolic.height(s) - symbolic.width(s));
  m_below.resize(most_below);
  return true;
}

void SparseCholesky::solve(double* x, double* work) const {
  const SymbolicCholesky& f = *m_symbolic;
  for (int k = 0; k < f.n; ++k)
    work[k] = x[f.order[k]];
  const auto panel = [&](int s) {
    return detail::Panel{const_cast<double*>(m_values.data()) + f.first_value[s], f.height(s),
                         f.width(s)};
  };
  for (int s = 0; s < f.num_supernodes(); ++s) {
    const int width = f.width(s);
    const int below = f.height(s) - width;
    const int* rows = &f.rows[f.first_row[s]] + width;
    std::fill_n(m_below.begin(), below, 0.0);
    detail::solve_forward(panel(s), work + f.first_column[s], m_below.data());
    for (int i = 0; i < below; ++i)
      work[rows[i]] += m_below[i];
  }
  for (int s = f.num_supernodes() - 1; s >= 0; --s) {
    const int width = f.width(s);
    const int below = f.height(s) - width;
    const int* rows = &f.rows[f.first_row[s]] + width;
    for (int i = 0; i < below; ++i)
      m_below[i] = work[rows[i]];
    detail::solve_backward(panel(s), work + f.first_column[s], m_below.data());
  }
  for (int k = 0; k < f.n; ++k)
    x[f.order[k]] = work[k];
}

}  // namespace tessera::direct
