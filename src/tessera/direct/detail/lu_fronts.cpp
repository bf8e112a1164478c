// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/lu_fronts.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::direct::detail {
namespace {

/// A pivot of less than this share of the largest number is raised to it: half of the digits, as
/// in SuperLU_DIST (Li & Demmel 2003). The Krylov method around the factors makes up for it.
constexpr double min_pivot_share = 1e-8;

double scaled(const HostMatrix& A, const SymbolicLu& f, const SymbolicLu::Entry& entry) {
  return std::ldexp(A.values[entry.place], f.matching.row_exponent[entry.row] +
                                               f.matching.column_exponent[A.columns[entry.place]]);
}

}  // namespace

LuFronts::LuFronts(const HostMatrix& A, const SymbolicLu& f, const LuValues& values)
    : Multifrontal(f.fronts, 2), m_A(A), m_symbolic(f), m_values(values) {
  double largest = 0;
  for (const SymbolicLu::Entry& entry : f.from)
    largest = std::max(largest, std::abs(scaled(A, f, entry)));
  m_min_pivot = min_pivot_share * largest;
}

void LuFronts::fill(int s, const Worker& worker) {
  const LuPanels to = m_values.panels(m_symbolic, s);
  const int width = to.lower.width;
  std::fill_n(to.lower.values, m_f.first_value[s + 1] - m_f.first_value[s], 0.0);
  std::fill_n(to.upper.values, m_symbolic.first_upper[s + 1] - m_symbolic.first_upper[s], 0.0);
  for (int k = m_symbolic.first_entry[m_f.first_column[s]];
       k < m_symbolic.first_entry[m_f.first_column[s + 1]]; ++k) {
    const SymbolicLu::Entry& entry = m_symbolic.from[k];
    const int i = worker.place[m_symbolic.row_rank[entry.row]];
    const int j = worker.place[m_f.rank[m_A.columns[entry.place]]];
    double& target = j < width ? to.lower.column(j)[i] : to.upper.column(i)[j - width];
    target = scaled(m_A, m_symbolic, entry);
  }
}

void LuFronts::add_update(int s, int child, const double* from, double* update,
                          const Worker& worker) {
  const LuPanels to = m_values.panels(m_symbolic, s);
  const int width = to.lower.width;
  const int n = rows_below(child);
  const int* local = worker.local.data();
  // Rows ascend, and so do their places.
  const auto own = static_cast<int>(std::lower_bound(local, local + n, width) - local);
  for (int j = 0; j < n; ++j, from += n) {
    if (local[j] < width) {
      double* const column = to.lower.column(local[j]);
      for (int i = 0; i < n; ++i)
        column[local[i]] += from[i];
      continue;
    }
    for (int i = 0; i < own; ++i)
      to.upper.column(local[i])[local[j] - width] += from[i];
    double* const column =
        update + static_cast<std::size_t>(local[j] - width) * to.upper.height - width;
    for (int i = own; i < n; ++i)
      column[local[i]] += from[i];
  }
}

bool LuFronts::factor(int s, double* update, Worker& worker) {
  const LuPanels panels = m_values.panels(m_symbolic, s);
  const int raised = factor_panels(panels, m_min_pivot);
  if (raised < 0) return false;
  worker.raised += raised;
  subtract_product(panels, update);
  return true;
}

}  // namespace tessera::direct::detail
