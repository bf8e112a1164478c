// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Kernels of a host that allocate.
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <exception>
#include <string>

namespace tessera::kernels {

/// As Kokkos::parallel_for, on a host and for a functor that may throw: from a thread's own work an
/// exception would end the program. What comes after the first is skipped, and that one is thrown
/// when all threads are done.
template <class Policy, class Functor>
void throwing_parallel_for(const std::string& label, const Policy& policy, const Functor& functor) {
  std::atomic<bool> has_thrown = false;
  std::exception_ptr first;
  // Serial and OpenMP have run a kernel when its launch returns.
  Kokkos::parallel_for(label, policy, [&](const typename Policy::member_type i) {
    if (has_thrown) return;
    try {
      functor(i);
    } catch (...) {
      if (!has_thrown.exchange(true)) first = std::current_exception();
    }
  });
  if (first) std::rethrow_exception(first);
}

}  // namespace tessera::kernels
