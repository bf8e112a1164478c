// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way through the fronts of sparse factors.
#pragma once

#include "tessera/direct/detail/panel.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <vector>

namespace tessera::direct::detail {

/// Fills and factors the fronts, children before parents. What each leaves for the rows below it,
/// its update, waits for the parent: on a stack of the thread's own or, where the parent is another
/// task's, by itself.
class Multifrontal {
 public:
  virtual ~Multifrontal() = default;

  /// False where a front cannot be factored.
  [[nodiscard]] bool run(const HostSpace& exec);

  /// Of all fronts.
  int raised_pivots() const;

 protected:
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

  /// `triangles`: that an update has room for.
  Multifrontal(const SymbolicCholesky& f, int triangles);

  /// Sets the front of supernode s to the entries of the matrix in it.
  virtual void fill(int s, const Worker& worker) = 0;
  /// Adds a child's update to the front and to its own update.
  virtual void add_update(int s, int child, const double* from, double* update,
                          const Worker& worker) = 0;
  virtual bool factor(int s, double* update, Worker& worker) = 0;

  int rows_below(int s) const { return m_f.height(s) - m_f.width(s); }

  const SymbolicCholesky& m_f;

 private:
  bool run_task(const EliminationTask& task, Worker& worker);
  bool eliminate(int s, Worker& worker);
  void add_updates_of_children(int s, double* update, Worker& worker);
  std::size_t update_size(int s) const { return m_triangles * Triangle::size(rows_below(s)); }

  std::size_t m_triangles;
  std::vector<std::unique_ptr<double[]>> m_sent;  ///< updates for other tasks, by supernode
  std::vector<Worker> m_workers;
};

}  // namespace tessera::direct::detail
