// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A search in a bucket table that is quick for a new key as well.
#pragma once

#include "tessera/kernels/format/bucket_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// Full buckets that a key is looked for in where its table may be too small.
inline constexpr int max_tried_buckets = 16;

/// `find_or_insert_in_bucket`, which reads a bucket slot by slot again where the key is not in it.
/// Where one product in ten has a new column, four steps of a warp in five have one among their
/// lanes, and all lanes wait for it: here a new key takes the first free slot of what was read.
KOKKOS_INLINE_FUNCTION unsigned claim_slot(Ordinal* keys, int log2_slots, Ordinal column,
                                           bool& fresh, int max_buckets = 0) {
  const unsigned mask = (1u << log2_slots) - 1;
  unsigned slot = hash_slot(column, log2_slots) & ~unsigned(Bucket::size - 1);
  fresh = false;
  for (int tried = 1;; ++tried) {
    const Bucket bucket = *reinterpret_cast<const Bucket*>(keys + slot);
    int place = -1;
    for (int i = 0; i < Bucket::size; ++i)
      place = bucket.key[i] == column ? i : place;
    if (place >= 0) return slot + place;
    int first_free = Bucket::size;
    for (int i = Bucket::size - 1; i >= 0; --i)
      first_free = bucket.key[i] == empty_slot ? i : first_free;
    // A stale read can only show a slot as still empty. What the exchange finds there then is a key
    // that came before, and the next slot is tried, as keys of a bucket are in the order of coming.
    for (int i = first_free; i < Bucket::size; ++i) {
      const Ordinal seen = compare_exchange_in_scratch(keys + slot + i, empty_slot, column);
      fresh = seen == empty_slot;
      if (fresh || seen == column) return slot + i;
    }
    if (tried == max_buckets) return no_slot;
    slot = (slot + Bucket::size) & mask;
  }
}

}  // namespace tessera::kernels::spgemm_detail
