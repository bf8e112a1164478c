// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The share of a COO matrix that one team sums on a device.
#pragma once

#include "tessera/kernels/spmv/detail/coo_shares.hpp"

namespace tessera::kernels::detail {

/// One share by one team: products into scratch memory, entry by entry; then each thread sums a few
/// consecutive ones; then rows that cross from thread to thread are finished.
template <class Storage, class Working, class Epilogue>
struct TeamPerCooShare {
  using Sum = Arithmetic<Storage, Working>;
  CooSweep<Storage, Working, Epilogue> sweep;

  /// The team's scratch memory.
  template <class Member>
  struct Scratch {
    template <class T>
    using View = Kokkos::View<T*, typename Member::scratch_memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    View<Sum> products;
    View<Sum> head;  ///< of the row that a chunk finishes, if another began it
    View<Sum> tail;  ///< of the row that a chunk does not finish
    View<Ordinal> rows;

    KOKKOS_INLINE_FUNCTION Scratch(const Member& member, int share)
        : products(member.team_scratch(0), share),
          head(member.team_scratch(0), chunks(share)),
          tail(member.team_scratch(0), chunks(share)),
          rows(member.team_scratch(0), share) {}

    static std::size_t bytes(int share) {
      return View<Sum>::shmem_size(share) + 2 * View<Sum>::shmem_size(chunks(share)) +
             View<Ordinal>::shmem_size(share);
    }
    /// Chunks of so many products.
    KOKKOS_INLINE_FUNCTION static int chunks(int count) {
      return (count - 1) / coo_entries_per_thread + 1;
    }
  };

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const auto& shares = sweep.shares;
    const int t = member.league_rank();
    const RowSpan span = shares.span(t);
    const std::size_t begin = shares.begin(t);
    const int count = static_cast<int>(shares.end(t) - begin);
    const Scratch<Member> scratch(member, static_cast<int>(shares.share));
    const auto chunks = Kokkos::TeamThreadRange(member, Scratch<Member>::chunks(count));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, count),
                         [&](const int i) { scratch.rows(i) = shares.rows[begin + i]; });
    for (int c = 0; c < sweep.num_columns; ++c) {
      const auto x = shares.x_column(c);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(member, count), [&](const int i) {
        scratch.products(i) = shares.values[begin + i] * x[shares.columns[begin + i]];
      });
      member.team_barrier();
      Kokkos::parallel_for(chunks, [&](const int j) { sum_chunk(scratch, t, span, count, j, c); });
      member.team_barrier();
      // The next column's products do not touch what is read here, and its chunks are summed
      // behind another barrier.
      Kokkos::parallel_for(chunks, [&](const int j) { finish_row(scratch, t, span, count, j, c); });
    }
  }

  template <class Scratch>
  KOKKOS_INLINE_FUNCTION static RowSpan chunk_span(const Scratch& scratch, int j, int count) {
    const int begin = j * coo_entries_per_thread;
    return {scratch.rows.data(), begin, Kokkos::min(begin + coo_entries_per_thread, count), 0,
            count};
  }

  /// The sums of the rows of chunk `j`.
  template <class Scratch>
  KOKKOS_INLINE_FUNCTION void sum_chunk(const Scratch& scratch, int t, const RowSpan& span,
                                        int count, int j, int c) const {
    const RowSpan chunk = chunk_span(scratch, j, count);
    int i = j * coo_entries_per_thread;
    const int end = Kokkos::min(i + coo_entries_per_thread, count);
    while (i < end) {
      const Ordinal row = scratch.rows(i);
      Sum sum = 0;
      for (; i < end && scratch.rows(i) == row; ++i)
        sum += scratch.products(i);
      if (row == chunk.unfinished) {
        scratch.tail(j) = sum;
      } else if (row == chunk.continued) {
        scratch.head(j) = sum;
      } else {
        sweep.store(t, span, row, c, sum);
      }
    }
  }

  /// Finishes the row that begins before chunk `j` and ends in it.
  template <class Scratch>
  KOKKOS_INLINE_FUNCTION void finish_row(const Scratch& scratch, int t, const RowSpan& span,
                                         int count, int j, int c) const {
    const RowSpan chunk = chunk_span(scratch, j, count);
    if (!chunk.finishes()) return;
    Sum sum = scratch.head(j);
    int other = j - 1;
    sum += scratch.tail(other);
    while (chunk_span(scratch, other, count).continued == chunk.continued)
      sum += scratch.tail(--other);
    sweep.store(t, span, chunk.continued, c, sum);
  }
};

}  // namespace tessera::kernels::detail
