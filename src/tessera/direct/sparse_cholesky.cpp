// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_cholesky.hpp"

#include "tessera/direct/detail/multifrontal.hpp"
#include "tessera/direct/detail/partial_cholesky.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"

#include <algorithm>
#include <vector>

namespace tessera::direct::detail {

/// x <- L^-T L^-1 x in the factor's numbering, task by task. What a task takes off the rows of
/// those above it is added up by itself, and by them in the order of their children: the same bits
/// by any number of threads.
class TriangularSolve {
 public:
  TriangularSolve(const SymbolicCholesky& f, int max_workers);

  /// By up to `workers` threads of `exec`, no more than there is room for.
  void run(const HostSpace& exec, int workers, const double* panels, double* x);

  int max_workers() const { return static_cast<int>(m_workers.size()); }

 private:
  struct Worker {
    std::vector<double> outside;  ///< what goes to rows above the task's own; zero between tasks
    std::vector<double> below;  ///< of a supernode's rows below its own columns
  };

  void forward(int task, Worker& worker, const double* panels, double* x);
  void backward(int task, Worker& worker, const double* panels, double* x) const;
  Panel panel(int s, const double* panels) const;

  const SymbolicCholesky& m_f;
  std::vector<Worker> m_workers;
  std::vector<std::vector<double>>
      m_passed;  ///< by each task, for the rows below its last supernode
};

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

void TriangularSolve::run(const HostSpace& exec, int workers, const double* panels, double* x) {
  const int count = std::min(workers, max_workers());
  (void)run_tasks(exec, m_f.tasks, count, [&](int task, int worker) {
    forward(task, m_workers[worker], panels, x);
    return true;
  });
  run_tasks_from_roots(exec, m_f.tasks, count,
                       [&](int task, int worker) { backward(task, m_workers[worker], panels, x); });
}

Panel TriangularSolve::panel(int s, const double* panels) const {
  // Panels are read here.
  return {const_cast<double*>(panels) + m_f.first_value[s], m_f.height(s), m_f.width(s)};
}

void TriangularSolve::forward(int task, Worker& worker, const double* panels, double* x) {
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
    solve_forward(panel(s, panels), x + m_f.first_column[s], worker.below.data());
    add(s, worker.below.data());
  }
  std::vector<double>& passed = m_passed[task];
  for (std::size_t k = 0; k < passed.size(); ++k) {
    double& value = worker.outside[m_f.row(last, m_f.width(last) + static_cast<int>(k))];
    passed[k] = value;
    value = 0;
  }
}

void TriangularSolve::backward(int task, Worker& worker, const double* panels, double* x) const {
  const std::vector<int>& supernodes = m_f.tasks[task].supernodes;
  for (auto s = supernodes.rbegin(); s != supernodes.rend(); ++s) {
    const int* rows = &m_f.rows[m_f.first_row[*s]] + m_f.width(*s);
    const int below = m_f.height(*s) - m_f.width(*s);
    for (int k = 0; k < below; ++k)
      worker.below[k] = x[rows[k]];
    solve_backward(panel(*s, panels), x + m_f.first_column[*s], worker.below.data());
  }
}

}  // namespace tessera::direct::detail

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
