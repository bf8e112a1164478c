// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A stable sort of keys with their values, the same on every space.
#pragma once

#include "tessera/kernels/spgemm/detail/launch.hpp"

#include <utility>

namespace tessera::kernels::spgemm_detail {

using SortKey = std::uint64_t;

/// A digit's width, and how many keys one thread handles in a row.
template <class Space>
inline constexpr int radix_bits = is_host_space<Space> ? 8 : 4;
template <class Space>
inline constexpr std::int64_t radix_chunk = is_host_space<Space> ? 1 << 14 : 128;

/// Keys and values with room for the passes of the sort.
template <class Scalar, class Space>
struct SortBuffers {
  Array<SortKey, Space> keys, other_keys;
  Array<Scalar, Space> values, other_values;
  Array<std::int64_t, Space> counts;  ///< of a digit in a chunk, digit after digit

  SortBuffers(const Space& exec, std::int64_t capacity)
      : keys(allocate<SortKey>(exec, "tessera::spgemm::keys", capacity)),
        other_keys(allocate<SortKey>(exec, "tessera::spgemm::other_keys", capacity)),
        values(allocate<Scalar>(exec, "tessera::spgemm::products", capacity)),
        other_values(allocate<Scalar>(exec, "tessera::spgemm::other_products", capacity)),
        counts(allocate<std::int64_t>(exec, "tessera::spgemm::digit_counts",
                                      num_chunks(capacity) << radix_bits<Space>)) {}

  static std::int64_t num_chunks(std::int64_t length) {
    return (length + radix_chunk<Space> - 1) / radix_chunk<Space>;
  }
};

template <class Space>
KOKKOS_INLINE_FUNCTION int radix_digit(SortKey key, int shift) {
  return static_cast<int>((key >> shift) & ((1 << radix_bits<Space>)-1));
}

template <class Space>
struct CountDigits {
  ArrayView<const SortKey, Space> keys;
  ArrayView<std::int64_t, Space> counts;
  std::int64_t length, num_chunks;
  int shift;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    constexpr int num_digits = 1 << radix_bits<Space>;
    std::int64_t count[num_digits] = {};
    const std::int64_t begin = chunk * radix_chunk<Space>;
    const std::int64_t end = Kokkos::min(begin + radix_chunk<Space>, length);
    for (std::int64_t i = begin; i < end; ++i)
      ++count[radix_digit<Space>(keys(i), shift)];
    for (int digit = 0; digit < num_digits; ++digit)
      counts(digit * num_chunks + chunk) = count[digit];
  }
};

template <class Space>
struct ScanDigits {
  ArrayView<std::int64_t, Space> counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const std::int64_t count = counts(i);
    if (final) counts(i) = sum;
    sum += count;
  }
};

template <class Scalar, class Space>
struct ScatterByDigit {
  ArrayView<const SortKey, Space> keys;
  ArrayView<const Scalar, Space> values;
  ArrayView<const std::int64_t, Space> starts;
  ArrayView<SortKey, Space> to_keys;
  ArrayView<Scalar, Space> to_values;
  std::int64_t length, num_chunks;
  int shift;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    constexpr int num_digits = 1 << radix_bits<Space>;
    std::int64_t next[num_digits];
    for (int digit = 0; digit < num_digits; ++digit)
      next[digit] = starts(digit * num_chunks + chunk);
    const std::int64_t begin = chunk * radix_chunk<Space>;
    const std::int64_t end = Kokkos::min(begin + radix_chunk<Space>, length);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t place = next[radix_digit<Space>(keys(i), shift)]++;
      to_keys(place) = keys(i);
      to_values(place) = values(i);
    }
  }
};

/// Sorts the first `length` keys of the buffers by their lowest `bits` bits, values with them;
/// equal keys keep their order.
template <class Scalar, class Space>
void radix_sort(const Space& exec, SortBuffers<Scalar, Space>& buffers, std::int64_t length,
                int bits) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t num_chunks = buffers.num_chunks(length);
  for (int shift = 0; shift < bits; shift += radix_bits<Space>) {
    Kokkos::parallel_for(
        "tessera::spgemm::count_digits", Policy(exec, 0, num_chunks),
        CountDigits<Space>{buffers.keys, buffers.counts, length, num_chunks, shift});
    Kokkos::parallel_scan("tessera::spgemm::scan_digits",
                          Policy(exec, 0, num_chunks << radix_bits<Space>),
                          ScanDigits<Space>{buffers.counts});
    Kokkos::parallel_for("tessera::spgemm::scatter_by_digit", Policy(exec, 0, num_chunks),
                         ScatterByDigit<Scalar, Space>{buffers.keys, buffers.values, buffers.counts,
                                                       buffers.other_keys, buffers.other_values,
                                                       length, num_chunks, shift});
    std::swap(buffers.keys, buffers.other_keys);
    std::swap(buffers.values, buffers.other_values);
  }
}

}  // namespace tessera::kernels::spgemm_detail
