// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Transpose on a device: count, scan, scatter, sort.
///
/// Atomics scatter the *numbers* of A's entries into the rows of the transpose, in no particular
/// order; sorting these numbers within a row is the same as sorting by A's row, with duplicates
/// in A's order, so that the result does not depend on the atomics.
#pragma once

#include "tessera/kernels/format/bitonic_sort.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::kernels::detail {

template <class Scalar, class Space, class Offset>
struct SortedTranspose {
  CsrView<Scalar, Space, Offset> A;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;
  LongRowList<Space> long_rows;
  Array<Offset, Space> memory;  ///< of what follows, from one allocation: each makes a GPU wait
  ArrayView<Offset, Space> cursors;  ///< length num_cols
  ArrayView<Offset, Space> entries;  ///< numbers of A's entries, by row of the transpose
  ArrayView<Ordinal, Space> row_of;  ///< A's row of each of A's entries

  SortedTranspose(const Space& exec, const CsrView<Scalar, Space, Offset>& matrix)
      : A(matrix),
        offsets(allocate<Offset>(exec, "tessera::offsets", A.num_cols + 1ul)),
        columns(allocate<Ordinal>(exec, "tessera::columns", A.num_entries)),
        values(allocate<Scalar>(exec, "tessera::values", A.num_entries)),
        long_rows(exec, A.num_entries) {
    const std::size_t num_cols = A.num_cols;
    const std::size_t num_rows_of = A.num_entries * sizeof(Ordinal) / sizeof(Offset) + 1;
    memory =
        allocate<Offset>(exec, "tessera::transpose_memory", num_cols + A.num_entries + num_rows_of);
    Offset* const first = memory.data();
    cursors = ArrayView<Offset, Space>(first, num_cols);
    entries = ArrayView<Offset, Space>(first + num_cols, A.num_entries);
    row_of = ArrayView<Ordinal, Space>(reinterpret_cast<Ordinal*>(first + num_cols + A.num_entries),
                                       A.num_entries);
  }

  KOKKOS_INLINE_FUNCTION void emit(Offset place, Offset entry) const {
    columns(place) = row_of(entry);
    values(place) = A.values(entry);
  }
};

template <class Scalar, class Space, class Offset>
struct CountEntries {
  SortedTranspose<Scalar, Space, Offset> work;

  KOKKOS_FUNCTION void operator()(std::size_t entry) const {
    Kokkos::atomic_inc(&work.offsets(work.A.columns(entry)));
  }
};

template <class Scalar, class Space, class Offset>
struct ScatterEntries {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  SortedTranspose<Scalar, Space, Offset> work;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto& A = work.A;
    const Ordinal row = row_of_thread(member);
    if (row >= A.num_rows) return;
    const auto range = Kokkos::ThreadVectorRange(member, A.offsets(row), A.offsets(row + 1));
    Kokkos::parallel_for(range, [&](const Offset entry) {
      const Offset place = Kokkos::atomic_fetch_add(&work.cursors(A.columns(entry)), Offset(1));
      work.entries(place) = entry;
      work.row_of(entry) = row;
    });
  }
};

template <class Scalar, class Space, class Offset>
void scatter_entries(const Space& exec, const SortedTranspose<Scalar, Space, Offset>& work) {
  const auto A = work.A;
  Kokkos::deep_copy(exec, work.offsets, Offset(0));
  Kokkos::parallel_for("tessera::transpose_count",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_entries),
                       CountEntries<Scalar, Space, Offset>{work});
  counts_to_offsets_async<Offset, Space>(exec, work.offsets);
  Kokkos::deep_copy(exec, work.cursors,
                    Kokkos::subview(work.offsets, Kokkos::make_pair(Ordinal(0), A.num_cols)));
  const RowTeams<Space> teams(exec, A.num_rows, A.num_entries);
  Kokkos::parallel_for("tessera::transpose_scatter", teams.policy,
                       ScatterEntries<Scalar, Space, Offset>{work});
}

/// Short rows: an entry's place is the number of smaller ones.
template <class Scalar, class Space, class Offset>
struct EmitShortRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  SortedTranspose<Scalar, Space, Offset> work;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = row_of_thread(member);
    if (row >= work.A.num_cols) return;
    const Offset begin = work.offsets(row);
    const Offset end = work.offsets(row + 1);
    if (end - begin > longest_counted_row) {
      Kokkos::single(Kokkos::PerThread(member), [&] { work.long_rows.push(row); });
      return;
    }
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, begin, end), [&](const Offset i) {
      const Offset entry = work.entries(i);
      Offset place = begin;
      for (Offset j = begin; j < end; ++j)
        place += work.entries(j) < entry ? 1 : 0;
      work.emit(place, entry);
    });
  }
};

/// Each of the long rows is sorted by a team.
template <class Scalar, class Space, class Offset>
struct EmitLongRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  SortedTranspose<Scalar, Space, Offset> work;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int count = work.long_rows.count(0);
    for (int i = member.league_rank(); i < count; i += member.league_size()) {
      const Ordinal row = work.long_rows.rows(i);
      const Offset begin = work.offsets(row);
      const Offset end = work.offsets(row + 1);
      const std::int64_t length = end - begin;
      const auto exchange = [&](const std::int64_t low, const std::int64_t high) {
        Offset& first = work.entries(begin + low);
        Offset& second = work.entries(begin + high);
        if (second < first) Kokkos::kokkos_swap(first, second);
      };
      bitonic_sort(SortingTeam<Member>{member}, length, padded_for_sort(length), exchange);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, begin, end),
                           [&](const Offset place) { work.emit(place, work.entries(place)); });
    }
  }
};

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> transpose_device(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A) {
  const SortedTranspose<Scalar, Space, Offset> work(exec, A);
  scatter_entries(exec, work);
  const RowTeams<Space> teams(exec, A.num_cols, A.num_entries);
  Kokkos::parallel_for("tessera::transpose_sort", teams.policy,
                       EmitShortRows<Scalar, Space, Offset>{work});
  if (work.long_rows.rows.extent(0) > 0) {
    Kokkos::parallel_for("tessera::transpose_sort_long",
                         Kokkos::TeamPolicy<Space>(exec, long_row_teams, long_row_team_threads),
                         EmitLongRows<Scalar, Space, Offset>{work});
  }
  return {A.num_cols, A.num_rows, work.offsets, work.columns, work.values};
}

}  // namespace tessera::kernels::detail
