// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Telling one pattern from another without a copy of the first.
#pragma once

#include "tessera/distributed/host_array.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::distributed {

/// 128 bits of the offsets and columns of rows, and how many there are: what was shared, and may
/// have been changed or freed since, is compared by it. Two patterns that are not the same have the
/// same one with a probability of about 2^-128.
struct PatternHash {
  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  bool operator==(const PatternHash&) const = default;
};

/// A number of 64 bits that all bits of k have a say in: the finaliser of SplitMix64 (Steele, Lea
/// and Flood 2014, figure 18).
KOKKOS_INLINE_FUNCTION std::uint64_t scrambled(std::uint64_t k) {
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9U;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebU;
  return k ^ (k >> 31);
}

/// In one pass over both lists, whose sums are the same in any order. Waits for `exec`.
template <class Space>
PatternHash pattern_hash(const Space& exec,
                         const kernels::CsrView<double, Space, std::int64_t>& rows);

/// The same of a list of numbers.
PatternHash pattern_hash(const HostArray<std::int64_t>& numbers);

/// The same of the entries that are not zero alone, in any order: which rows couple to which
/// columns, whatever the values. A NaN couples. Waits for `exec`.
template <class Space>
PatternHash coupling_hash(const Space& exec,
                          const kernels::CsrView<double, Space, std::int64_t>& rows);

}  // namespace tessera::distributed
