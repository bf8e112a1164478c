// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parts of a factorisation that threads do side by side.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"

#include <functional>
#include <vector>

namespace tessera::direct {

/// Supernodes that one thread eliminates one after the other.
struct EliminationTask {
  std::vector<int> supernodes;  ///< ascending
  int parent = -1;  ///< the task that takes updates of this one, or -1
  int num_children = 0;  ///< tasks whose updates this one takes
  double work_to_root = 0;  ///< of the tasks from this one on
};

/// Cuts a forest of supernodes (parent[s] > s, or -1) into tasks, a forest in turn: where two or
/// more subtrees that are worth a task of their own meet, a new one begins. The tasks depend on the
/// forest alone. One task where there is not enough work for two.
std::vector<EliminationTask> elimination_tasks(const std::vector<int>& parent,
                                               const std::vector<double>& work);

/// Calls run(task, worker) for each task after its children, from up to `workers` threads of `exec`
/// at once, each with a number of its own; where one returns false no more are begun. Returns
/// whether all were done.
bool run_tasks(const HostSpace& exec, const std::vector<EliminationTask>& tasks, int workers,
               const std::function<bool(int task, int worker)>& run);

/// The same for each task after its parent, without an end before the last.
void run_tasks_from_roots(const HostSpace& exec, const std::vector<EliminationTask>& tasks,
                          int workers, const std::function<void(int task, int worker)>& run);

/// The most workers that are of use.
int max_workers(const HostSpace& exec, const std::vector<EliminationTask>& tasks);

}  // namespace tessera::direct
