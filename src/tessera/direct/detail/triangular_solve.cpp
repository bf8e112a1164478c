// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/triangular_solve.hpp"

#include <algorithm>

namespace tessera::direct::detail {

TriangularSolve::TriangularSolve(const SymbolicCholesky& f, int max_workers)
    : m_f(f), m_workers(std::max(1, max_workers)) {
  int max_below = 0;
  for (int s = 0; s < f.num_supernodes(); ++s)
    max_below = std::max(max_below, f.height(s) - f.width(s));
  for (Worker& worker : m_workers) {
    worker.outside.assign(f.n, 0.0);
    worker.below.resize(max_below);
  }
  for (const EliminationTask& task : f.tasks) {
    const int last = task.supernodes.back();
    m_passed.emplace_back(f.height(last) - f.width(last));
  }
}

void TriangularSolve::run(const HostSpace& exec, int workers, const SupernodeSolve& factors,
                          double* x) {
  const int count = std::min(workers, static_cast<int>(m_workers.size()));
  (void)run_tasks(exec, m_f.tasks, count, [&](int task, int worker) {
    forward(task, m_workers[worker], factors, x);
    return true;
  });
  run_tasks_from_roots(exec, m_f.tasks, count, [&](int task, int worker) {
    backward(task, m_workers[worker], factors, x);
  });
}

void TriangularSolve::forward(int task, Worker& worker, const SupernodeSolve& factors, double* x) {
  const std::vector<int>& supernodes = m_f.tasks[task].supernodes;
  const int last = supernodes.back();
  const int end = m_f.first_column[last + 1];
  const auto add = [&](int s, const double* from) {
    const int* rows = &m_f.rows[m_f.first_row[s]] + m_f.width(s);
    const int below = m_f.height(s) - m_f.width(s);
    int k = 0;
    for (; k < below && rows[k] < end; ++k)
      x[rows[k]] += from[k];
    for (; k < below; ++k)
      worker.outside[rows[k]] += from[k];
  };
  for (std::size_t child = 0; child < m_f.tasks.size(); ++child) {
    if (m_f.tasks[child].parent == task)
      add(m_f.tasks[child].supernodes.back(), m_passed[child].data());
  }
  for (const int s : supernodes) {
    std::fill_n(worker.below.begin(), m_f.height(s) - m_f.width(s), 0.0);
    factors.forward(s, x + m_f.first_column[s], worker.below.data());
    add(s, worker.below.data());
  }
  std::vector<double>& passed = m_passed[task];
  for (std::size_t k = 0; k < passed.size(); ++k) {
    double& value = worker.outside[m_f.row(last, m_f.width(last) + static_cast<int>(k))];
    passed[k] = value;
    value = 0;
  }
}

void TriangularSolve::backward(int task, Worker& worker, const SupernodeSolve& factors,
                               double* x) const {
  const std::vector<int>& supernodes = m_f.tasks[task].supernodes;
  for (auto s = supernodes.rbegin(); s != supernodes.rend(); ++s) {
    const int* rows = &m_f.rows[m_f.first_row[*s]] + m_f.width(*s);
    const int below = m_f.height(*s) - m_f.width(*s);
    for (int k = 0; k < below; ++k)
      worker.below[k] = x[rows[k]];
    factors.backward(*s, x + m_f.first_column[*s], worker.below.data());
  }
}

}  // namespace tessera::direct::detail
