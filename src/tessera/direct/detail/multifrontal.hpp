// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of a sparse Cholesky factor.
#pragma once

#include "tessera/direct/detail/partial_cholesky.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <vector>

namespace tessera::direct::detail {

/// Fills and factors the panels, children before parents. What each leaves for the rows below it,
/// its update, waits for the parent: on a stack of the thread's own or, where the parent is another
/// task's, by itself.
class Multifrontal {
 public:
  /// `values`: room for the panels of `f`, which was made of A's pattern.
  Multifrontal(const HostMatrix& A, const SymbolicCholesky& f, double min_pivot, double* values);

  /// False where A is not definite.
  [[nodiscard]] bool run(const HostSpace& exec);

  int raised_pivots() const;

 private:
  /// Updates in the order in which they come; the last goes first.
  struct Stack {
    std::unique_ptr<double[]> values;
    std::size_t top = 0;
  };
  /// What a thread has for itself.
  struct Worker {
    std::vector<int> place;  ///< of a row in the current supernode
    std::vector<int> local;  ///< the same for the rows of a child's update
    Stack
        stacks[2];  ///< for supernodes of even and odd depth: a parent's lies not on its children's
    int raised = 0;
  };

  bool run_task(const EliminationTask& task, Worker& worker);
  bool eliminate(int s, Worker& worker);
  void fill(int s, const Panel& panel, const Worker& worker);
  void add_updates_of_children(int s, const Panel& panel, const Triangle& update, Worker& worker);
  void add_update(int child, double* from, const Panel& panel, const Triangle& update,
                  Worker& worker);
  Panel panel_of(int s) const {
    return {m_values + m_f.first_value[s], m_f.height(s), m_f.width(s)};
  }
  int rows_below(int s) const { return m_f.height(s) - m_f.width(s); }

  const HostMatrix& m_A;
  const SymbolicCholesky& m_f;
  double m_min_pivot;
  double* m_values;
  std::vector<double> m_diagonal;
  std::vector<std::unique_ptr<double[]>> m_sent;  ///< updates for other tasks, by supernode
  std::vector<Worker> m_workers;
};

}  // namespace tessera::direct::detail
