// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A limit to the memory of a process that all processes come to together.
#pragma once

#include "tessera/kernels/execution/memory_tracker.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace tessera::distributed {

/// While it lives, what its thread allocates in a memory space is counted, and what steps of
/// `on_all_processes` would allocate beyond `max_bytes` is refused there, so that all processes
/// learn of it. Between steps, where a process that leaves would be waited for, nothing is refused:
/// what has gone past the limit is an error of the next step. Others may be nested in it.
class StepMemoryLimit {
 public:
  StepMemoryLimit(std::string_view space, std::int64_t max_bytes);
  ~StepMemoryLimit();
  StepMemoryLimit(const StepMemoryLimit&) = delete;
  StepMemoryLimit& operator=(const StepMemoryLimit&) = delete;

  /// What is there beyond that at the start; below 0 where more was freed.
  std::int64_t live_bytes() const { return m_memory.live_bytes(); }

  /// What the innermost limit of the thread leaves; the largest number where there is none.
  static std::int64_t room();

  /// Runs a step of this process below the innermost limit of the thread, if there is one.
  /// @throws MemoryLimitExceeded
  static void run(const std::function<void()>& step);

 private:
  std::string_view m_space;
  std::int64_t m_max_bytes;
  MemoryTracker m_memory;
  StepMemoryLimit* m_outer;
};

}  // namespace tessera::distributed
