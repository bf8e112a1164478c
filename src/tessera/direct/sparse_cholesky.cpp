// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_cholesky.hpp"

#include "tessera/direct/detail/partial_cholesky.hpp"

#include <algorithm>

namespace tessera::direct {
namespace {

using detail::Panel;

/// The numeric factorisation: panels are filled and factored in postorder, and what each leaves for
/// the rows below it, its update matrix, waits on a stack for its parent.
class Factorisation {
 public:
  Factorisation(const HostMatrix& A, const SymbolicCholesky& f, std::vector<double>& values)
      : m_A(A), m_f(f), m_values(values), m_rank(f.n), m_diagonal(f.n), m_place(f.n) {
    for (int k = 0; k < f.n; ++k)
      m_rank[f.order[k]] = k;
    m_values.assign(f.first_value.back(), 0.0);
    m_stack.resize(f.stack_size);
  }

  bool run(detail::PivotRule& rule) {
    for (int s = 0; s < m_f.num_supernodes(); ++s) {
      const Panel panel{&m_values[m_f.first_value[s]], m_f.height(s), m_f.width(s)};
      const int below = panel.height - panel.width;
      double* update = m_stack.data() + m_top;
      std::fill(update, update + static_cast<std::size_t>(below) * below, 0.0);
      for (int k = 0; k < panel.height; ++k)
        m_place[row(s, k)] = k;
      fill(s, panel);
      const std::size_t bottom = add_updates_of_children(s, panel, update);
      if (!detail::factor_panel(panel, &m_diagonal[m_f.first_column[s]], rule)) return false;
      detail::subtract_outer_product(panel, update);
      // It takes the place of the children's.
      const std::size_t size = static_cast<std::size_t>(below) * below;
      std::copy(update, update + size, m_stack.data() + bottom);
      m_top = bottom + size;
      if (m_f.parent[s] != -1) m_waiting.push_back(s);
    }
    return true;
  }

 private:
  int row(int s, int k) const { return m_f.rows[m_f.first_row[s] + k]; }

  /// Whether a row is one of the current supernode's.
  bool has_row(int s, int i) const { return m_place[i] < m_f.height(s) && row(s, m_place[i]) == i; }

  /// The entries of A in the supernode's columns, on and below the diagonal. Those are, A being
  /// symmetric, the ones of the same rows right of it; one that the transpose lacks is round-off.
  void fill(int s, const Panel& panel) {
    for (int j = m_f.first_column[s]; j < m_f.first_column[s + 1]; ++j) {
      double* column = panel.column(j - m_f.first_column[s]);
      const int original = m_f.order[j];
      bool empty = true;
      for (int e = m_A.offsets[original]; e < m_A.offsets[original + 1]; ++e) {
        const int i = m_rank[m_A.columns[e]];
        empty = empty && m_A.values[e] == 0;
        if (i >= j && has_row(s, i)) column[m_place[i]] = m_A.values[e];
      }
      double& diagonal = column[j - m_f.first_column[s]];
      // An empty row; any pivot serves it.
      if (empty) diagonal = 1;
      m_diagonal[j] = diagonal;
    }
  }

  /// Takes the children's updates, which lie on top of the stack, and returns where they start.
  std::size_t add_updates_of_children(int s, const Panel& panel, double* update) {
    std::size_t bottom = m_top;
    while (!m_waiting.empty() && m_f.parent[m_waiting.back()] == s) {
      const int child = m_waiting.back();
      m_waiting.pop_back();
      const int width = m_f.width(child);
      const int below = m_f.height(child) - width;
      bottom -= static_cast<std::size_t>(below) * below;
      add_update(child, m_stack.data() + bottom, panel, update);
    }
    return bottom;
  }

  void add_update(int child, const double* from, const Panel& panel, double* update) {
    const int width = m_f.width(child);
    const int below = m_f.height(child) - width;
    m_local.resize(below);
    for (int k = 0; k < below; ++k)
      m_local[k] = m_place[row(child, width + k)];
    const int outside = panel.height - panel.width;
    for (int j = 0; j < below; ++j) {
      const int to = m_local[j];
      double* column =
          to < panel.width
              ? panel.column(to)
              : update + static_cast<std::size_t>(to - panel.width) * outside - panel.width;
      const double* source = from + static_cast<std::size_t>(j) * below;
      for (int i = j; i < below; ++i)
        column[m_local[i]] += source[i];
    }
  }

  const HostMatrix& m_A;
  const SymbolicCholesky& m_f;
  std::vector<double>& m_values;
  std::vector<int> m_rank;
  std::vector<double> m_diagonal;
  std::vector<int> m_place;  ///< of a row in the current supernode
  std::vector<int> m_local;  ///< the same for the rows of a child's update
  std::vector<double> m_stack;
  std::size_t m_top = 0;
  std::vector<int> m_waiting;  ///< supernodes whose updates are on the stack
};

}  // namespace

bool SparseCholesky::factor(const HostMatrix& A, const SymbolicCholesky& symbolic,
                            double least_pivot) {
  m_symbolic = &symbolic;
  detail::PivotRule rule{least_pivot};
  if (!Factorisation(A, symbolic, m_values).run(rule)) return false;
  m_raised = rule.raised;
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
  for (int s = 0; s < f.num_supernodes(); ++s) {
    const int width = f.width(s);
    const int height = f.height(s);
    const int* rows = &f.rows[f.first_row[s]];
    double* own = work + f.first_column[s];
    std::fill_n(m_below.begin(), height - width, 0.0);
    for (int j = 0; j < width; ++j) {
      const double* column = &m_values[f.first_value[s] + static_cast<std::size_t>(j) * height];
      const double value = own[j] /= column[j];
      for (int i = j + 1; i < width; ++i)
        own[i] -= value * column[i];
      for (int i = width; i < height; ++i)
        m_below[i - width] += value * column[i];
    }
    for (int i = width; i < height; ++i)
      work[rows[i]] -= m_below[i - width];
  }
  for (int s = f.num_supernodes() - 1; s >= 0; --s) {
    const int width = f.width(s);
    const int height = f.height(s);
    const int* rows = &f.rows[f.first_row[s]];
    double* own = work + f.first_column[s];
    for (int i = width; i < height; ++i)
      m_below[i - width] = work[rows[i]];
    for (int j = width - 1; j >= 0; --j) {
      const double* column = &m_values[f.first_value[s] + static_cast<std::size_t>(j) * height];
      double sum = own[j];
      for (int i = j + 1; i < width; ++i)
        sum -= column[i] * own[i];
      for (int i = width; i < height; ++i)
        sum -= column[i] * m_below[i - width];
      own[j] = sum / column[j];
    }
  }
  for (int k = 0; k < f.n; ++k)
    x[f.order[k]] = work[k];
}

}  // namespace tessera::direct
