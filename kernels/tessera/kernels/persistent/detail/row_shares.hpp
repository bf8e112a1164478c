// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of a matrix that a share of a crew has, with what of them lies in shared memory.
#pragma once

#include "tessera/kernels/persistent/detail/long_rows.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// Shared memory of a worker that is handed out piece by piece; null once it is used up.
class Scratch {
 public:
  KOKKOS_FUNCTION Scratch(std::byte* begin, std::size_t bytes) : m_next(begin), m_left(bytes) {}

  template <class T>
  KOKKOS_FUNCTION T* take(std::size_t count) {
    const std::size_t bytes = bytes_of<T>(count);
    if (m_next == nullptr || bytes > m_left) return nullptr;
    T* const result = reinterpret_cast<T*>(m_next);
    m_next += bytes;
    m_left -= bytes;
    return result;
  }
  KOKKOS_FUNCTION std::size_t left() const { return m_next == nullptr ? 0 : m_left; }

  template <class T>
  KOKKOS_FUNCTION static std::size_t bytes_of(std::size_t count) {
    return (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }
  static constexpr std::size_t alignment = 16;

 private:
  std::byte* m_next;
  std::size_t m_left;
};

/// A square matrix in compressed rows, by plain pointers.
template <class Scalar, class Offset>
struct PlainMatrix {
  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  Ordinal num_rows;
  std::int64_t num_entries;
  Ordinal granule = 1;  ///< shares begin at multiples of so many rows

  /// What a row costs beside its entries, in entries: vectors are as much work as the matrix.
  KOKKOS_FUNCTION std::int64_t row_weight() const {
    return num_rows > 0 ? 1 + num_entries / num_rows : 1;
  }
  KOKKOS_FUNCTION std::int64_t weight() const { return num_entries + row_weight() * num_rows; }

  /// Where share `share` of `shares` begins: shares have about the same weight.
  template <class Crew>
  KOKKOS_FUNCTION Ordinal first_row(const Crew& crew, int share, int shares) const {
    const Ordinal row = row_of_weight(crew, weight() * share / shares);
    return row == num_rows ? row : row - row % granule;
  }

 private:
  /// The first row before which there is that weight. By all lanes of a
  /// worker, of which 32 look at a time on a device, as each look is a way to memory and back.
  template <class Crew>
  KOKKOS_FUNCTION Ordinal row_of_weight(const Crew& crew, std::int64_t target) const {
    const auto is_before = [&](Ordinal row) {
      return static_cast<std::int64_t>(offsets[row]) + row_weight() * row < target;
    };
    Ordinal low = 0;
    Ordinal high = num_rows;
    while (low < high) {
      if constexpr (Crew::one_share_a_worker) {
        constexpr int lanes = 32;
        const Ordinal step = (high - low - 1) / lanes + 1;
        const std::int64_t probe =
            low + static_cast<std::int64_t>(step) * (crew.lane() % lanes + 1) - 1;
        const int before = probe < high && is_before(static_cast<Ordinal>(probe)) ? 1 : 0;
        const auto found = static_cast<std::int64_t>(crew.sum_of_lanes(before, lanes));
        const std::int64_t last = low + step * (found + 1) - 1;
        low = static_cast<Ordinal>(low + step * found);
        high = last < high ? static_cast<Ordinal>(last) : high;
        if (low > high) low = high;
      } else {
        const Ordinal middle = low + (high - low) / 2;
        if (is_before(middle)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
    }
    return low;
  }
};

/// Rows `first` up to `first + rows`, which are counted from 0 here.
template <class Scalar, class Offset>
struct RowShare {
  static constexpr bool may_have_long_rows = true;
  int number = 0;
  Ordinal first = 0;
  int rows = 0;
  const Offset* offsets = nullptr;  ///< of these rows
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const std::int32_t* staged_offsets = nullptr;  ///< from the first entry on; null where not staged
  const Ordinal* staged_columns = nullptr;
  const Scalar* staged_values = nullptr;
  std::int64_t staged_entries = 0;
  LongRows* long_rows = nullptr;  ///< null where there are none

  RowShare() = default;
  template <class Crew>
  KOKKOS_FUNCTION RowShare(const Crew& crew, const PlainMatrix<Scalar, Offset>& A, int share)
      : number(share),
        first(A.first_row(crew, share, crew.num_shares())),
        rows(static_cast<int>(A.first_row(crew, share + 1, crew.num_shares()) - first)),
        offsets(A.offsets + first),
        columns(A.columns),
        values(A.values) {}

  KOKKOS_FUNCTION std::int64_t length(int l) const {
    return static_cast<std::int64_t>(offsets[l + 1] - offsets[l]);
  }
  /// Whether `multiply_long_rows` has the row.
  KOKKOS_FUNCTION bool is_long(int l) const {
    return long_rows != nullptr && l <= long_rows->rows[long_rows->count - 1] &&
           length(l) > long_rows->longer_than;
  }

  /// Looks for rows that are too long for `lanes_per_row` lanes; by all lanes of a worker.
  template <class Crew>
  KOKKOS_FUNCTION void note_long_rows(const Crew& crew, int lanes_per_row, Scratch& scratch) {
    if constexpr (Crew::one_share_a_worker) {
      auto* const list = scratch.take<LongRows>(1);
      if (list == nullptr) return;
      if (find_long_rows(crew, *list, rows, LongRows::entries_of_lane * lanes_per_row,
                         [&](int l) { return length(l); }))
        long_rows = list;
    }
  }

  /// By all lanes of a worker, with `synchronize_lanes` to come.
  template <class Crew>
  KOKKOS_FUNCTION void stage_offsets(const Crew& crew, Scratch& scratch) {
    if (rows == 0 || offsets[rows] - offsets[0] > 0x7fffffff) return;
    auto* const target = scratch.take<std::int32_t>(static_cast<std::size_t>(rows) + 1);
    if (target == nullptr) return;
    for (int l = crew.lane(); l <= rows; l += crew.num_lanes())
      target[l] = static_cast<std::int32_t>(offsets[l] - offsets[0]);
    staged_offsets = target;
  }
  /// The same, for as many of the entries as there is room for.
  template <class Crew>
  KOKKOS_FUNCTION void stage_entries(const Crew& crew, Scratch& scratch) {
    if (staged_offsets == nullptr) return;
    const auto all = static_cast<std::size_t>(offsets[rows] - offsets[0]);
    constexpr std::size_t bytes = sizeof(Ordinal) + sizeof(Scalar);
    const std::size_t room = scratch.left() > 2 * Scratch::alignment
                                 ? (scratch.left() - 2 * Scratch::alignment) / bytes
                                 : 0;
    const std::size_t count = all < room ? all : room;
    if (count == 0) return;
    auto* const to_values = scratch.take<Scalar>(count);
    auto* const to_columns = scratch.take<Ordinal>(count);
    if (to_values == nullptr || to_columns == nullptr) return;
    const auto begin = static_cast<std::size_t>(offsets[0]);
    for (std::size_t e = crew.lane(); e < count; e += crew.num_lanes()) {
      to_values[e] = values[begin + e];
      to_columns[e] = columns[begin + e];
    }
    staged_values = to_values;
    staged_columns = to_columns;
    staged_entries = static_cast<std::int64_t>(count);
  }

  /// The part of row `l` times a vector that lane `lane` of `lanes` has; `entry(column)` is the
  /// vector's.
  template <class Entry>
  KOKKOS_FUNCTION Scalar product(int l, int lane, int lanes, const Entry& entry) const {
    if (staged_offsets == nullptr) {
      return dot(columns, values, static_cast<std::int64_t>(offsets[l]) + lane,
                 static_cast<std::int64_t>(offsets[l + 1]), lanes, entry);
    }
    const std::int32_t begin = staged_offsets[l];
    const std::int32_t end = staged_offsets[l + 1];
    if (end <= staged_entries)
      return dot(staged_columns, staged_values, begin + lane, end, lanes, entry);
    const Offset from = offsets[0];
    return dot(columns + from, values + from, begin + lane, end, lanes, entry);
  }

 private:
  template <class Index, class Entry>
  KOKKOS_FUNCTION static Scalar dot(const Ordinal* columns, const Scalar* values, Index begin,
                                    Index end, int step, const Entry& entry) {
    Scalar sum = 0;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 4
#endif
    for (Index e = begin; e < end; e += step)
      sum += values[e] * entry(columns[e]);
    return sum;
  }
};

/// Calls `function(l, mine, sum)` for the rows of a share: `sum` is the row times the vector,
/// `mine` true for the one lane that goes on with the row. All lanes of the worker call it.
template <class Crew, class Share, class Entry, class Function>
KOKKOS_FUNCTION void multiply_rows(const Crew& crew, const Share& share, int lanes_per_row,
                                   const Entry& entry, const Function& function) {
  const int groups = crew.num_lanes() / lanes_per_row;
  const int group = crew.lane() / lanes_per_row;
  const int lane = crew.lane() % lanes_per_row;
  // As many turns for all lanes, for they add up together.
  for (int base = 0; base < share.rows; base += groups) {
    const int l = base + group;
    const bool is_row = l < share.rows && !share.is_long(l);
    auto sum = is_row ? share.product(l, lane, lanes_per_row, entry)
                      : decltype(share.product(0, 0, 1, entry))(0);
    sum = crew.sum_of_lanes(sum, lanes_per_row);
    if (is_row && lane == 0) function(l, sum);
  }
  if constexpr (Crew::one_share_a_worker && Share::may_have_long_rows) {
    if (share.long_rows != nullptr) multiply_long_rows(crew, share, entry, function);
  }
}

/// Calls `function(l)` for each row of a share, by one lane each.
template <class Crew, class Share, class Function>
KOKKOS_FUNCTION void visit_rows(const Crew& crew, const Share& share, const Function& function) {
  for (int l = crew.lane(); l < share.rows; l += crew.num_lanes())
    function(l);
}

/// The shares of a worker: the one of a device's, which is made once, or a host's, each made anew.
template <class Share, class Crew, class Work>
class SharesOf {
 public:
  KOKKOS_FUNCTION SharesOf(const Crew& crew, const Work& work) : m_crew(crew), m_work(work) {
    if constexpr (Crew::one_share_a_worker) {
      crew.for_each_share([&](int share) { m_mine = work.make_share(crew, share); });
      crew.synchronize_lanes();
    }
  }
  KOKKOS_FUNCTION decltype(auto) operator()(int share) const {
    if constexpr (Crew::one_share_a_worker) {
      static_cast<void>(share);
      return (m_mine);
    } else {
      return m_work.make_share(m_crew, share);
    }
  }

 private:
  const Crew& m_crew;
  const Work& m_work;
  Share m_mine;
};

}  // namespace tessera::kernels::detail
