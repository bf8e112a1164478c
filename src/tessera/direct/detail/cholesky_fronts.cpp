// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/cholesky_fronts.hpp"

#include "tessera/direct/detail/partial_cholesky.hpp"

#include <algorithm>

namespace tessera::direct::detail {

CholeskyFronts::CholeskyFronts(const HostMatrix& A, const SymbolicCholesky& f, double min_pivot,
                               double* values)
    : Multifrontal(f, 1), m_A(A), m_min_pivot(min_pivot), m_values(values), m_diagonal(f.n) {}

/// The entries of A in the supernode's columns, on and below the diagonal. Those are, A being
/// symmetric, the ones of the same rows right of it; one that the transpose lacks is round-off.
void CholeskyFronts::fill(int s, const Worker& worker) {
  const Panel panel = panel_of(s);
  for (int j = 0; j < panel.width; ++j)
    std::fill(panel.column(j) + j, panel.column(j) + panel.height, 0.0);
  for (int j = m_f.first_column[s]; j < m_f.first_column[s + 1]; ++j) {
    double* column = panel.column(j - m_f.first_column[s]);
    const int original = m_f.order[j];
    bool empty = true;
    double ignored = 0;
    for (int e = m_A.offsets[original]; e < m_A.offsets[original + 1]; ++e) {
      const int i = m_f.rank[m_A.columns[e]];
      empty &= m_A.values[e] == 0;
      // Half of all entries, in no order that a branch could be estimated by.
      double* const to = i >= j ? column + worker.place[i] : &ignored;
      *to = m_A.values[e];
    }
    double& diagonal = column[j - m_f.first_column[s]];
    // An empty row; any pivot serves it.
    if (empty) diagonal = 1;
    m_diagonal[j] = diagonal;
  }
}

void CholeskyFronts::add_update(int s, int child, const double* from, double* update,
                                const Worker& worker) {
  const Panel panel = panel_of(s);
  const Triangle target{update, rows_below(s)};
  // Read here.
  const Triangle source{const_cast<double*>(from), rows_below(child)};
  const int* local = worker.local.data();
  for (int j = 0; j < source.n; ++j) {
    const int to = local[j];
    double* column =
        to < panel.width ? panel.column(to) : target.column(to - panel.width) - panel.width;
    const double* values = source.column(j);
    for (int i = j; i < source.n; ++i)
      column[local[i]] += values[i];
  }
}

bool CholeskyFronts::factor(int s, double* update, Worker& worker) {
  PivotRule rule{m_min_pivot};
  if (!factor_panel(panel_of(s), &m_diagonal[m_f.first_column[s]], rule)) return false;
  worker.raised += rule.raised;
  subtract_outer_product(panel_of(s), {update, rows_below(s)});
  return true;
}

}  // namespace tessera::direct::detail
