// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of pattern_fingerprint.hpp.
#pragma once

#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

/// 64 bits of an item and its place: the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA
/// 2014), which maps different numbers to different ones, of their state at that place. Sums of
/// these are alike by a chance of one in 2^64.
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t place, std::uint64_t item) {
  std::uint64_t z = item + 0x9e3779b97f4a7c15ull * (place + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

template <class Offsets>
KOKKOS_FUNCTION RowFacts facts_of_row(const Offsets& offsets, Ordinal row) {
  const auto end = offsets(row + 1);
  return {static_cast<std::int64_t>(end - offsets(row)),
          mixed(row, static_cast<std::uint64_t>(end))};
}

/// Joins the facts of rows.
template <class Space, class Offset>
struct SumRowFacts {
  ArrayView<const Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, RowFacts& mine) const {
    mine += facts_of_row(offsets, row);
  }
};

/// Adds the bits of items and their places.
template <class Space, class Item>
struct SumMixed {
  ArrayView<const Item, Space> items;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint64_t& mine) const {
    mine += mixed(i, static_cast<std::uint64_t>(items(i)));
  }
};

template <class Space, class Offset>
RowFacts row_facts(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                   Ordinal num_rows) {
  RowFacts facts;
  if (num_rows == 0) return facts;
  Kokkos::parallel_reduce("tessera::spmv_row_facts", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
                          SumRowFacts<Space, Offset>{offsets}, facts);
  return facts;
}

template <class Space, class Item>
std::uint64_t fingerprint_of(const Space& exec, const ArrayView<const Item, Space>& items,
                             std::size_t n) {
  std::uint64_t sum = 0;
  if (n == 0) return sum;
  Kokkos::parallel_reduce("tessera::spmv_fingerprint", Kokkos::RangePolicy<Space>(exec, 0, n),
                          SumMixed<Space, Item>{items}, sum);
  return sum;
}

}  // namespace tessera::kernels::detail
