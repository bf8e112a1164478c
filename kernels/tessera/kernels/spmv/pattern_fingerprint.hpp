// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Fingerprints of patterns, by which a plan tells them apart.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

/// What one pass over row offsets finds out.
struct RowFacts {
  std::int64_t longest = 0;  ///< entries of the longest row
  std::uint64_t fingerprint = 0;  ///< of the row lengths

  KOKKOS_INLINE_FUNCTION RowFacts& operator+=(const RowFacts& other) {
    longest = Kokkos::max(longest, other.longest);
    fingerprint += other.fingerprint;
    return *this;
  }
};

/// Of `num_rows` rows; waits for it.
template <class Space, class Offset>
RowFacts row_facts(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                   Ordinal num_rows);

/// A hash of `n` items and their places: a sum, so that it depends on no order of additions. Waits
/// for it.
template <class Space, class Item>
std::uint64_t fingerprint_of(const Space& exec, const ArrayView<const Item, Space>& items,
                             std::size_t n);

}  // namespace tessera::kernels::detail
