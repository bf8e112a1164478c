// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A kernel that keeps an execution-space instance of a device busy.
#pragma once

#include "tessera/kernels/execution/cooperative_group.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

namespace tessera::test {

/// What the kernel and the host exchange.
enum LongKernelWord { started, released, ran_out, num_words };

/// One thread that turns until it is released, or until its own clock says that it is enough.
template <class Space>
struct Spin {
  using Api = kernels::detail::CooperativeApi<Space>;

  volatile int* words;
  std::uint64_t ticks;

  KOKKOS_FUNCTION void operator()(int) const {
    const std::uint64_t begin = Api::ticks();
    words[started] = 1;
    while (words[released] == 0) {
      if (Api::ticks() - begin < ticks) continue;
      words[ran_out] = 1;
      return;
    }
  }
};

/// It runs from the constructor on until it is released, for `limit_s` seconds at the most: who
/// waits for it goes on then, and `has_run_out` tells.
template <class Space>
class LongKernel {
 public:
  static constexpr double limit_s = 5;

  explicit LongKernel(const Space& exec)
      : m_exec(exec), m_words(kernels::allocate_report<int>(exec, "tessera::test", num_words)) {
    exec.fence("tessera::test: there is room for the words");
    for (int i = 0; i < num_words; ++i)
      m_words(i) = 0;
    const double ticks = limit_s * Spin<Space>::Api::ticks_per_second(exec);
    Kokkos::parallel_for("tessera::test::spin", Kokkos::RangePolicy<Space>(exec, 0, 1),
                         Spin<Space>{m_words.data(), static_cast<std::uint64_t>(ticks)});
  }
  ~LongKernel() { release(); }
  LongKernel(const LongKernel&) = delete;
  LongKernel& operator=(const LongKernel&) = delete;

  /// Whether it comes to run within `limit_s`.
  bool starts() const {
    const auto begin = std::chrono::steady_clock::now();
    while (word(started) == 0) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(limit_s))
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  bool has_run_out() const { return word(ran_out) != 0; }
  /// Waits for its end.
  void release() {
    word(released) = 1;
    m_exec.fence("tessera::test: the long kernel has ended");
  }

 private:
  volatile int& word(LongKernelWord which) const { return m_words(which); }

  Space m_exec;
  kernels::Report<int, Space> m_words;
};

}  // namespace tessera::test
