// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The load-balanced COO kernel: an equal share of the entries per team (Ginkgo thesis, section
/// 4.1.2), without atomics.
///
/// A row whose entries all lie in one share is finished there. Of a row that crosses into other
/// shares each leaves a partial sum, and a second kernel adds these in the order of the shares, so
/// that the same input gives the same bits. Inside a team the same happens once more between
/// its threads, each of which sums a few consecutive products.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spmv/coo/coo_format.hpp"
#include "tessera/kernels/spmv/detail/coo_shares.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

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

/// One share, row by row: for host spaces.
template <class Storage, class Working, class Epilogue>
struct ThreadPerCooShare {
  CooSweep<Storage, Working, Epilogue> sweep;

  KOKKOS_INLINE_FUNCTION void operator()(int t) const {
    const auto& shares = sweep.shares;
    const RowSpan span = shares.span(t);
    const std::size_t end = shares.end(t);
    for (std::size_t entry = shares.begin(t); entry < end;) {
      const Ordinal row = shares.rows[entry];
      std::size_t row_end = entry + 1;
      while (row_end < end && shares.rows[row_end] == row)
        ++row_end;
      for (int c = 0; c < sweep.num_columns; ++c) {
        ColumnSums<Arithmetic<Storage, Working>, 1> sum;
        add_products(sum, shares.columns, shares.values, shares.x_column(c), shares.ldx, entry,
                     row_end);
        sweep.store(t, span, row, c, sum.value[0]);
      }
      entry = row_end;
    }
  }
};

/// Finishes the rows that lie in several shares.
template <class Storage, class Working, class Epilogue>
struct FinishCooRows {
  using Sum = Arithmetic<Storage, Working>;
  CooSweep<Storage, Working, Epilogue> sweep;

  /// The share where the row begins that share `t` finishes.
  KOKKOS_INLINE_FUNCTION int begin_of(Ordinal row, int t) const {
    const auto& shares = sweep.shares;
    return static_cast<int>(first_of_row(shares.rows, 0, shares.begin(t), row) / shares.share);
  }

  KOKKOS_INLINE_FUNCTION void operator()(int t) const {
    const RowSpan span = sweep.shares.span(t);
    if (!span.finishes()) return;
    const int begin = begin_of(span.continued, t);
    for (int c = 0; c < sweep.num_columns; ++c) {
      Sum sum = sweep.shares.head_of(t, c);
      for (int other = begin; other < t; ++other)
        sum += sweep.shares.tail_of(other, c);
      sweep.finish(span.continued, c, sum);
    }
  }

  template <class Member>
    requires requires(const Member& member) { member.league_rank(); }
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int t = member.league_rank() * member.team_size() + member.team_rank();
    if (t >= sweep.shares.teams) return;
    const RowSpan span = sweep.shares.span(t);
    if (!span.finishes()) return;
    const int begin = begin_of(span.continued, t);
    for (int c = 0; c < sweep.num_columns; ++c) {
      Sum sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, begin, t),
          [&](const int other, Sum& mine) { mine += sweep.shares.tail_of(other, c); }, sum);
      Kokkos::single(Kokkos::PerThread(member),
                     [&] { sweep.finish(span.continued, c, sum + sweep.shares.head_of(t, c)); });
    }
  }
};

/// Gives the rows without entries their sum, 0.
template <class Sum, class Epilogue>
struct FinishEmptyRows {
  const Ordinal* empty_rows;
  Epilogue epilogue;
  int first_column;
  int num_columns;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    for (int c = 0; c < num_columns; ++c)
      epilogue(empty_rows[i], first_column + c, Sum(0));
  }
};

/// All shares, one by one by the threads of a host or, with `teams`, by teams of `threads` threads;
/// `lanes` for the sums of rows in several shares. Teams run on a host too, slowly.
template <class Space, class Storage, class Working, class Epilogue,
          bool teams = !is_host_space<Space>>
void sweep_shares(const Space& exec, const std::string& label,
                  const CooSweep<Storage, Working, Epilogue>& sweep, std::bool_constant<teams> = {},
                  int threads = coo_team_threads, int lanes = 32) {
  const FinishCooRows<Storage, Working, Epilogue> finish{sweep};
  const int count = sweep.shares.teams;
  if (count == 0) return;
  if constexpr (teams) {
    using Functor = TeamPerCooShare<Storage, Working, Epilogue>;
    using Policy = Kokkos::TeamPolicy<Space>;
    using Scratch = typename Functor::template Scratch<typename Policy::member_type>;
    Policy policy(exec, count, threads, 1);
    policy.set_scratch_size(0,
                            Kokkos::PerTeam(Scratch::bytes(static_cast<int>(sweep.shares.share))));
    Kokkos::parallel_for(label, policy, Functor{sweep});
    if (count == 1) return;
    const int teams_at_once = std::max(1, threads / lanes);
    Kokkos::parallel_for(label + "_finish",
                         Policy(exec, (count - 1) / teams_at_once + 1, teams_at_once, lanes),
                         finish);
  } else {
    const Kokkos::RangePolicy<Space> policy(exec, 0, count);
    Kokkos::parallel_for(label, policy, ThreadPerCooShare<Storage, Working, Epilogue>{sweep});
    if (count > 1) Kokkos::parallel_for(label + "_finish", policy, finish);
  }
}

/// The sweep over `num_columns` (at most `max_columns_at_once`) columns from `first_column` on.
template <class Storage, class Working, class Space, class Epilogue>
CooSweep<Storage, Working, Epilogue> coo_sweep(const CooSpmvPlan<Space>& plan,
                                               const CooView<Storage, Space>& A,
                                               const ConstMultiVectorView<Working, Space>& x,
                                               int first_column, int num_columns,
                                               const Epilogue& epilogue, double scale) {
  using Sum = Arithmetic<Storage, Working>;
  auto* const head = reinterpret_cast<Sum*>(plan.workspace.data());
  Sum* const tail = head + static_cast<std::size_t>(plan.teams) * max_columns_at_once;
  return {{A.rows.data(),
           A.columns.data(),
           {A.values.data()},
           x.data() + first_column * x.stride(1),
           x.stride(1),
           static_cast<Sum>(scale),
           head,
           tail,
           plan.entries_per_team,
           plan.num_entries,
           plan.teams},
          epilogue,
          first_column,
          num_columns};
}

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`, reading
/// the matrix once for up to `max_columns_at_once` columns.
template <class Storage, class Working, class Space, class Epilogue>
void sweep(const Space& exec, const std::string& label, const CooSpmvPlan<Space>& plan,
           const CooView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
           const Epilogue& epilogue) {
  const int k = static_cast<int>(x.extent(1));
  require_plan_of(exec, plan, A);
  for (int first = 0; first < k; first += max_columns_at_once) {
    const int count = std::min(k - first, max_columns_at_once);
    const auto columns = coo_sweep(plan, A, x, first, count, epilogue, A.scale);
    sweep_shares(exec, label, columns);
    const auto empty = plan.empty_rows.extent(0);
    if (empty == 0) continue;
    Kokkos::parallel_for(label + "_empty_rows", Kokkos::RangePolicy<Space>(exec, 0, empty),
                         FinishEmptyRows<Arithmetic<Storage, Working>, Epilogue>{
                             plan.empty_rows.data(), epilogue, first, count});
  }
}

}  // namespace tessera::kernels::detail
