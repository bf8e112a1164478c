// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much memory a step of the calling thread needs at its peak.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

/// Counts, while it lives, the bytes of Views in one memory space that its own thread allocates and
/// frees, by what Kokkos tells its tools. Watches may be nested, and other threads may have their
/// own; each must end on its thread, before the watches that were there when it began.
///
/// It adds itself to the callbacks of Kokkos Tools and passes every event on to those that were
/// there, such as a tool's that the user has loaded; the last watch to end puts them back. As with
/// all of Kokkos Tools' callbacks, no other thread may set any in the meantime.
class MemoryTracker {
 public:
  /// `space`: the memory space's name, such as Space::memory_space::name(). Where not `enabled`,
  /// nothing is touched or counted.
  MemoryTracker(std::string_view space, bool enabled);
  ~MemoryTracker();
  MemoryTracker(const MemoryTracker&) = delete;
  MemoryTracker& operator=(const MemoryTracker&) = delete;

  /// The most bytes that were there at once beyond those at the start; 0 where not enabled.
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(m_peak); }

  /// Bytes that came (above 0) or went, in the space of that name; what the callbacks call.
  static void count(std::string_view space, std::int64_t bytes);

 private:
  std::string_view m_space;
  bool m_enabled;
  std::int64_t m_live = 0;
  std::int64_t m_peak = 0;
  MemoryTracker* m_outer = nullptr;
};

}  // namespace tessera
