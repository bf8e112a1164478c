// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The order that sorts a row, kept from one row to the next.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <algorithm>
#include <vector>

namespace tessera::kernels::spgemm_detail {

/// Sorts rows on a host. Consecutive rows of a grid have shifted copies of one pattern, so that the
/// order that sorted the last row mostly sorts the next one too: it is tried first.
class RowOrder {
 public:
  static constexpr Ordinal longest_counted_row = 128;

  /// Makes room for rows of this length.
  void reserve(std::size_t longest) {
    if (m_keys.size() >= longest) return;
    m_order.resize(longest);
    m_keys.resize(longest);
  }

  /// sorted = columns, no two of which are equal, ascending.
  void sort(const Ordinal* columns, Ordinal size, Ordinal* sorted) {
    if (size == m_size && gather_if_sorted(columns, sorted)) return;
    m_size = size;
    if (size <= longest_counted_row) return sort_by_counting(columns, size, sorted);
    for (Ordinal i = 0; i < size; ++i)
      m_keys[i] = (static_cast<std::uint64_t>(columns[i]) << 32) | static_cast<std::uint32_t>(i);
    std::sort(m_keys.begin(), m_keys.begin() + size);
    for (Ordinal i = 0; i < size; ++i) {
      m_order[i] = static_cast<Ordinal>(m_keys[i] & 0xffffffffu);
      sorted[i] = static_cast<Ordinal>(m_keys[i] >> 32);
    }
  }

  /// sorted = values, `width` for each entry, in the order of the last row sorted.
  template <int width = 1, class Scalar>
  void gather(const Scalar* values, Ordinal size, Scalar* sorted) const {
    for (Ordinal i = 0; i < size; ++i)
      for (int c = 0; c < width; ++c)
        sorted[i * width + c] = values[static_cast<std::size_t>(m_order[i]) * width + c];
  }

 private:
  bool gather_if_sorted(const Ordinal* columns, Ordinal* sorted) const {
    Ordinal previous = -1;
    for (Ordinal i = 0; i < m_size; ++i) {
      const Ordinal column = columns[m_order[i]];
      if (column <= previous) return false;
      sorted[i] = previous = column;
    }
    return true;
  }

  /// A column's place is how many are less than it. Compilers vectorise this.
  void sort_by_counting(const Ordinal* columns, Ordinal size, Ordinal* sorted) {
    Ordinal* const order = m_order.data();
    for (Ordinal i = 0; i < size; ++i) {
      const Ordinal column = columns[i];
      Ordinal place = 0;
      for (Ordinal other = 0; other < size; ++other)
        place += columns[other] < column ? 1 : 0;
      order[place] = i;
      sorted[place] = column;
    }
  }

  std::vector<Ordinal> m_order;
  std::vector<std::uint64_t> m_keys;
  Ordinal m_size = -1;
};

}  // namespace tessera::kernels::spgemm_detail
