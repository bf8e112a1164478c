// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera::detail {

namespace {

class TaskQueue {
 public:
  TaskQueue(std::size_t count, const std::function<void(std::size_t)>& task)
      : m_count(count), m_failed(count), m_task(task) {}

  // Tasks are handed out in order, so every task below a failing one has been started: skipping
  // those above it never hides the lowest failure.
  bool run_one() {
    const std::size_t i = m_next.fetch_add(1);
    if (i >= m_count || i > m_failed.load()) return false;
    try {
      m_task(i);
    } catch (...) {
      const std::lock_guard lock(m_mutex);
      if (i < m_failed.load()) {
        m_failed.store(i);
        m_exception = std::current_exception();
      }
    }
    return true;
  }

  void rethrow() const {
    if (m_exception) std::rethrow_exception(m_exception);
  }

 private:
  std::size_t m_count;
  std::atomic<std::size_t> m_next{0};
  std::atomic<std::size_t> m_failed;
  const std::function<void(std::size_t)>& m_task;
  std::mutex m_mutex;
  std::exception_ptr m_exception;
};

/// Another thread that works at the queue; false where the machine grants no more.
bool add_helper(std::vector<std::jthread>& helpers, TaskQueue& queue) {
  try {
    helpers.emplace_back([&queue] {
      while (queue.run_one()) {
      }
    });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace

void for_each_task(int threads, std::size_t count, const std::function<void(std::size_t)>& task,
                   const std::function<void()>& after_own_task) {
  TaskQueue queue(count, task);
  std::vector<std::jthread> helpers;
  // Those that there are, and this thread, do all the work.
  for (int t = 1; t < threads && static_cast<std::size_t>(t) < count; ++t)
    if (!add_helper(helpers, queue)) break;
  while (queue.run_one()) {
    if (after_own_task) after_own_task();
  }
  helpers.clear();  // joins
  queue.rethrow();
}

}  // namespace tessera::detail
