// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/bitonic_sort.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"

namespace tessera::kernels {
namespace detail {

/// A, its sorted copy, and the numbers of A's entries for rows that are sorted indirectly.
template <class Scalar, class Space, class Offset>
struct SortedCopy {
  CsrView<Scalar, Space, Offset> A;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;
  Array<Offset, Space> entries;

  SortedCopy(const Space& exec, const CsrView<Scalar, Space, Offset>& matrix)
      : A(matrix),
        columns(allocate<Ordinal>(exec, "tessera::columns", A.num_entries)),
        values(allocate<Scalar>(exec, "tessera::values", A.num_entries)),
        entries(allocate<Offset>(exec, "tessera::sort_entries", A.num_entries)) {}

  /// Column first, then place, so that duplicates keep their order.
  KOKKOS_INLINE_FUNCTION bool before(Offset first, Offset second) const {
    const Ordinal a = A.columns(first);
    const Ordinal b = A.columns(second);
    return a < b || (a == b && first < second);
  }
  KOKKOS_INLINE_FUNCTION void emit(Offset place, Offset entry) const {
    columns(place) = A.columns(entry);
    values(place) = A.values(entry);
  }
};

/// One row by one host thread: as it is where that is sorted, the usual lengths by counting what
/// comes before each entry, which compilers vectorise, and long rows by a sort of entry numbers.
template <class Scalar, class Space, class Offset>
struct SortRowOnHost {
  static constexpr int longest_counted_row = 128;
  SortedCopy<Scalar, Space, Offset> copy;

  void operator()(Ordinal row) const {
    const Offset begin = copy.A.offsets(row);
    const Offset end = copy.A.offsets(row + 1);
    if (is_sorted(begin, end)) {
      for (Offset e = begin; e < end; ++e)
        copy.emit(e, e);
    } else if (end - begin <= longest_counted_row) {
      count(begin, static_cast<int>(end - begin));
    } else {
      sort(begin, end);
    }
  }

  bool is_sorted(Offset begin, Offset end) const {
    for (Offset e = begin + 1; e < end; ++e)
      if (copy.A.columns(e - 1) > copy.A.columns(e)) return false;
    return true;
  }

  /// An entry's place is the number of smaller columns, and of equal ones before it.
  void count(Offset begin, int length) const {
    const Ordinal* const columns = copy.A.columns.data() + begin;
    for (int e = 0; e < length; ++e) {
      const Ordinal column = columns[e];
      int place = 0;
      for (int other = 0; other < e; ++other)
        place += columns[other] <= column ? 1 : 0;
      for (int other = e + 1; other < length; ++other)
        place += columns[other] < column ? 1 : 0;
      copy.emit(begin + place, begin + e);
    }
  }

  void sort(Offset begin, Offset end) const {
    Offset* const entries = copy.entries.data();
    if constexpr (sizeof(Offset) > sizeof(Ordinal)) {
      // The column and the place in the row in one number: a sort that looks nothing up.
      constexpr int place_bits = 32;
      for (Offset e = begin; e < end; ++e)
        entries[e] = (static_cast<Offset>(copy.A.columns(e)) << place_bits) | (e - begin);
      std::sort(entries + begin, entries + end);
      for (Offset e = begin; e < end; ++e)
        copy.emit(e, begin + (entries[e] & ((Offset{1} << place_bits) - 1)));
    } else {
      for (Offset e = begin; e < end; ++e)
        entries[e] = e;
      std::sort(entries + begin, entries + end,
                [this](Offset first, Offset second) { return copy.before(first, second); });
      for (Offset e = begin; e < end; ++e)
        copy.emit(e, entries[e]);
    }
  }
};

template <class Scalar, class Space, class Offset>
void sort_short_rows(const Space& exec, const SortedCopy<Scalar, Space, Offset>& copy,
                     const LongRowList<Space>& long_rows) {
  const auto A = copy.A;
  const RowTeams<Space> teams(exec, A.num_rows, A.num_entries);
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::parallel_for(
      "tessera::sort_rows", teams.policy, KOKKOS_LAMBDA(const Member& member) {
        const Ordinal row = row_of_thread(member);
        if (row >= A.num_rows) return;
        const Offset begin = A.offsets(row);
        const Offset end = A.offsets(row + 1);
        if (end - begin > longest_counted_row) {
          Kokkos::single(Kokkos::PerThread(member), [&] { long_rows.push(row); });
          return;
        }
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, begin, end), [&](const Offset e) {
          Offset place = begin;
          for (Offset other = begin; other < end; ++other)
            place += copy.before(other, e) ? 1 : 0;
          copy.emit(place, e);
        });
      });
}

template <class Scalar, class Space, class Offset>
void sort_long_rows(const Space& exec, const SortedCopy<Scalar, Space, Offset>& copy,
                    const LongRowList<Space>& long_rows) {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::parallel_for(
      "tessera::sort_long_rows",
      Kokkos::TeamPolicy<Space>(exec, long_row_teams, long_row_team_threads),
      KOKKOS_LAMBDA(const Member& member) {
        const int count = long_rows.count(0);
        for (int i = member.league_rank(); i < count; i += member.league_size()) {
          const Offset begin = copy.A.offsets(long_rows.rows(i));
          const Offset end = copy.A.offsets(long_rows.rows(i) + 1);
          const auto row = Kokkos::TeamVectorRange(member, begin, end);
          Kokkos::parallel_for(row, [&](const Offset e) { copy.entries(e) = e; });
          member.team_barrier();
          const std::int64_t length = end - begin;
          const auto exchange = [&](const std::int64_t low, const std::int64_t high) {
            Offset& first = copy.entries(begin + low);
            Offset& second = copy.entries(begin + high);
            if (copy.before(second, first)) Kokkos::kokkos_swap(first, second);
          };
          bitonic_sort(SortingTeam<Member>{member}, length, padded_for_sort(length), exchange);
          Kokkos::parallel_for(row, [&](const Offset e) { copy.emit(e, copy.entries(e)); });
        }
      });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool rows_sorted(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  std::int64_t descents = 0;
  Kokkos::parallel_reduce(
      "tessera::rows_sorted", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row, std::int64_t& mine) {
        const Offset end = A.offsets(row + 1);
        for (Offset e = A.offsets(row) + 1; e < end; ++e) {
          mine += A.columns(e - 1) > A.columns(e) ? 1 : 0;
        }
      },
      descents);
  return descents == 0;
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> sort_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const detail::SortedCopy<Scalar, Space, Offset> copy(exec, A);
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_for("tessera::sort_rows", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                         detail::SortRowOnHost<Scalar, Space, Offset>{copy});
  } else {
    const detail::LongRowList<Space> long_rows(exec, A.num_entries);
    detail::sort_short_rows(exec, copy, long_rows);
    if (long_rows.rows.extent(0) > 0) detail::sort_long_rows(exec, copy, long_rows);
  }
  auto offsets = allocate<Offset>(exec, "tessera::offsets", A.num_rows + 1ul);
  Kokkos::deep_copy(exec, offsets, A.offsets);
  return {A.num_rows, A.num_cols, offsets, copy.columns, copy.values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, rows_sorted)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sort_rows)

}  // namespace tessera::kernels
