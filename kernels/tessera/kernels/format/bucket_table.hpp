// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Hash tables of numbers that are not negative, such as columns, in buckets of four.
///
/// Linear probing makes a warp take as many steps as its unluckiest lane. A bucket is read at once,
/// and a key that is there is nearly always in its first: all lanes are done after one step.
#pragma once

#include "tessera/kernels/execution/scratch.hpp"

namespace tessera::kernels {

inline constexpr Ordinal empty_slot = -1;

/// Multiplicative hashing by the golden ratio: the strides of a grid, powers of two above all, do
/// not collide.
KOKKOS_INLINE_FUNCTION unsigned hash_slot(Ordinal column, int log2_slots) {
  return (static_cast<unsigned>(column) * 2654435769u) >> (32 - log2_slots);
}

/// Keys that are read at once.
struct alignas(16) Bucket {
  static constexpr int size = 4;
  Ordinal key[size];
};

/// What a search finds where there is no room near a key's place.
inline constexpr unsigned no_slot = ~0u;

/// Where `column` lies among `num_slots` = 2^log2_slots >= 16 keys in scratch, aligned to a bucket;
/// put there if it is absent, and `fresh` says whether this call did. Lanes may call at once. There
/// must be room, or, where `max_buckets` is above 0, that many are looked through before the
/// answer is `no_slot`.
KOKKOS_INLINE_FUNCTION unsigned find_or_insert_in_bucket(Ordinal* keys, int log2_slots,
                                                         Ordinal column, bool& fresh,
                                                         int max_buckets = 0) {
  unsigned slot = hash_slot(column, log2_slots) & ~unsigned(Bucket::size - 1);
  fresh = false;
  const Bucket first = *reinterpret_cast<const Bucket*>(keys + slot);
  int place = -1;
  for (int i = 0; i < Bucket::size; ++i)
    place = first.key[i] == column ? i : place;
  if (place >= 0) return slot + place;
  // Keys of a bucket are in the order of their coming, and none ever goes: whoever looks for the
  // same column passes the same places, and the exchange decides who puts it there.
  const unsigned mask = (1u << log2_slots) - 1;
  for (int tried = 1;; ++tried) {
    for (int i = 0; i < Bucket::size; ++i) {
      Ordinal seen = *const_cast<const volatile Ordinal*>(keys + slot + i);
      if (seen == empty_slot) {
        seen = compare_exchange_in_scratch(keys + slot + i, empty_slot, column);
        fresh = seen == empty_slot;
        if (fresh) return slot + i;
      }
      if (seen == column) return slot + i;
    }
    if (tried == max_buckets) return no_slot;
    slot = (slot + Bucket::size) & mask;
  }
}

}  // namespace tessera::kernels
