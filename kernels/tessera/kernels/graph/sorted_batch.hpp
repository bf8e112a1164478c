// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The distinct keys of a row, in ascending order and bounded memory: for merging column sets.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// The `Capacity` smallest distinct keys above `lower()` of those inserted. A row with more
/// distinct keys than that is read again for the next batch, so that rows of any length need no
/// workspace:
/// @code
/// SortedBatch<32> batch;
/// do {
///   batch.next();
///   for (key : row) batch.insert(key);
///   // ... batch.key(0) < ... < batch.key(batch.size() - 1)
/// } while (batch.overflown());
/// @endcode
template <int Capacity>
class SortedBatch {
 public:
  /// Starts the batch of the keys that follow those held now.
  KOKKOS_FUNCTION void next() {
    if (m_size > 0) m_lower = m_keys[m_size - 1];
    m_size = 0;
    m_overflown = false;
  }

  KOKKOS_FUNCTION void insert(Ordinal key) {
    if (key <= m_lower) return;
    if (m_size > 0 && key <= m_keys[m_size - 1]) {
      insert_within(key);
    } else if (m_size < Capacity) {
      m_keys[m_size++] = key;
    } else {
      m_overflown = true;
    }
  }

  /// The position of `key` in the batch, -1 where it is not in it.
  KOKKOS_FUNCTION int find(Ordinal key) const {
    const int at = lower_bound(key);
    return at < m_size && m_keys[at] == key ? at : -1;
  }

  KOKKOS_FUNCTION int size() const { return m_size; }
  KOKKOS_FUNCTION Ordinal key(int at) const { return m_keys[at]; }
  /// Whether there are keys beyond this batch.
  KOKKOS_FUNCTION bool overflown() const { return m_overflown; }

 private:
  KOKKOS_FUNCTION int lower_bound(Ordinal key) const {
    int first = 0;
    int count = m_size;
    while (count > 0) {
      const int half = count / 2;
      if (m_keys[first + half] < key) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

  KOKKOS_FUNCTION void insert_within(Ordinal key) {
    const int at = lower_bound(key);
    if (m_keys[at] == key) return;
    if (m_size == Capacity) {
      m_overflown = true;
    } else {
      ++m_size;
    }
    for (int k = m_size - 1; k > at; --k)
      m_keys[k] = m_keys[k - 1];
    m_keys[at] = key;
  }

  Ordinal m_keys[Capacity];
  Ordinal m_lower = -1;
  int m_size = 0;
  bool m_overflown = false;
};

}  // namespace tessera::kernels
