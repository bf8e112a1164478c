// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Open-addressing hash tables of columns, and the groups of lanes that share one.
#pragma once

#include "tessera/kernels/format/bucket_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// Where `column` lies in the table, put there if it is absent; `fresh` says whether this call put
/// it there. Lanes may call at once. The table, in scratch, must have room.
KOKKOS_INLINE_FUNCTION unsigned find_or_insert(Ordinal* keys, int log2_slots, Ordinal column,
                                               bool& fresh) {
  const unsigned mask = (1u << log2_slots) - 1;
  unsigned slot = hash_slot(column, log2_slots);
  fresh = false;
  while (true) {
    // A stale read can only show a slot as still empty, and then the exchange decides.
    Ordinal seen = *const_cast<const volatile Ordinal*>(keys + slot);
    if (seen == empty_slot) {
      seen = compare_exchange_in_scratch(keys + slot, empty_slot, column);
      fresh = seen == empty_slot;
      if (fresh) return slot;
    }
    if (seen == column) return slot;
    slot = (slot + 1) & mask;
  }
}

/// A set of columns in a hash table.
struct HashSet {
  Ordinal* keys;
  int log2_slots;

  /// Whether `column` is new.
  KOKKOS_INLINE_FUNCTION bool insert(Ordinal column) const {
    bool fresh;
    find_or_insert(keys, log2_slots, column, fresh);
    return fresh;
  }
};

/// The lanes of one team thread working on a row. Every method ends with all of them in step.
template <class Member>
struct VectorScope {
  const Member& member;
  int lanes;  ///< how many there are

  KOKKOS_INLINE_FUNCTION int size() const { return lanes; }

  template <class Index, class Function>
  KOKKOS_INLINE_FUNCTION void for_each(Index n, const Function& function) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, n), function);
  }

  /// function(part) for every part, each part by the lanes of one team thread.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_each_part(int parts, const Function& function) const {
    for (int part = 0; part < parts; ++part)
      function(part);
  }

  template <class Function>
  KOKKOS_INLINE_FUNCTION Ordinal sum(Ordinal n, const Function& function) const {
    Ordinal total = 0;
    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(member, n), function, total);
    return total;
  }

  /// write(i, position) for each i < n with keep(i), the positions 0, 1, … each once.
  template <class Keep, class Write>
  KOKKOS_INLINE_FUNCTION void compact(Ordinal n, Ordinal*, const Keep& keep,
                                      const Write& write) const {
    Kokkos::parallel_scan(Kokkos::ThreadVectorRange(member, n),
                          [&](Ordinal i, Ordinal& position, bool final) {
                            if (!keep(i)) return;
                            if (final) write(i, position);
                            ++position;
                          });
    for_each(0, [](Ordinal) {});  // a scan does not end in step
  }
};

/// The same for all lanes of a team.
template <class Member>
struct TeamScope {
  const Member& member;
  int lanes;  ///< of one team thread

  KOKKOS_INLINE_FUNCTION int size() const { return lanes * member.team_size(); }

  template <class Index, class Function>
  KOKKOS_INLINE_FUNCTION void for_each(Index n, const Function& function) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), function);
    member.team_barrier();
  }

  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_each_part(int parts, const Function& function) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, parts), function);
    member.team_barrier();
  }

  template <class Function>
  KOKKOS_INLINE_FUNCTION Ordinal sum(Ordinal n, const Function& function) const {
    Ordinal total = 0;
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(member, n), function, total);
    member.team_barrier();
    return total;
  }

  /// As above; `counter` is shared by the team, and the positions depend on the order of atomics.
  template <class Keep, class Write>
  KOKKOS_INLINE_FUNCTION void compact(Ordinal n, Ordinal* counter, const Keep& keep,
                                      const Write& write) const {
    Kokkos::single(Kokkos::PerTeam(member), [&]() { *counter = 0; });
    member.team_barrier();
    for_each(n, [&](Ordinal i) {
      if (keep(i)) write(i, Kokkos::atomic_fetch_add(counter, 1));
    });
  }
};

}  // namespace tessera::kernels::spgemm_detail
