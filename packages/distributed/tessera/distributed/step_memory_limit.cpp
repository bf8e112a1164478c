// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/step_memory_limit.hpp"

#include <limits>
#include <string>

namespace tessera::distributed {
namespace {

/// Of this thread.
thread_local StepMemoryLimit* innermost_limit = nullptr;

}  // namespace

StepMemoryLimit::StepMemoryLimit(std::string_view space, std::int64_t max_bytes)
    : m_space(space), m_max_bytes(max_bytes), m_memory(space, true), m_outer(innermost_limit) {
  innermost_limit = this;
}

StepMemoryLimit::~StepMemoryLimit() { innermost_limit = m_outer; }

std::int64_t StepMemoryLimit::room() {
  const StepMemoryLimit* const limit = innermost_limit;
  return limit == nullptr ? std::numeric_limits<std::int64_t>::max()
                          : limit->m_max_bytes - limit->live_bytes();
}

void StepMemoryLimit::run(const std::function<void()>& step) {
  const StepMemoryLimit* const limit = innermost_limit;
  if (limit == nullptr) return step();
  if (static_cast<std::int64_t>(limit->m_memory.peak_bytes()) > limit->m_max_bytes)
    throw MemoryLimitExceeded(
        std::to_string(static_cast<double>(limit->m_memory.peak_bytes()) / 0x1p20) +
        " MiB were taken of a limit of " +
        std::to_string(static_cast<double>(limit->m_max_bytes) / 0x1p20) + " MiB");
  const MemoryTracker below(limit->m_space, true, limit->m_max_bytes - limit->live_bytes());
  step();
}

}  // namespace tessera::distributed
