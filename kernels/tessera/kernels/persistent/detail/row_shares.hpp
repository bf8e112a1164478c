// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of a matrix that a share of a cooperative group has, with what of them lies in
/// registers and in shared memory.
///
/// Lanes of a device may hold the first entries of the first row that they add up in registers,
/// `max_held_entries` at most. Shared memory holds all entries, those in registers too, where it
/// has the room; where it has not, entries of the lanes' first rows are left out first, as many as
/// need be. Whatever lies in neither is read from memory, by the L2 cache.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/persistent/detail/column_window.hpp"
#include "tessera/kernels/persistent/detail/entry_batch.hpp"
#include "tessera/kernels/persistent/detail/long_rows.hpp"
#include "tessera/kernels/persistent/detail/plain_matrix.hpp"

#include <cstddef>
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

/// Rows `first` up to `first + rows`, which are counted from 0 here. Lanes of a device hold up to
/// `max_held` entries each.
template <class Scalar, class Offset, int max_held = 0, bool has_window = false>
struct RowShare {
  static constexpr bool may_have_long_rows = true;
  static constexpr bool holds_entries = max_held > 0;
  static constexpr bool may_have_window = has_window;
  int number = 0;
  Ordinal first = 0;
  int rows = 0;
  const Offset* offsets = nullptr;  ///< of these rows
  // Of the matrix; of these rows where offsets are staged.
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const std::int32_t* staged_offsets = nullptr;  ///< from the first entry on; null where not staged
  const Ordinal* staged_columns = nullptr;
  const Scalar* staged_values = nullptr;
  // From the first entry on.
  std::int32_t staged_begin = 0;
  std::int32_t staged_end = 0;
  // What this lane holds, which is of no use where `max_held` is 0.
  EntryBatch<Scalar, holds_entries ? max_held : 1> held;
  int held_rows = 0;  ///< of how many rows lanes hold the first entries
  int held_step = 0;  ///< how far behind the lane's first entry of its row the others begin
  bool has_rest = true;  ///< whether there are others
  ColumnWindow<Scalar> window;
  LongRows* long_rows = nullptr;  ///< null where there are none

  RowShare() = default;
  template <class Group>
  KOKKOS_FUNCTION RowShare(const Group& group, const PlainMatrix<Scalar, Offset>& A, int share)
      : number(share),
        first(A.first_row(group, share, group.num_shares())),
        rows(static_cast<int>(A.first_row(group, share + 1, group.num_shares()) - first)),
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
  template <class Group>
  KOKKOS_FUNCTION void note_long_rows(const Group& group, int lanes_per_row, Scratch& scratch) {
    if constexpr (Group::one_share_per_worker) {
      auto* const list = scratch.take<LongRows>(1);
      if (list == nullptr) return;
      if (find_long_rows(group, *list, rows, LongRows::entries_of_lane * lanes_per_row,
                         [&](int l) { return length(l); }))
        long_rows = list;
    }
  }

  /// By all lanes of a worker, with `synchronize_lanes` to come.
  template <class Group>
  KOKKOS_FUNCTION void stage_offsets(const Group& group, Scratch& scratch) {
    if (rows == 0 || offsets[rows] - offsets[0] > 0x7fffffff) return;
    auto* const target = scratch.take<std::int32_t>(static_cast<std::size_t>(rows) + 1);
    if (target == nullptr) return;
    for (int l = group.lane(); l <= rows; l += group.num_lanes())
      target[l] = static_cast<std::int32_t>(offsets[l] - offsets[0]);
    staged_offsets = target;
    columns += offsets[0];
    values += offsets[0];
  }
  /// The first entries of this lane's first row, `most` at most; those of a long row are left to
  /// the lanes that share it. By all lanes of a worker, after `note_long_rows`.
  template <class Group>
  KOKKOS_FUNCTION void hold_entries(const Group& group, int lanes_per_row, int most) {
    if constexpr (Group::one_share_per_worker && holds_entries) {
      const int l = group.lane() / lanes_per_row;
      if (most <= 0) return;
      held_rows = group.num_lanes() / lanes_per_row;
      if (l >= rows || is_long(l)) return;
      held_step = most * lanes_per_row;
      const int left = static_cast<int>(length(l)) - group.lane() % lanes_per_row;
      has_rest = left > held_step;
      if (left <= 0) return;
      const Offset begin = offsets[l] + group.lane() % lanes_per_row;
      held.load(columns + begin, values + begin, left, lanes_per_row, first, most);
    }
  }
  /// A window of the columns, where lanes have more to multiply by than they ask for at once; by
  /// all lanes of a worker. There is no point to it where whole vectors lie in shared memory.
  template <class Group>
  KOKKOS_FUNCTION void open_window(const Group& group, int lanes_per_row, Scratch& scratch) {
    if constexpr (Group::one_share_per_worker && may_have_window) {
      using Window = ColumnWindow<Scalar>;
      const auto entries = static_cast<std::int64_t>(offsets[rows] - offsets[0]);
      const std::int64_t items = static_cast<std::int64_t>(rows) * lanes_per_row;
      if (items <= group.num_lanes() && entries <= max_held * items) return;
      auto* const range = scratch.take<Ordinal>(2);
      if (range == nullptr) return;
      find_column_range(group, columns + (staged_offsets != nullptr ? 0 : offsets[0]), entries,
                        first, range);
      const std::int64_t length = static_cast<std::int64_t>(range[1]) - range[0] + 1;
      if (length * Window::reads_of_column > entries) return;
      auto* const room = scratch.take<Scalar>(static_cast<std::size_t>(length));
      if (room != nullptr) window = {room, range[0], static_cast<int>(length)};
    }
  }
  /// As many of the entries as there is room for; by all lanes of a worker, with
  /// `synchronize_lanes` to come.
  template <class Group>
  KOKKOS_FUNCTION void stage_entries(const Group& group, Scratch& scratch) {
    if (staged_offsets == nullptr) return;
    const auto all = static_cast<std::int64_t>(offsets[rows] - offsets[0]);
    constexpr std::size_t bytes = sizeof(Ordinal) + sizeof(Scalar);
    const auto room = static_cast<std::int64_t>(
        scratch.left() > 2 * Scratch::alignment ? (scratch.left() - 2 * Scratch::alignment) / bytes
                                                : 0);
    if (room == 0) return;
    std::int64_t from = 0;
    if (all > room && held_rows > 0) {
      const auto held_end =
          static_cast<std::int64_t>(offsets[held_rows < rows ? held_rows : rows] - offsets[0]);
      from = all - room < held_end ? all - room : held_end;
    }
    const std::int64_t count = all - from < room ? all - from : room;
    if (count == 0) return;
    auto* const to_values = scratch.take<Scalar>(static_cast<std::size_t>(count));
    auto* const to_columns = scratch.take<Ordinal>(static_cast<std::size_t>(count));
    if (to_values == nullptr || to_columns == nullptr) return;
    // Several are asked for before the first is stored, behind which the compiler moves no load.
    const int lanes = group.num_lanes();
    const int step = entries_at_once * lanes;
    TESSERA_NO_UNROLL
    for (std::int64_t e = group.lane(); e < count; e += step) {
      EntryBatch<Scalar, entries_at_once> batch;
      batch.load(columns + from + e, values + from + e, static_cast<int>(count - e), lanes, 0);
      TESSERA_UNROLL
      for (int k = 0; k < entries_at_once; ++k) {
        if (k >= batch.count) continue;
        const int at = k * lanes;
        to_values[e + at] = batch.values[k];
        to_columns[e + at] = batch.columns[k];
      }
    }
    staged_values = to_values;
    staged_columns = to_columns;
    staged_begin = static_cast<std::int32_t>(from);
    staged_end = static_cast<std::int32_t>(from + count);
  }

  /// The part of row `l` times a vector that a lane has whose first entry is `begin`, every
  /// `step`-th from there on; `entry(column)` is the vector's.
  template <class Entry>
  KOKKOS_FUNCTION Scalar product(int l, int begin, int step, const Entry& entry) const {
    if constexpr (holds_entries) {
      return add_product(0, l, begin, step, entry);
    } else {
      if (staged_offsets == nullptr) {
        return dot(columns, values, static_cast<std::int64_t>(offsets[l]) + begin,
                   static_cast<std::int64_t>(offsets[l + 1]), step, entry);
      }
      const std::int32_t from = staged_offsets[l];
      const std::int32_t end = staged_offsets[l + 1];
      if (end <= staged_end)
        return dot(staged_columns, staged_values, from + begin, end, step, entry);
      return dot(columns, values, from + begin, end, step, entry);
    }
  }

  /// `sum` with the same, for which the vector is asked for `entries_at_once` at a time, those
  /// behind the last whole batch, too.
  template <class Entry>
  KOKKOS_FUNCTION Scalar add_product(Scalar sum, int l, int begin, int step,
                                     const Entry& entry) const {
    const bool counts_here = staged_offsets != nullptr;
    const Offset from = static_cast<Offset>(counts_here ? staged_offsets[l] : offsets[l]) + begin;
    const auto end = static_cast<Offset>(counts_here ? staged_offsets[l + 1] : offsets[l + 1]);
    const bool is_staged = counts_here && from >= staged_begin && end <= staged_end;
    const Offset at = is_staged ? from - staged_begin : from;
    const Ordinal* const my_columns = (is_staged ? staged_columns : columns) + at;
    const Scalar* const my_values = (is_staged ? staged_values : values) + at;
    const int left = static_cast<int>(end - from);
    TESSERA_NO_UNROLL
    for (int done = 0; done < left; done += entries_at_once * step) {
      EntryBatch<Scalar, entries_at_once> batch;
      batch.load(my_columns + done, my_values + done, left - done, step, first);
      sum = batch.add_to(sum, entry);
    }
    return sum;
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

/// The shares of a worker: the one of a device's, which is made once, or a host's, each made again.
template <class Share, class Group, class Work>
class SharesOf {
 public:
  KOKKOS_FUNCTION SharesOf(const Group& group, const Work& work) : m_group(group), m_work(work) {
    if constexpr (Group::one_share_per_worker) {
      group.for_each_share([&](int share) { m_mine = work.make_share(group, share); });
      group.synchronize_lanes();
    }
  }
  KOKKOS_FUNCTION decltype(auto) operator()(int share) const {
    if constexpr (Group::one_share_per_worker) {
      static_cast<void>(share);
      return (m_mine);
    } else {
      return m_work.make_share(m_group, share);
    }
  }

 private:
  const Group& m_group;
  const Work& m_work;
  Share m_mine;
};

}  // namespace tessera::kernels::detail
