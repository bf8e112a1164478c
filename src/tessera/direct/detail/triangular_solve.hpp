// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with sparse factors, by all threads.
#pragma once

#include "tessera/direct/symbolic_cholesky.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <vector>

namespace tessera::direct::detail {

/// What the factors of a supernode do to its own numbers and to those of the rows below.
class SupernodeSolve {
 public:
  virtual ~SupernodeSolve() = default;
  virtual void forward(int s, double* own, double* below) const = 0;
  virtual void backward(int s, double* own, const double* below) const = 0;
};

/// Solves in the factor's numbering, task by task. What a task takes off the rows of those above it
/// is added up by itself, and by them in the order of their children: the same bits by any number
/// of threads.
class TriangularSolve {
 public:
  TriangularSolve(const SymbolicCholesky& f, int max_workers);

  /// By up to `workers` threads of `exec`, no more than there is room for.
  void run(const HostSpace& exec, int workers, const SupernodeSolve& factors, double* x);

 private:
  struct Worker {
    std::vector<double> outside;  ///< what goes to rows above the task's own; zero between tasks
    std::vector<double> below;  ///< of a supernode's rows below its own columns
  };

  void forward(int task, Worker& worker, const SupernodeSolve& factors, double* x);
  void backward(int task, Worker& worker, const SupernodeSolve& factors, double* x) const;

  const SymbolicCholesky& m_f;
  std::vector<Worker> m_workers;
  std::vector<std::vector<double>>
      m_passed;  ///< by each task, for the rows below its last supernode
};

}  // namespace tessera::direct::detail
