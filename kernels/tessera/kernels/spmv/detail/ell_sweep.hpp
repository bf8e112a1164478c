// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The ELL kernels: on a host a group of rows per thread, slot after slot; on a device one thread
/// per row, or several where there are few rows (Ginkgo thesis, section 4.1.3). Neighbouring
/// threads read neighbouring slots. Partial sums of a row are added in a fixed order, not by
/// atomics.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/ell/ell_format.hpp"

#include <string>

namespace tessera::kernels::detail {

/// The slots, and the columns of `x` that they meet.
template <class Storage, class Working>
struct EllSlots {
  using Sum = Arithmetic<Storage, Working>;
  const Ordinal* columns;
  StorageReader<Sum, Storage> values;
  const Working* x;  ///< the first of the columns
  std::size_t ldx;
  std::size_t stride;
  Ordinal num_rows;
  Ordinal width;
  Sum scale;

  template <class Space>
  EllSlots(const EllView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& vectors,
           int first_column)
      : columns(A.columns.data()),
        values{A.values.data()},
        x(vectors.data() + first_column * vectors.stride(1)),
        ldx(vectors.stride(1)),
        stride(A.stride),
        num_rows(A.num_rows),
        width(A.width),
        scale(static_cast<Sum>(A.scale)) {}
};

/// Adds to a row's sum what lies outside of ELL: nothing.
struct NothingBeside {
  template <class Sum>
  KOKKOS_INLINE_FUNCTION Sum operator()(Ordinal, int, Sum sum) const {
    return sum;
  }
};

/// One thread per row.
template <class Storage, class Working, int N, class Beside, class Epilogue>
struct ThreadPerEllRow {
  using Sum = Arithmetic<Storage, Working>;
  EllSlots<Storage, Working> A;
  Beside beside;
  Epilogue epilogue;
  int first_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row) const {
    const StorageReader<Sum, Working> x{A.x};
    ColumnSums<Sum, N> sums;
    std::size_t slot = row;
    for (Ordinal s = 0; s < A.width; ++s, slot += A.stride) {
      const Ordinal column = A.columns[slot];
      if (column == ell_no_column) break;
      const Sum value = A.values[slot];
      for (int c = 0; c < N; ++c)
        sums.value[c] += value * x[column + c * A.ldx];
    }
    for (int c = 0; c < N; ++c)
      epilogue(row, first_column + c, A.scale * beside(row, first_column + c, sums.value[c]));
  }
};

/// `ell_row_group` rows per thread, so that it reads the slots as they lie in memory.
template <class Storage, class Working, int N, class Beside, class Epilogue>
struct ThreadPerEllGroup {
  using Sum = Arithmetic<Storage, Working>;
  EllSlots<Storage, Working> A;
  Beside beside;
  Epilogue epilogue;
  int first_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal group) const {
    const StorageReader<Sum, Working> x{A.x};
    const Ordinal first_row = group * ell_row_group;
    Sum sums[N][ell_row_group] = {};
    std::size_t slot = first_row;
    for (Ordinal s = 0; s < A.width; ++s, slot += A.stride) {
      for (int r = 0; r < ell_row_group; ++r) {
        const Ordinal column = A.columns[slot + r];
        if (column == ell_no_column) continue;
        const Sum value = A.values[slot + r];
        for (int c = 0; c < N; ++c)
          sums[c][r] += value * x[column + c * A.ldx];
      }
    }
    const int count = Kokkos::min(Ordinal(ell_row_group), A.num_rows - first_row);
    for (int r = 0; r < count; ++r) {
      for (int c = 0; c < N; ++c) {
        const Sum sum = beside(first_row + r, first_column + c, sums[c][r]);
        epilogue(first_row + r, first_column + c, A.scale * sum);
      }
    }
  }
};

/// `ell_row_group` rows per team, a vector lane each; thread `t` of `threads` takes slots t,
/// t + threads, ….
template <class Storage, class Working, class Beside, class Epilogue>
struct TeamPerEllGroup {
  using Sum = Arithmetic<Storage, Working>;
  template <class Member>
  using Scratch = Kokkos::View<Sum*, typename Member::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  EllSlots<Storage, Working> A;
  Beside beside;
  Epilogue epilogue;
  int first_column;
  int num_columns;
  int threads;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal first_row = member.league_rank() * ell_row_group;
    const Scratch<Member> sums(member.team_scratch(0), threads * ell_row_group);
    for (int c = 0; c < num_columns; ++c) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(member, threads), [&](const int t) {
        Kokkos::parallel_for(
            Kokkos::ThreadVectorRange(member, static_cast<int>(ell_row_group)),
            [&](const int r) { sums(t * ell_row_group + r) = partial_sum(first_row + r, t, c); });
      });
      member.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, static_cast<int>(ell_row_group)),
                           [&](const int r) {
                             if (first_row + r >= A.num_rows) return;
                             Sum sum = 0;
                             for (int t = 0; t < threads; ++t)
                               sum += sums(t * ell_row_group + r);
                             epilogue(first_row + r, first_column + c,
                                      A.scale * beside(first_row + r, first_column + c, sum));
                           });
      member.team_barrier();
    }
  }

  /// Of thread `t`; `row` may be padding.
  KOKKOS_INLINE_FUNCTION Sum partial_sum(Ordinal row, int t, int c) const {
    const StorageReader<Sum, Working> x{A.x + c * A.ldx};
    Sum sum = 0;
    for (Ordinal s = t; s < A.width; s += threads) {
      const std::size_t slot = row + s * A.stride;
      const Ordinal column = A.columns[slot];
      if (column == ell_no_column) break;
      sum += A.values[slot] * x[column];
    }
    return sum;
  }
};

/// `num_columns` columns from `first_column` on, the slots of a row divided among `threads_per_row`
/// by teams of `team_threads` threads.
template <class Storage, class Working, class Space, class Beside, class Epilogue>
void sweep_ell_by_teams(const Space& exec, const std::string& label,
                        const EllView<Storage, Space>& A,
                        const ConstMultiVectorView<Working, Space>& x, int first_column,
                        int num_columns, const Beside& beside, const Epilogue& epilogue,
                        int threads_per_row, int team_threads) {
  using Functor = TeamPerEllGroup<Storage, Working, Beside, Epilogue>;
  using Policy = Kokkos::TeamPolicy<Space>;
  using Scratch = typename Functor::template Scratch<typename Policy::member_type>;
  const auto groups = static_cast<int>(A.stride / ell_row_group);
  Policy policy(exec, groups, team_threads, static_cast<int>(ell_row_group));
  policy.set_scratch_size(
      0, Kokkos::PerTeam(Scratch::shmem_size(std::size_t(threads_per_row) * ell_row_group)));
  Kokkos::parallel_for(label, policy,
                       Functor{EllSlots<Storage, Working>(A, x, first_column), beside, epilogue,
                               first_column, num_columns, threads_per_row});
}

/// The sweep over `num_columns` columns from `first_column` on: teams where several threads share a
/// row; else one thread per row or, on a host, per group of rows. beside(row, column, sum) adds
/// what the row has outside of ELL.
template <class Storage, class Working, class Space, class Beside, class Epilogue>
void sweep_ell(const Space& exec, const std::string& label, const EllSpmvPlan& plan,
               const EllView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
               int first_column, int num_columns, const Beside& beside, const Epilogue& epilogue) {
  if constexpr (!is_host_space<Space>) {
    if (plan.threads_per_row > 1) {
      sweep_ell_by_teams(exec, label, A, x, first_column, num_columns, beside, epilogue,
                         plan.threads_per_row, plan.threads_per_row);
      return;
    }
  }
  for_few_column_groups(num_columns, [&](auto columns, int first) {
    constexpr int n = columns.value;
    const int column = first_column + first;
    const EllSlots<Storage, Working> slots(A, x, column);
    if constexpr (is_host_space<Space>) {
      const auto groups = static_cast<Ordinal>(A.stride / ell_row_group);
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, groups),
                           ThreadPerEllGroup<Storage, Working, n, Beside, Epilogue>{
                               slots, beside, epilogue, column});
    } else {
      Kokkos::parallel_for(
          label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
          ThreadPerEllRow<Storage, Working, n, Beside, Epilogue>{slots, beside, epilogue, column});
    }
  });
}

/// A chunk of rows of r = b - A x for `N` columns, and what it adds to <r, r>, by a thread of a
/// host.
template <class Storage, class Working, int N, class Beside>
struct EllResidualChunk {
  EllSlots<Storage, Working> A;
  Beside beside;
  SubtractFrom<Working> residual;
  int first_column;

  /// Chunks begin at multiples of `ell_row_group`.
  void operator()(Ordinal begin, Ordinal end, ColumnSums<double, N>& norm) const {
    using Epilogue = SubtractAndSquare<Working>;
    const ThreadPerEllGroup<Storage, Working, N, Beside, Epilogue> group_of_rows{
        A, beside, Epilogue{residual, norm.value, first_column}, first_column};
    for (Ordinal group = begin / ell_row_group; group * ell_row_group < end; ++group)
      group_of_rows(group);
  }
};

/// On a host: r = b - A x and its norm in one pass, for `num_columns` columns from `first_column`
/// on.
template <class Storage, class Working, class Space, class Beside>
void ell_residual_norm(const Space& exec, const std::string& label,
                       const EllView<Storage, Space>& A,
                       const ConstMultiVectorView<Working, Space>& x, int first_column,
                       int num_columns, const Beside& beside, const SubtractFrom<Working>& residual,
                       const ArrayView<double, Space>& result) {
  for_few_column_groups(num_columns, [&](auto columns, int first) {
    constexpr int n = columns.value;
    const int column = first_column + first;
    sum_row_chunks<n>(exec, label, A.num_rows,
                      EllResidualChunk<Storage, Working, n, Beside>{
                          EllSlots<Storage, Working>(A, x, column), beside, residual, column},
                      result.data() + column);
  });
}

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`.
template <class Storage, class Working, class Space, class Epilogue>
void sweep(const Space& exec, const std::string& label, const EllSpmvPlan& plan,
           const EllView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
           const Epilogue& epilogue) {
  if (A.num_rows == 0) return;
  sweep_ell(exec, label, plan, A, x, 0, static_cast<int>(x.extent(1)), NothingBeside{}, epilogue);
}

/// r = b - A x by the epilogue `residual`, and result(j) = <r_j, r_j>.
template <class Working, class Space, class Storage>
void sweep_and_norm(const Space& exec, const std::string& label, const EllSpmvPlan& plan,
                    const EllView<Storage, Space>& A, const ConstMultiVectorView<Working, Space>& x,
                    const SubtractFrom<Working>& residual,
                    const ConstMultiVectorView<Working, Space>& r,
                    const ArrayView<double, Space>& result) {
  if constexpr (is_host_space<Space>) {
    ell_residual_norm(exec, label, A, x, 0, static_cast<int>(x.extent(1)), NothingBeside{},
                      residual, result);
  } else {
    sweep(exec, label, plan, A, x, residual);
    dot_columns<Working, Space>(exec, r, r, result, label);
  }
}

}  // namespace tessera::kernels::detail
