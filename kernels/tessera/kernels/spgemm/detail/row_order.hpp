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
  /// Makes room for rows of this length.
  void reserve(std::size_t longest) {
    if (m_keys.size() >= longest) return;
    m_order.resize(longest);
    m_keys.resize(longest);
  }

  /// sorted = columns, ascending.
  void sort(const Ordinal* columns, Ordinal size, Ordinal* sorted) {
    if (size == m_size && gather_if_sorted(columns, sorted)) return;
    m_size = size;
    for (Ordinal i = 0; i < size; ++i)
      m_keys[i] = (static_cast<std::uint64_t>(columns[i]) << 32) | static_cast<std::uint32_t>(i);
    if (size <= 24) {
      insertion_sort();
    } else {
      std::sort(m_keys.begin(), m_keys.begin() + size);
    }
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

  void insertion_sort() {
    for (Ordinal i = 1; i < m_size; ++i) {
      const std::uint64_t key = m_keys[i];
      Ordinal hole = i;
      for (; hole > 0 && m_keys[hole - 1] > key; --hole)
        m_keys[hole] = m_keys[hole - 1];
      m_keys[hole] = key;
    }
  }

  std::vector<Ordinal> m_order;
  std::vector<std::uint64_t> m_keys;
  Ordinal m_size = -1;
};

}  // namespace tessera::kernels::spgemm_detail
