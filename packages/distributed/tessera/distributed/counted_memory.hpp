// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that is counted and not taken.
#pragma once

#include "tessera/kernels/execution/memory_tracker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::distributed {

/// While it lives, `MemoryTracker`s of its thread count so many bytes as if an array had them. A
/// forecast has it in the place of an array that would take too long to fill.
class CountedMemory {
 public:
  /// `space` is the name of a memory space and outlives this.
  /// @throws MemoryLimitExceeded, which names the array by its label, where it would be refused
  CountedMemory(std::string_view space, const std::string& label, std::size_t bytes)
      : m_space(space), m_bytes(static_cast<std::int64_t>(bytes)) {
    MemoryTracker::require_room(space, label, bytes);
    MemoryTracker::count(m_space, m_bytes);
  }
  ~CountedMemory() { MemoryTracker::count(m_space, -m_bytes); }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

 private:
  std::string_view m_space;
  std::int64_t m_bytes;
};

}  // namespace tessera::distributed
