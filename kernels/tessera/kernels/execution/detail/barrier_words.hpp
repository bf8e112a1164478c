// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The memory by which the blocks of a cooperative group synchronize; see device_group.hpp.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>

namespace tessera::kernels::detail {

/// Sums that a barrier has at most.
inline constexpr int max_group_sums = 6;

/// The memory by which workers synchronize, zero at first. `words`: set, then word, then worker;
/// behind them one word per worker for steps.
struct BarrierWords {
  static constexpr int words_per_worker = 2 * max_group_sums;

  std::uint64_t* words;
  std::uint64_t* barriers;  ///< over all launches
  std::uint64_t* left;  ///< workers at the end of a launch, where they are counted
  std::uint64_t* given_up;  ///< not 0 once a worker has timed out
  int capacity;  ///< workers
  bool in_cluster = false;  ///< whether the workers are the blocks of one

  KOKKOS_FUNCTION std::uint64_t* word(int set, int j, int worker) const {
    return words + (static_cast<std::size_t>(set) * words_per_worker + j) * capacity + worker;
  }
  KOKKOS_FUNCTION std::uint64_t* step_of(int worker) const { return word(2, 0, worker); }
  /// All but the last three.
  KOKKOS_FUNCTION static std::size_t length_of_words(int capacity) {
    return (std::size_t{2} * words_per_worker + 1) * capacity;
  }
  static std::size_t length(int capacity) { return length_of_words(capacity) + 3; }
  /// In `length(capacity)` words of memory.
  static BarrierWords in(std::uint64_t* memory, int capacity) {
    std::uint64_t* const end = memory + length_of_words(capacity);
    return {memory, end, end + 1, end + 2, capacity, false};
  }
};

}  // namespace tessera::kernels::detail
