// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a profiler sees work under.
#pragma once

#include <Kokkos_Core.hpp>

#include <new>
#include <string>

namespace tessera::kernels {

/// A region of Kokkos's tools for as long as this lives. `Kokkos::Profiling::ScopedRegion` ends the
/// program where the host has no memory for the name of a fence that a tool might ask for at its
/// end; here the region then stays open for a tool, and the program goes on.
class ProfilingRegion {
 public:
  explicit ProfilingRegion(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
  ~ProfilingRegion() {
    try {
      Kokkos::Profiling::popRegion();
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    }
  }
  ProfilingRegion(const ProfilingRegion&) = delete;
  ProfilingRegion& operator=(const ProfilingRegion&) = delete;
};

}  // namespace tessera::kernels
