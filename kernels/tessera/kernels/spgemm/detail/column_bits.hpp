// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A row's columns as one bit each, for rows that no hash table in scratch holds.
#pragma once

#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// A set of columns, a bit each. Where `ranks` are set, it knows how many columns come before one.
struct ColumnBits {
  unsigned* words;
  Ordinal* ranks = nullptr;  ///< of each word: how many columns the words before it have

  static KOKKOS_INLINE_FUNCTION constexpr Ordinal num_words(Ordinal num_cols) {
    return num_cols / 32 + (num_cols % 32 != 0 ? 1 : 0);
  }

  /// Whether `column` is new. Lanes may call at once.
  KOKKOS_INLINE_FUNCTION bool insert(Ordinal column) const {
    unsigned* word = words + column / 32;
    const unsigned bit = 1u << (column % 32);
    // A stale read can only show the bit as still unset, and then the atomic decides.
    if ((*const_cast<const volatile unsigned*>(word) & bit) != 0) return false;
    return (Kokkos::atomic_fetch_or(word, bit) & bit) == 0;
  }

  /// How many smaller columns there are.
  KOKKOS_INLINE_FUNCTION Ordinal rank(Ordinal column) const {
    const unsigned smaller = words[column / 32] & ((1u << (column % 32)) - 1);
    return ranks[column / 32] + Kokkos::Experimental::popcount_builtin(smaller);
  }
};

/// Where the teams of a kernel keep `bytes` each: in scratch, or where that is too small in global
/// memory, and then the teams are as many as a budget allows.
template <class Space>
struct TeamMemory {
  int scratch_bytes = 0;
  Ordinal teams;
  Array<unsigned, Space> global;  ///< empty where scratch holds it

  /// For `num_rows` rows, beside `other_bytes` of scratch.
  TeamMemory(const Space& exec, Ordinal num_rows, std::size_t bytes, int other_bytes)
      : teams(num_rows) {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Space>::scratch_size_max(0));
    if (bytes + other_bytes + 64 <= most) {
      scratch_bytes = static_cast<int>(bytes) + 16;
      return;
    }
    teams = teams_for_budget<Space>(num_rows, bytes);
    global = allocate<unsigned>(exec, "tessera::spgemm::column_bits",
                                teams * (bytes / sizeof(unsigned)));
  }

  /// Lanes of a team: as many more as scratch leaves room for fewer teams.
  int lanes_in_team() const { return scratch_bytes > 32768 ? 512 : 256; }
};

/// This team's words: of scratch where `global` is empty.
template <class Member, class Space>
KOKKOS_INLINE_FUNCTION unsigned* team_words(const Member& member,
                                            const ArrayView<unsigned, Space>& global,
                                            std::size_t num_words) {
  if (global.extent(0) != 0) return global.data() + member.league_rank() * num_words;
  return static_cast<unsigned*>(
      member.team_scratch(0).get_shmem_aligned(num_words * sizeof(unsigned), 8));
}

}  // namespace tessera::kernels::spgemm_detail
