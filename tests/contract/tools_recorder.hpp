// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Records what Kokkos Tools sees while it lives: kernels, allocations, copies and fences.
#pragma once

#include "support/tools_observer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

struct ToolsEvent {
  std::string label;
  std::uint32_t device = 0;  ///< Kokkos's identifier of the space and its instance
};

/// One at a time.
class ToolsRecorder : public ToolsObserver<ToolsRecorder> {
 public:
  ToolsRecorder() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(kernel);
    Tools::set_begin_parallel_reduce_callback(kernel);
    Tools::set_begin_parallel_scan_callback(kernel);
    Tools::set_allocate_data_callback(allocation);
    Tools::set_begin_fence_callback(fence);
    Tools::set_begin_deep_copy_callback(copy);
  }

  std::vector<ToolsEvent> kernels;
  std::vector<ToolsEvent> fences;
  std::vector<std::string> allocations;
  std::vector<std::string> copies;

 private:
  static void kernel(const char* name, std::uint32_t device, std::uint64_t*) {
    current().kernels.push_back({name, device});
  }
  static void fence(const char* name, std::uint32_t device, std::uint64_t*) {
    // Kokkos fences before each callback for the tool's sake, and its Threads at the end of each
    // launch, for which it waits as OpenMP does; only others count.
    const std::string label = name;
    for (const char* kokkos_own : {"Kokkos::Tools::", "Kokkos::ThreadsInternal::"})
      if (label.starts_with(kokkos_own)) return;
    current().fences.push_back({label, device});
  }
  static void allocation(Kokkos::Profiling::SpaceHandle, const char* label, const void*,
                         std::uint64_t bytes) {
    // Kokkos's CUDA backend asks for 0 bytes of team scratch at each launch of teams.
    if (bytes > 0) current().allocations.emplace_back(label);
  }
  static void copy(Kokkos::Profiling::SpaceHandle, const char* to, const void*,
                   Kokkos::Profiling::SpaceHandle, const char* from, const void*, std::uint64_t) {
    current().copies.push_back(std::string(from) + " to " + to);
  }
};

}  // namespace tessera::test
