// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix by plain pointers, and how shares divide its rows.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// A square matrix in compressed rows, by plain pointers.
template <class Scalar, class Offset>
struct PlainMatrix {
  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  Ordinal num_rows;
  std::int64_t num_entries;
  Ordinal granule = 1;  ///< shares begin at multiples of so many rows

  /// What a row costs beside its entries, in entries: vectors are as much work as the matrix.
  KOKKOS_FUNCTION std::int64_t row_weight() const {
    return num_rows > 0 ? 1 + num_entries / num_rows : 1;
  }
  KOKKOS_FUNCTION std::int64_t weight() const { return num_entries + row_weight() * num_rows; }

  /// Where share `share` of `shares` begins: shares have about the same weight.
  template <class Group>
  KOKKOS_FUNCTION Ordinal first_row(const Group& group, int share, int shares) const {
    const Ordinal row = row_of_weight(group, weight() * share / shares);
    return row == num_rows ? row : row - row % granule;
  }

 private:
  /// The first row before which there is that weight. By all lanes of a
  /// worker, of which 32 look at a time on a device, as each look is a way to memory and back.
  template <class Group>
  KOKKOS_FUNCTION Ordinal row_of_weight(const Group& group, std::int64_t target) const {
    const auto is_before = [&](Ordinal row) {
      return static_cast<std::int64_t>(offsets[row]) + row_weight() * row < target;
    };
    Ordinal low = 0;
    Ordinal high = num_rows;
    while (low < high) {
      if constexpr (Group::one_share_per_worker) {
        constexpr int lanes = 32;
        const Ordinal step = (high - low - 1) / lanes + 1;
        const std::int64_t probe =
            low + static_cast<std::int64_t>(step) * (group.lane() % lanes + 1) - 1;
        const int before = probe < high && is_before(static_cast<Ordinal>(probe)) ? 1 : 0;
        const auto found = static_cast<std::int64_t>(group.sum_of_lanes(before, lanes));
        const std::int64_t last = low + step * (found + 1) - 1;
        low = static_cast<Ordinal>(low + step * found);
        high = last < high ? static_cast<Ordinal>(last) : high;
        if (low > high) low = high;
      } else {
        const Ordinal middle = low + (high - low) / 2;
        if (is_before(middle)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
    }
    return low;
  }
};

}  // namespace tessera::kernels::detail
