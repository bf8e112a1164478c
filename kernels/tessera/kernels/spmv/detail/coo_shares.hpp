// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the entries of a COO matrix are divided, and where the sums of rows go.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/coo/coo_format.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

/// Threads of one COO team on a device.
inline constexpr int coo_team_threads = 128;
/// Consecutive entries that one thread of it sums up. Odd, so that the threads of a warp, that many
/// products apart in scratch memory, meet in no bank.
inline constexpr int coo_entries_per_thread = 9;

inline constexpr Ordinal no_row = -1;

/// A part of the ascending row numbers, and the rows that lie in it in part only.
struct RowSpan {
  Ordinal continued = no_row;  ///< begins before this part
  Ordinal unfinished = no_row;  ///< goes on behind this part

  /// Of `rows` from `begin` up to `end`, not empty, among those from `first` up to `last`.
  template <class Index>
  KOKKOS_INLINE_FUNCTION RowSpan(const Ordinal* rows, Index begin, Index end, Index first,
                                 Index last) {
    if (begin > first && rows[begin - 1] == rows[begin]) continued = rows[begin];
    if (end < last && rows[end - 1] == rows[end]) unfinished = rows[end];
  }
  /// True where this part finishes a row that another began.
  KOKKOS_INLINE_FUNCTION bool finishes() const {
    return continued != no_row && continued != unfinished;
  }
};

/// The entries of a matrix and the columns of `x` that they meet, divided into equal shares.
template <class Storage, class Working>
struct CooShares {
  using Sum = Arithmetic<Storage, Working>;
  const Ordinal* rows;
  const Ordinal* columns;
  StorageReader<Sum, Storage> values;
  const Working* x;  ///< the first of the columns
  std::size_t ldx;
  Sum scale;
  Sum* head;  ///< teams by columns: of the row that a team finishes, if another began it
  Sum* tail;  ///< teams by columns: of the row that a team does not finish
  std::size_t share;
  std::size_t num_entries;
  int teams;

  KOKKOS_INLINE_FUNCTION std::size_t begin(int t) const { return t * share; }
  KOKKOS_INLINE_FUNCTION std::size_t end(int t) const {
    return Kokkos::min(begin(t) + share, num_entries);
  }
  KOKKOS_INLINE_FUNCTION RowSpan span(int t) const {
    return {rows, begin(t), end(t), std::size_t(0), num_entries};
  }
  KOKKOS_INLINE_FUNCTION StorageReader<Sum, Working> x_column(int c) const { return {x + c * ldx}; }
  KOKKOS_INLINE_FUNCTION Sum& head_of(int t, int c) const {
    return head[t + c * static_cast<std::size_t>(teams)];
  }
  KOKKOS_INLINE_FUNCTION Sum& tail_of(int t, int c) const {
    return tail[t + c * static_cast<std::size_t>(teams)];
  }
};

/// What becomes of the row sums of a share.
template <class Storage, class Working, class Epilogue>
struct CooSweep {
  using Sum = Arithmetic<Storage, Working>;
  CooShares<Storage, Working> shares;
  Epilogue epilogue;
  int first_column;
  int num_columns;

  /// Puts the sum of what team `t` has of `row` where it belongs.
  KOKKOS_INLINE_FUNCTION void store(int t, const RowSpan& span, Ordinal row, int c, Sum sum) const {
    if (row == span.unfinished) {
      shares.tail_of(t, c) = sum;
    } else if (row == span.continued) {
      shares.head_of(t, c) = sum;
    } else {
      finish(row, c, sum);
    }
  }
  KOKKOS_INLINE_FUNCTION void finish(Ordinal row, int c, Sum sum) const {
    epilogue(row, first_column + c, shares.scale * sum);
  }
};

template <class Storage, class Space>
PatternPlace place_of(const CooView<Storage, Space>& A) {
  return {A.rows.data(), nullptr, static_cast<std::size_t>(A.num_rows), A.num_entries};
}

/// Throws unless `plan` was made for the row numbers of `A`.
template <class Storage, class Space>
void require_plan_of(const Space& exec, const CooSpmvPlan<Space>& plan,
                     const CooView<Storage, Space>& A) {
  plan.pattern.require_same(
      place_of(A), [&] { return fingerprint_of<Space, Ordinal>(exec, A.rows, A.num_entries); });
}

}  // namespace tessera::kernels::detail
