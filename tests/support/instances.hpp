// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Execution-space instances of several numbers of threads.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace tessera::test {

/// The default instance, and one of a single thread where the host space has threads.
template <class Space = HostSpace>
std::vector<Space> instances() {
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Space, Kokkos::OpenMP>) return {Space(), Space(1)};
#endif
  return {Space()};
}

/// Each instance had the first one's result.
template <class T>
void expect_same_bits(const std::vector<T>& results, const char* what) {
  for (std::size_t i = 1; i < results.size(); ++i)
    EXPECT_EQ(results[i], results[0]) << what << " of instance " << i;
}

}  // namespace tessera::test
