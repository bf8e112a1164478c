// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Row lengths into offsets.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/types.hpp"

#include <limits>
#include <string>

namespace tessera::kernels::detail {

/// Replaces lengths(0), …, lengths(n - 1) by their running sums, with the total in the last of the
/// n + 1 places, and returns the total (one host synchronisation). The sums run in 64 bits: a
/// total that `Offset` cannot hold throws.
template <class Offset, class Space>
std::size_t lengths_to_offsets(const Space& exec, const ArrayView<Offset, Space>& lengths) {
  std::int64_t total = 0;
  const auto last = static_cast<Ordinal>(lengths.extent(0)) - 1;
  Kokkos::parallel_scan(
      "tessera::offsets", Kokkos::RangePolicy<Space>(exec, 0, last + 1),
      KOKKOS_LAMBDA(const Ordinal i, std::int64_t& running, const bool is_final) {
        const std::int64_t length = i < last ? static_cast<std::int64_t>(lengths(i)) : 0;
        if (is_final) lengths(i) = static_cast<Offset>(running);
        running += length;
      },
      total);
  require(total <= static_cast<std::int64_t>(std::numeric_limits<Offset>::max()), [&] {
    return "the result has " + std::to_string(total) + " entries, more than offsets of " +
           std::to_string(8 * sizeof(Offset)) + " bits can hold";
  });
  return static_cast<std::size_t>(total);
}

/// The same where the total is known to fit: nothing waits.
template <class Offset, class Space>
void lengths_to_offsets_async(const Space& exec, const ArrayView<Offset, Space>& lengths) {
  const auto last = static_cast<Ordinal>(lengths.extent(0)) - 1;
  Kokkos::parallel_scan(
      "tessera::offsets", Kokkos::RangePolicy<Space>(exec, 0, last + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& running, const bool is_final) {
        const Offset length = i < last ? lengths(i) : Offset(0);
        if (is_final) lengths(i) = running;
        running += length;
      });
}

}  // namespace tessera::kernels::detail
