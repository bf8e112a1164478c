// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much device memory a call needs at its peak, by what Kokkos tells its tools.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tessera::perf {

/// Counts the bytes of device Views while it lives; one at a time.
class MemoryWatch {
 public:
  MemoryWatch() {
    live = peak = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(allocated);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(freed);
  }
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;
  ~MemoryWatch() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }

  /// The most bytes that were there at once beyond those at the start.
  std::int64_t peak_bytes() const { return peak; }

 private:
  static bool on_device(const Kokkos::Profiling::SpaceHandle& space) {
    using Memory = Kokkos::DefaultExecutionSpace::memory_space;
    return std::string_view(space.name) == Memory::name();
  }
  static void allocated(const Kokkos::Profiling::SpaceHandle space, const char*, const void*,
                        const std::uint64_t bytes) {
    if (!on_device(space)) return;
    live += static_cast<std::int64_t>(bytes);
    peak = std::max(peak, live);
  }
  static void freed(const Kokkos::Profiling::SpaceHandle space, const char*, const void*,
                    const std::uint64_t bytes) {
    if (on_device(space)) live -= static_cast<std::int64_t>(bytes);
  }

  static inline std::int64_t live = 0, peak = 0;
};

}  // namespace tessera::perf
