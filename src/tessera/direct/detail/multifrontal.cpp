// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/multifrontal.hpp"

#include <algorithm>

namespace tessera::direct::detail {

Multifrontal::Multifrontal(const SymbolicCholesky& f, int triangles)
    : m_f(f), m_triangles(triangles), m_sent(f.num_supernodes()) {}

bool Multifrontal::run(const HostSpace& exec) {
  // All memory is had here, for nothing may be thrown in a thread. It is touched by those who use
  // it.
  for (int s = 0; s < m_f.num_supernodes(); ++s)
    if (m_f.is_sent(s)) m_sent[s].reset(new double[update_size(s)]);
  int max_below = 0;
  for (int s = 0; s < m_f.num_supernodes(); ++s)
    max_below = std::max(max_below, rows_below(s));
  m_workers.resize(std::max(1, max_workers(exec, m_f.tasks)));
  for (Worker& worker : m_workers) {
    worker.place.resize(m_f.n);
    worker.local.resize(max_below);
    for (int odd = 0; odd < 2; ++odd)
      worker.stacks[odd].values.reset(new double[m_triangles * m_f.stack_size[odd]]);
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
  Stack& stack = worker.stacks[m_f.depth[s] % 2];
  double* const update = m_f.is_sent(s) ? m_sent[s].get() : stack.values.get() + stack.top;
  std::fill_n(update, update_size(s), 0.0);
  for (int k = 0; k < m_f.height(s); ++k)
    worker.place[m_f.row(s, k)] = k;
  fill(s, worker);
  add_updates_of_children(s, update, worker);
  if (!factor(s, update, worker)) return false;
  if (!m_f.is_sent(s)) stack.top += update_size(s);
  return true;
}

void Multifrontal::add_updates_of_children(int s, double* update, Worker& worker) {
  Stack& stack = worker.stacks[(m_f.depth[s] + 1) % 2];
  for (int c = m_f.last_child[s]; c != -1; c = m_f.sibling_before[c]) {
    for (int k = 0; k < rows_below(c); ++k)
      worker.local[k] = worker.place[m_f.row(c, m_f.width(c) + k)];
    if (m_f.is_sent(c)) {
      add_update(s, c, m_sent[c].get(), update, worker);
      m_sent[c].reset();
    } else {
      stack.top -= update_size(c);
      add_update(s, c, stack.values.get() + stack.top, update, worker);
    }
  }
}

}  // namespace tessera::direct::detail
