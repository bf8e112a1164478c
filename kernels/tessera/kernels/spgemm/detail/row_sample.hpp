// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some rows of a pattern on the host, and how they follow one another.
#pragma once

#include "tessera/kernels/host_copy.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace tessera::kernels::spgemm_detail {

/// Rows from the middle of a matrix.
class RowSample {
 public:
  /// Waits for the device.
  template <class Space, class Offset>
  RowSample(const Space& exec, const ArrayView<const Offset, Space>& offsets,
            const ArrayView<const Ordinal, Space>& columns) {
    const std::size_t num_rows = offsets.extent(0) - 1;
    if (num_rows == 0) return;
    // Rows enough for the lines of a grid; of long rows fewer, as the host compares them.
    const std::size_t mean = columns.extent(0) / num_rows + 1;
    const std::size_t size =
        std::min<std::size_t>(num_rows, std::clamp<std::size_t>(4096 / mean, 64, 512));
    const std::size_t first = (num_rows - size) / 2;
    const auto some_offsets =
        copy_to_host(exec, Kokkos::subview(offsets, Kokkos::make_pair(first, first + size + 1)));
    const auto begin = static_cast<std::size_t>(some_offsets(0));
    const auto end = static_cast<std::size_t>(some_offsets(size));
    const auto some_columns =
        copy_to_host(exec, Kokkos::subview(columns, Kokkos::make_pair(begin, end)));
    for (std::size_t i = 0; i <= size; ++i)
      m_offsets.push_back(static_cast<std::size_t>(some_offsets(i)) - begin);
    m_columns.assign(some_columns.data(), some_columns.data() + (end - begin));
  }

  /// How rows `distance` apart mostly follow one another.
  RowShift shift_of(Ordinal distance) const {
    RowShift result{distance, 0, 0};
    const auto size = static_cast<Ordinal>(m_offsets.size()) - 1;
    if (size <= distance) return result;
    std::map<Ordinal, Ordinal> counts;
    for (Ordinal row = distance; row < size; ++row)
      if (const auto shift = shift_between(row - distance, row)) ++counts[*shift];
    Ordinal most = 0;
    for (const auto& [shift, count] : counts) {
      if (count <= most) continue;
      most = count;
      result.shift = shift;
    }
    result.share = static_cast<double>(most) / (size - distance);
    return result;
  }

 private:
  /// Nothing where the rows are empty or not of one pattern.
  std::optional<Ordinal> shift_between(Ordinal from, Ordinal to) const {
    const std::size_t a = m_offsets[from], b = m_offsets[to];
    const std::size_t length = m_offsets[from + 1] - a;
    if (length == 0 || m_offsets[to + 1] - b != length) return std::nullopt;
    const Ordinal shift = m_columns[b] - m_columns[a];
    for (std::size_t k = 1; k < length; ++k)
      if (m_columns[b + k] - m_columns[a + k] != shift) return std::nullopt;
    return shift;
  }

  std::vector<std::size_t> m_offsets{0};
  std::vector<Ordinal> m_columns;
};

/// How rows of A follow one another, and those of B that they meet.
struct ShiftsOfFactors {
  RowShift a, b;

  double share() const { return std::min(a.share, b.share); }
};

/// The distance in A by which most rows follow, in both factors and without going back.
inline ShiftsOfFactors best_shifts(const RowSample& A, const RowSample& B) {
  constexpr Ordinal largest_distance = 6;
  constexpr double clearly = 0.05;
  ShiftsOfFactors best;
  for (Ordinal distance = 1; distance <= largest_distance; ++distance) {
    ShiftsOfFactors shifts{A.shift_of(distance), {0, 0, 1}};
    if (shifts.a.shift < 0) continue;
    if (shifts.a.shift > 0) shifts.b = B.shift_of(shifts.a.shift);
    if (shifts.share() > best.share() + clearly) best = shifts;
  }
  return best;
}

}  // namespace tessera::kernels::spgemm_detail
