// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much memory a step of the calling thread needs at its peak, and a limit to it.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera {

/// An array that does not fit below the limit of a `MemoryTracker`.
class MemoryLimitExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Counts, while it lives, the bytes of Views in one memory space that its own thread allocates and
/// frees, by what Kokkos tells its tools. Trackers may be nested, and other threads may have their
/// own; each must end on its thread, before the trackers that were there when it began.
///
/// It adds itself to the callbacks of Kokkos Tools and passes every event on to those that were
/// there, such as a tool's that the user has loaded; the last tracker to end puts them back. As
/// with all of Kokkos Tools' callbacks, no other thread may set any in the meantime.
class MemoryTracker {
 public:
  /// `space`: the memory space's name, such as Space::memory_space::name(). Where not `enabled`,
  /// nothing is touched or counted. `max_bytes`: an array with which more than these would be there
  /// beyond those at the start is refused by `require_room`.
  MemoryTracker(std::string_view space, bool enabled,
                std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max());
  ~MemoryTracker();
  MemoryTracker(const MemoryTracker&) = delete;
  MemoryTracker& operator=(const MemoryTracker&) = delete;

  /// The most bytes that were there at once beyond those at the start; 0 where not enabled.
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(m_peak); }

  /// Those that are there beyond those at the start; below 0 where more were freed.
  std::int64_t live_bytes() const { return m_live; }

  /// Before an array is allocated, by `allocate` and what else makes large ones.
  /// @throws MemoryLimitExceeded, which names the array
  static void require_room(std::string_view space, const std::string& label, std::size_t bytes) {
    if (innermost_tracker() != nullptr) require_room_of_all(space, label, bytes);
  }

  /// Bytes that came (above 0) or went, in the space of that name; what the callbacks call.
  static void count(std::string_view space, std::int64_t bytes);

 private:
  static MemoryTracker* innermost_tracker();
  static void require_room_of_all(std::string_view space, const std::string& label,
                                  std::size_t bytes);

  std::string_view m_space;
  bool m_enabled;
  std::int64_t m_max_bytes;
  std::int64_t m_live = 0;
  std::int64_t m_peak = 0;
  MemoryTracker* m_outer = nullptr;
};

}  // namespace tessera
