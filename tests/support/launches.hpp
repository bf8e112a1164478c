// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How often kernels of a label are launched, counted by Kokkos Tools.
#pragma once

#include "support/tools_observer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::test {

/// Counts launches of loops whose labels end with some text while it lives; one at a time. Those
/// that a graph repeats count once, when they are recorded.
class LaunchesOf : public ToolsObserver<LaunchesOf> {
 public:
  explicit LaunchesOf(std::string ending) : m_ending(std::move(ending)) {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
  }

  int count() const { return m_count; }

 private:
  static void begin(const char* label, std::uint32_t, std::uint64_t*) {
    if (std::string_view(label).ends_with(current().m_ending)) ++current().m_count;
  }

  std::string m_ending;
  int m_count = 0;
};

}  // namespace tessera::test
