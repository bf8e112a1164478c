// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Times of short work that is repeated.
#pragma once

#include "support/median.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <Kokkos_Timer.hpp>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::perf {

/// The median of `repeats` runs of `times` each after one to warm up, in ms for one.
template <class Space>
double median_ms(const Space& exec, int repeats, int times, const std::function<void()>& run) {
  std::vector<double> ms;
  for (int i = 0; i <= repeats; ++i) {
    exec.fence("tessera::perf::start");
    const Kokkos::Timer timer;
    for (int k = 0; k < times; ++k)
      run();
    exec.fence("tessera::perf::end");
    if (i > 0) ms.push_back(timer.seconds() * 1e3 / times);
  }
  return median_of(std::move(ms));
}

}  // namespace tessera::perf
