// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The load-balanced CSR kernel: an equal share of the work a team (Ginkgo thesis, chapter 4).
///
/// Work is counted along the merge path of entries and row ends: entry e of row i is step e + i,
/// the end of row i is step offsets(i + 1) + i. Team t owns steps [t W, (t + 1) W): it finishes
/// rows first_row(t) up to first_row(t + 1), whose entries from t W - first_row(t) on are its own.
/// A row that begins in an earlier team is finished by a second kernel from the teams' partial
/// sums, in their order, so that no atomics are needed and the same input gives the same bits.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"

#include <string>

namespace tessera::kernels::detail {

/// Threads of one team of the load-balanced kernel on a device.
inline constexpr int balanced_team_threads = 128;

/// The matrix, the division into teams, and the teams' partial sums.
template <class Storage, class Offset, class Working = Storage>
struct BalancedShares {
  using Scalar = Arithmetic<Storage, Working>;
  const Offset* offsets;
  const Ordinal* columns;
  StorageReader<Scalar, Storage> values;
  const Working* x;  ///< the first of the columns
  std::size_t ldx;
  const Ordinal* first_row;
  Scalar* head;  ///< teams by k: of the first row that a team finishes, if another began it
  Scalar* tail;  ///< teams by k: of the row that a team begins or continues, and does not finish
  std::size_t share;
  std::size_t steps;
  int teams;

  KOKKOS_INLINE_FUNCTION StorageReader<Scalar, Working> x_column(int c) const {
    return {x + c * ldx};
  }
  /// The first entry of team `t`.
  KOKKOS_INLINE_FUNCTION Offset first_entry(int t) const {
    const std::size_t step = t * share;
    return static_cast<Offset>((step < steps ? step : steps) - first_row[t]);
  }
  KOKKOS_INLINE_FUNCTION Scalar& head_of(int t, int c) const {
    return head[t + c * static_cast<std::size_t>(teams)];
  }
  KOKKOS_INLINE_FUNCTION Scalar& tail_of(int t, int c) const {
    return tail[t + c * static_cast<std::size_t>(teams)];
  }
  /// Puts the sum of what team `t`, whose entries are [begin, end), has of `row` where it belongs.
  template <class Epilogue>
  KOKKOS_INLINE_FUNCTION void store(int t, Offset begin, Ordinal row, int first_column, int c,
                                    Scalar sum, const Epilogue& epilogue) const {
    if (row == first_row[t + 1]) {
      tail_of(t, c) = sum;
    } else if (offsets[row] < begin) {
      head_of(t, c) = sum;
    } else {
      epilogue(row, first_column + c, sum);
    }
  }
};

/// One share of the work, row by row as by the classical kernel: for host spaces. A share lies in a
/// core's cache, so that it is read from memory once for all columns.
template <class Shares, class Offset, class Epilogue>
struct ThreadPerShare {
  Shares shares;
  Epilogue epilogue;
  int first_column;
  int num_columns;

  void operator()(int t) const {
    for_few_column_groups(num_columns,
                          [&](auto columns, int first) { multiply<columns.value>(t, first); });
  }

  /// `N` columns from `first` on.
  template <int N>
  void multiply(int t, int first) const {
    const Ordinal last_row = shares.first_row[t + 1];
    const Offset end = shares.first_entry(t + 1);
    Ordinal row = shares.first_row[t];
    Offset entry = shares.first_entry(t);
    if (row < last_row && shares.offsets[row] < entry) {
      const auto sums = part_of_row<N>(first, entry, shares.offsets[row + 1]);
      for (int c = 0; c < N; ++c)
        shares.head_of(t, first + c) = sums.value[c];
      entry = shares.offsets[++row];
    }
    while (row < last_row) {
      const auto sums = part_of_row<N>(first, entry, shares.offsets[row + 1]);
      for (int c = 0; c < N; ++c)
        epilogue(row, first_column + first + c, sums.value[c]);
      entry = shares.offsets[++row];
    }
    const auto sums = part_of_row<N>(first, entry, end);
    for (int c = 0; c < N; ++c)
      shares.tail_of(t, first + c) = sums.value[c];
  }

  template <int N>
  auto part_of_row(int first, Offset entry, Offset end) const {
    return sum_of_entries<N, typename Shares::Scalar>(
        shares.columns, shares.values, shares.x_column(first), shares.ldx, entry, end);
  }
};

/// One share of the work by one team: products into scratch memory, entry by entry, then row sums.
template <class Shares, class Offset, class Epilogue>
struct TeamPerShare {
  using Scalar = typename Shares::Scalar;
  template <class Member>
  using Scratch = Kokkos::View<Scalar*, typename Member::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Shares shares;
  Epilogue epilogue;
  int first_column;
  int num_columns;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int t = member.league_rank();
    const Offset begin = shares.first_entry(t);
    const int count = static_cast<int>(shares.first_entry(t + 1) - begin);
    Scratch<Member> scratch(member.team_scratch(0), shares.share);
    Scalar* const products = scratch.data();
    for (int c = 0; c < num_columns; ++c) {
      const auto x_column = shares.x_column(c);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, count), [&](const int i) {
        products[i] = shares.values[begin + i] * x_column[shares.columns[begin + i]];
      });
      member.team_barrier();
      sum_rows(member, t, begin, count, c, products);
      member.team_barrier();
    }
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void sum_rows(const Member& member, int t, Offset begin, int count, int c,
                                       const Scalar* products) const {
    const Ordinal last_row = shares.first_row[t + 1];
    const auto rows = Kokkos::TeamThreadRange(member, shares.first_row[t], last_row + 1);
    Kokkos::parallel_for(rows, [&](const Ordinal row) {
      const Offset row_begin = shares.offsets[row];
      const int from = row_begin < begin ? 0 : static_cast<int>(row_begin - begin);
      const int to = row < last_row ? static_cast<int>(shares.offsets[row + 1] - begin) : count;
      Scalar sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, from, to),
          [&](const int i, Scalar& mine) { mine += products[i]; }, sum);
      Kokkos::single(Kokkos::PerThread(member),
                     [&] { shares.store(t, begin, row, first_column, c, sum, epilogue); });
    });
  }
};

/// Finishes the rows that lie in several teams.
template <class Shares, class Epilogue>
struct FinishRows {
  using Scalar = typename Shares::Scalar;
  Shares shares;
  Epilogue epilogue;
  int first_column;
  int num_columns;

  /// The row that team `t` finishes for others, and the team where it begins; `begin_team == t`
  /// where there is none.
  KOKKOS_INLINE_FUNCTION int begin_team(int t) const {
    const Ordinal row = shares.first_row[t];
    if (row == shares.first_row[t + 1] || shares.offsets[row] >= shares.first_entry(t)) return t;
    return static_cast<int>((static_cast<std::size_t>(shares.offsets[row]) + row) / shares.share);
  }

  KOKKOS_INLINE_FUNCTION void operator()(int t) const {
    const int begin = begin_team(t);
    if (begin == t) return;
    for (int c = 0; c < num_columns; ++c) {
      Scalar sum = shares.head_of(t, c);
      for (int other = begin; other < t; ++other)
        sum += shares.tail_of(other, c);
      epilogue(shares.first_row[t], first_column + c, sum);
    }
  }

  template <class Member>
    requires requires(const Member& member) { member.league_rank(); }
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int t = member.league_rank() * member.team_size() + member.team_rank();
    const int begin = t < shares.teams ? begin_team(t) : t;
    if (begin == t) return;
    for (int c = 0; c < num_columns; ++c) {
      Scalar sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, begin, t),
          [&](const int other, Scalar& mine) { mine += shares.tail_of(other, c); }, sum);
      Kokkos::single(Kokkos::PerThread(member), [&] {
        epilogue(shares.first_row[t], first_column + c, sum + shares.head_of(t, c));
      });
    }
  }
};

/// For `num_columns` (at most `max_columns_at_once`) columns from `first_column`:
/// epilogue(row, column, (A x)(row, column)) for every row.
template <class Storage, class Working, class Space, class Offset, class Epilogue>
void sweep_balanced(const Space& exec, const std::string& label, const CsrSpmvPlan<Space>& plan,
                    const CsrView<Storage, Space, Offset>& A,
                    const ConstMultiVectorView<Working, Space>& x, int first_column,
                    int num_columns, const Epilogue& epilogue) {
  using Shares = BalancedShares<Storage, Offset, Working>;
  using Scalar = typename Shares::Scalar;
  const int teams = static_cast<int>(plan.first_row.extent(0)) - 1;
  const std::size_t steps = A.num_entries + A.num_rows;
  auto* const head = reinterpret_cast<Scalar*>(plan.workspace.data());
  Scalar* const tail = head + static_cast<std::size_t>(teams) * max_columns_at_once;
  const Shares shares{A.offsets.data(),
                      A.columns.data(),
                      {A.values.data()},
                      x.data() + first_column * x.stride(1),
                      x.stride(1),
                      plan.first_row.data(),
                      head,
                      tail,
                      plan.entries_per_team,
                      steps,
                      teams};
  const FinishRows<Shares, Epilogue> finish{shares, epilogue, first_column, num_columns};
  if constexpr (is_host_space<Space>) {
    const Kokkos::RangePolicy<Space> policy(exec, 0, teams);
    Kokkos::parallel_for(
        label, policy,
        ThreadPerShare<Shares, Offset, Epilogue>{shares, epilogue, first_column, num_columns});
    Kokkos::parallel_for(label + "_finish", policy, finish);
  } else {
    const int lanes = plan.threads_per_row;
    Kokkos::TeamPolicy<Space> policy(exec, teams, balanced_team_threads / lanes, lanes);
    using Member = typename Kokkos::TeamPolicy<Space>::member_type;
    using Functor = TeamPerShare<Shares, Offset, Epilogue>;
    policy.set_scratch_size(
        0, Kokkos::PerTeam(Functor::template Scratch<Member>::shmem_size(plan.entries_per_team)));
    Kokkos::parallel_for(label, policy, Functor{shares, epilogue, first_column, num_columns});
    constexpr int warp = 32;
    constexpr int teams_at_once = balanced_team_threads / warp;
    Kokkos::parallel_for(
        label + "_finish",
        Kokkos::TeamPolicy<Space>(exec, (teams - 1) / teams_at_once + 1, teams_at_once, warp),
        finish);
  }
}

}  // namespace tessera::kernels::detail
