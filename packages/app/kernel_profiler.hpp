// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Time by kernel and by level, measured inside the program through Kokkos Tools callbacks.
#pragma once

#include <string>
#include <vector>

#include "frontend/report.hpp"

namespace tessera::app {

using frontend::KernelTime;

/// The part of a kernel's label up to its first "::", by which charts group kernels.
std::string kernel_group(const std::string& kernel);

/// While it lives, each kernel and each copy is fenced and timed, which makes the program slower:
/// measure with it in a run of its own. One at a time; callbacks of a Kokkos tool that was loaded
/// are put back in the end.
class KernelProfiler {
 public:
  KernelProfiler();
  ~KernelProfiler();
  KernelProfiler(const KernelProfiler&) = delete;
  KernelProfiler& operator=(const KernelProfiler&) = delete;

  /// What was measured since the last call, the longest first.
  std::vector<KernelTime> take();
};

}  // namespace tessera::app
