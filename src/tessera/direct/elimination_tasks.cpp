// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/elimination_tasks.hpp"

#include "tessera/direct/selection_rules.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace tessera::direct {
namespace {

std::vector<double> work_of_subtrees(const std::vector<int>& parent, std::vector<double> work) {
  for (std::size_t s = 0; s < parent.size(); ++s) {
    if (parent[s] >= 0) work[parent[s]] += work[s];
  }
  return work;
}

/// The tasks of the supernodes whose subtrees are large; -1 elsewhere. Such a supernode goes on
/// with the task of a large child, if there is one alone.
std::vector<int> tasks_of_large_subtrees(const std::vector<int>& parent,
                                         const std::vector<double>& subtree, double least,
                                         int& num_tasks) {
  const std::size_t count = parent.size();
  std::vector<int> task(count, -1);
  std::vector<int> large_children(count, 0);
  std::vector<int> task_of_child(count, -1);
  for (std::size_t s = 0; s < count; ++s) {
    if (subtree[s] < least) continue;
    task[s] = large_children[s] == 1 ? task_of_child[s] : num_tasks++;
    if (parent[s] < 0) continue;
    ++large_children[parent[s]];
    task_of_child[parent[s]] = task[s];
  }
  return task;
}

/// Tasks that are waiting for a thread, and those that wait for others.
class Queue {
 public:
  Queue(const std::vector<EliminationTask>& tasks, bool from_roots)
      : m_tasks(tasks), m_from_roots(from_roots), m_left(static_cast<int>(tasks.size())) {
    m_ready.reserve(tasks.size());  // nothing may be thrown in a thread
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      m_waits_for.push_back(from_roots ? tasks[t].parent >= 0 : tasks[t].num_children);
      if (m_waits_for.back() == 0) m_ready.push_back(static_cast<int>(t));
    }
  }

  bool is_over() const { return m_left == 0 || m_failed; }
  bool has_failed() const { return m_failed; }
  void fail() { m_failed = true; }

  /// The one with the longest way to the root; -1 where none is ready.
  int take() {
    const std::lock_guard lock(m_mutex);
    if (m_ready.empty()) return -1;
    const auto first = std::max_element(m_ready.begin(), m_ready.end(), [&](int a, int b) {
      return m_tasks[a].work_to_root < m_tasks[b].work_to_root;
    });
    const int task = *first;
    m_ready.erase(first);
    return task;
  }

  void finish(int task) {
    const std::lock_guard lock(m_mutex);
    if (m_from_roots) {
      for (std::size_t t = 0; t < m_tasks.size(); ++t)
        if (m_tasks[t].parent == task) m_ready.push_back(static_cast<int>(t));
    } else {
      const int parent = m_tasks[task].parent;
      if (parent >= 0 && --m_waits_for[parent] == 0) m_ready.push_back(parent);
    }
    --m_left;
  }

 private:
  const std::vector<EliminationTask>& m_tasks;
  bool m_from_roots;
  std::mutex m_mutex;
  std::vector<int> m_waits_for;
  std::vector<int> m_ready;
  std::atomic<int> m_left;
  std::atomic<bool> m_failed = false;
};

/// What each worker does. One that is alone never waits: a task that is left is ready then.
void work(Queue& queue, int worker, const std::function<bool(int, int)>& run) {
  while (!queue.is_over()) {
    const int task = queue.take();
    if (task < 0) {
      std::this_thread::yield();
    } else if (run(task, worker)) {
      queue.finish(task);
    } else {
      queue.fail();
    }
  }
}

void run_queue(const HostSpace& exec, Queue& queue, int workers,
               const std::function<bool(int, int)>& run) {
  if (workers <= 1) return work(queue, 0, run);
  const Kokkos::RangePolicy<HostSpace, Kokkos::Schedule<Kokkos::Static>> policy(exec, 0, workers);
  Kokkos::parallel_for("tessera::direct::run_tasks", policy,
                       [&](const int worker) { work(queue, worker, run); });
  exec.fence("tessera::direct::run_tasks");
}

}  // namespace

std::vector<EliminationTask> elimination_tasks(const std::vector<int>& parent,
                                               const std::vector<double>& work) {
  double total = 0;
  for (const double w : work)
    total += w;
  const double least =
      std::max<double>(rules::min_flops_per_task, rules::min_share_per_task * total);
  int num_tasks = 0;
  auto task = tasks_of_large_subtrees(parent, work_of_subtrees(parent, work), least, num_tasks);
  // Small subtrees are their parent's, and small trees are one more task's.
  const int of_small_trees = num_tasks;
  for (int s = static_cast<int>(parent.size()) - 1; s >= 0; --s) {
    if (task[s] >= 0) continue;
    task[s] = parent[s] >= 0 ? task[parent[s]] : of_small_trees;
    if (task[s] == of_small_trees) num_tasks = of_small_trees + 1;
  }
  std::vector<EliminationTask> tasks(num_tasks);
  for (std::size_t s = 0; s < parent.size(); ++s) {
    EliminationTask& own = tasks[task[s]];
    own.supernodes.push_back(static_cast<int>(s));
    own.work_to_root += work[s];
    if (parent[s] < 0 || task[parent[s]] == task[s]) continue;
    own.parent = task[parent[s]];
    ++tasks[own.parent].num_children;
  }
  // Tasks are numbered as their last supernodes' subtrees end: a parent comes after its children.
  for (int t = num_tasks - 1; t >= 0; --t) {
    if (tasks[t].parent >= 0) tasks[t].work_to_root += tasks[tasks[t].parent].work_to_root;
  }
  return tasks;
}

int max_workers(const HostSpace& exec, const std::vector<EliminationTask>& tasks) {
  const auto leaves = std::count_if(tasks.begin(), tasks.end(), [](const EliminationTask& task) {
    return task.num_children == 0;
  });
  return static_cast<int>(std::min<std::ptrdiff_t>(exec.concurrency(), leaves));
}

bool run_tasks(const HostSpace& exec, const std::vector<EliminationTask>& tasks, int workers,
               const std::function<bool(int task, int worker)>& run) {
  Queue queue(tasks, false);
  run_queue(exec, queue, workers, run);
  return !queue.has_failed();
}

void run_tasks_from_roots(const HostSpace& exec, const std::vector<EliminationTask>& tasks,
                          int workers, const std::function<void(int task, int worker)>& run) {
  Queue queue(tasks, true);
  run_queue(exec, queue, workers, [&](int task, int worker) {
    run(task, worker);
    return true;
  });
}

}  // namespace tessera::direct
