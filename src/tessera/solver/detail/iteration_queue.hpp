// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations that are queued, and whose outcome the host reads while the next one runs.
#pragma once

#include "tessera/kernels/execution/queue_event.hpp"

#include <string>

namespace tessera::detail {

/// At most one iteration is queued beyond the one whose report is awaited, so that reports need two
/// places: iteration `i` of a run, from 0 on, has place i % 2.
template <class Space>
class IterationQueue {
 public:
  explicit IterationQueue(std::string label = "tessera::solver::iteration")
      : m_label(std::move(label)) {}

  /// Calls `queue(i)` for iteration after iteration, and `read(i % 2)` when iteration i is done,
  /// until that returns false. While `may_queue_ahead()`, iteration i + 1 is queued before i is
  /// awaited. Returns true where one iteration more was queued than was read.
  ///
  /// Where something throws, nothing is queued any more: whoever catches it may free what the
  /// iterations work on.
  template <class Queue, class MayQueueAhead, class Read>
  bool run(const Space& exec, const Queue& queue, const MayQueueAhead& may_queue_ahead,
           const Read& read) {
    try {
      return run_all(exec, queue, may_queue_ahead, read);
    } catch (...) {
      exec.fence(m_label);
      throw;
    }
  }

 private:
  template <class Queue, class MayQueueAhead, class Read>
  bool run_all(const Space& exec, const Queue& queue, const MayQueueAhead& may_queue_ahead,
               const Read& read) {
    int queued = 0;
    const auto queue_next = [&] {
      queue(queued);
      m_marks[queued++ % 2].set(exec);
    };
    for (int next = 0;; ++next) {
      if (queued == next) queue_next();
      if (may_queue_ahead()) queue_next();
      m_marks[next % 2].await(m_label);
      if (!read(next % 2)) return queued > next + 1;
    }
  }

  std::string m_label;
  kernels::QueueEvent<Space> m_marks[2];
};

}  // namespace tessera::detail
