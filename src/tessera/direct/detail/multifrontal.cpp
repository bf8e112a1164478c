// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/multifrontal.hpp"

#include <algorithm>

namespace tessera::direct::detail {

Multifrontal::Multifrontal(const HostMatrix& A, const SymbolicCholesky& f, double min_pivot,
                           double* values)
    : m_A(A),
      m_f(f),
      m_min_pivot(min_pivot),
      m_values(values),
      m_diagonal(f.n),
      m_sent(f.num_supernodes()) {}

bool Multifrontal::run(const HostSpace& exec) {
  // All memory is had here, for nothing may be thrown in a thread. It is touched by those who use
  // it.
  for (int s = 0; s < m_f.num_supernodes(); ++s)
    if (m_f.is_sent(s)) m_sent[s].reset(new double[Triangle::size(rows_below(s))]);
  int max_below = 0;
  for (int s = 0; s < m_f.num_supernodes(); ++s)
    max_below = std::max(max_below, rows_below(s));
  m_workers.resize(std::max(1, max_workers(exec, m_f.tasks)));
  for (Worker& worker : m_workers) {
    worker.place.resize(m_f.n);
    worker.local.resize(max_below);
    for (int odd = 0; odd < 2; ++odd)
      worker.stacks[odd].values.reset(new double[m_f.stack_size[odd]]);
  }
  return run_tasks(exec, m_f.tasks, static_cast<int>(m_workers.size()), [&](int task, int worker) {
    return run_task(m_f.tasks[task], m_workers[worker]);
  });
}

int Multifrontal::raised_pivots() const {
  int sum = 0;
  for (const Worker& worker : m_workers)
    sum += worker.raised;
  return sum;
}

bool Multifrontal::run_task(const EliminationTask& task, Worker& worker) {
  return std::all_of(task.supernodes.begin(), task.supernodes.end(),
                     [&](int s) { return eliminate(s, worker); });
}

bool Multifrontal::eliminate(int s, Worker& worker) {
  const Panel panel = panel_of(s);
  Stack& stack = worker.stacks[m_f.depth[s] % 2];
  const Triangle update{m_f.is_sent(s) ? m_sent[s].get() : stack.values.get() + stack.top,
                        rows_below(s)};
  for (int j = 0; j < panel.width; ++j)
    std::fill(panel.column(j) + j, panel.column(j) + panel.height, 0.0);
  std::fill_n(update.values, update.size(), 0.0);
  for (int k = 0; k < panel.height; ++k)
    worker.place[m_f.row(s, k)] = k;
  fill(s, panel, worker);
  add_updates_of_children(s, panel, update, worker);
  PivotRule rule{m_min_pivot};
  if (!factor_panel(panel, &m_diagonal[m_f.first_column[s]], rule)) return false;
  worker.raised += rule.raised;
  subtract_outer_product(panel, update);
  if (!m_f.is_sent(s)) stack.top += update.size();
  return true;
}

/// The entries of A in the supernode's columns, on and below the diagonal. Those are, A being
/// symmetric, the ones of the same rows right of it; one that the transpose lacks is round-off.
void Multifrontal::fill(int s, const Panel& panel, const Worker& worker) {
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

void Multifrontal::add_updates_of_children(int s, const Panel& panel, const Triangle& update,
                                           Worker& worker) {
  Stack& stack = worker.stacks[(m_f.depth[s] + 1) % 2];
  for (int c = m_f.last_child[s]; c != -1; c = m_f.sibling_before[c]) {
    if (m_f.is_sent(c)) {
      add_update(c, m_sent[c].get(), panel, update, worker);
      m_sent[c].reset();
    } else {
      stack.top -= Triangle::size(rows_below(c));
      add_update(c, stack.values.get() + stack.top, panel, update, worker);
    }
  }
}

void Multifrontal::add_update(int child, double* from, const Panel& panel, const Triangle& update,
                              Worker& worker) {
  const Triangle source{from, rows_below(child)};
  int* local = worker.local.data();
  for (int k = 0; k < source.n; ++k)
    local[k] = worker.place[m_f.row(child, m_f.width(child) + k)];
  for (int j = 0; j < source.n; ++j) {
    const int to = local[j];
    double* column =
        to < panel.width ? panel.column(to) : update.column(to - panel.width) - panel.width;
    const double* values = source.column(j);
    for (int i = j; i < source.n; ++i)
      column[local[i]] += values[i];
  }
}

}  // namespace tessera::direct::detail
