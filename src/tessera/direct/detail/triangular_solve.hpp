// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with the panels of a sparse Cholesky factor.
#pragma once

#include "tessera/direct/detail/partial_cholesky.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"

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

}  // namespace tessera::direct::detail
