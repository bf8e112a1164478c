// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of fill_dense_rows.
#pragma once

#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills rows by one sum for each column and part. A sweep over the columns writes them in order.
template <class Scalar, class Space, class Offset>
struct FillDenseRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int num_segments = 16;  ///< of the columns, each swept by one team thread

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;
  RowBin bin;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  int lanes;  ///< of a team thread
  int parts;
  ArrayView<Ordinal, Space> stamps;  ///< num_cols for each team
  ArrayView<Scalar, Space> sums;  ///< parts times num_cols for each team, zero between rows

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::size_t num_cols = B.num_cols;
    Ordinal* my_stamps = stamps.data() + member.league_rank() * num_cols;
    Scalar* my_sums = sums.data() + member.league_rank() * num_cols * parts;
    auto* counts = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(num_segments * sizeof(Ordinal), 8));
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = rows.extent(0) == 0 ? index : rows(bin.first + index);
      add_up(member, row, my_stamps, my_sums);
      count_segments(member, row, my_stamps, counts);
      write_segments(member, row, my_stamps, my_sums, counts);
    }
  }

  KOKKOS_INLINE_FUNCTION void add_up(const Member& member, Ordinal row, Ordinal* my_stamps,
                                     Scalar* my_sums) const {
    const Offset first = A.offsets(row);
    const Offset last = A.offsets(row + 1);
    const std::int64_t size = offsets(row + 1) - offsets(row);
    if (rows_fill_team(size, last - first, lanes * member.team_size())) {
      for (Offset k = first; k < last; ++k) {
        const ScaledRow<Scalar, Offset> b = scaled_row(A, B, k);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(member, b.end - b.begin), [&](Offset i) {
          const Ordinal column = B.columns(b.begin + i);
          my_stamps[column] = row;
          my_sums[column] += b.factor * B.values(b.begin + i);
        });
        member.team_barrier();
      }
      return;
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, parts), [&](int part) {
      Scalar* part_sums = my_sums + static_cast<std::size_t>(part) * B.num_cols;
      for_each_product(member, A, B, row, part, parts, [&](Ordinal column, Scalar product) {
        Kokkos::atomic_store(my_stamps + column, row);
        part_sums[column] += product;
      });
    });
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION Ordinal segment_begin(int segment) const {
    return static_cast<Ordinal>(std::int64_t(B.num_cols) * segment / num_segments);
  }

  KOKKOS_INLINE_FUNCTION void count_segments(const Member& member, Ordinal row,
                                             const Ordinal* my_stamps, Ordinal* counts) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_segments), [&](int segment) {
      Ordinal count = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, segment_begin(segment), segment_begin(segment + 1)),
          [&](Ordinal column, Ordinal& sum) { sum += my_stamps[column] == row; }, count);
      Kokkos::single(Kokkos::PerThread(member), [&]() { counts[segment] = count; });
    });
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void write_segments(const Member& member, Ordinal row,
                                             const Ordinal* my_stamps, Scalar* my_sums,
                                             const Ordinal* counts) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_segments), [&](int segment) {
      Offset begin = offsets(row);
      for (int before = 0; before < segment; ++before)
        begin += counts[before];
      const Ordinal first = segment_begin(segment);
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(member, segment_begin(segment + 1) - first),
                            [&](Ordinal i, Ordinal& position, bool final) {
                              if (my_stamps[first + i] != row) return;
                              if (final) {
                                columns(begin + position) = first + i;
                                values(begin + position) = take_sum(my_sums + first + i);
                              }
                              ++position;
                            });
    });
    member.team_barrier();
  }

  /// The sum of all parts, which are set to zero.
  KOKKOS_INLINE_FUNCTION Scalar take_sum(Scalar* of_column) const {
    Scalar sum(0);
    for (int part = 0; part < parts; ++part) {
      Scalar& part_sum = of_column[static_cast<std::size_t>(part) * B.num_cols];
      sum += part_sum;
      part_sum = Scalar(0);
    }
    return sum;
  }
};

template <class Scalar, class Space, class Offset>
void fill_dense_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const CsrView<Scalar, Space, Offset>& B,
                     const ArrayView<const Ordinal, Space>& rows, const RowBin& bin,
                     const ArrayView<const Offset, Space>& offsets,
                     const ArrayView<Ordinal, Space>& columns,
                     const ArrayView<Scalar, Space>& values) {
  // Few rows: many parts each; many rows: the memory goes to more teams.
  const int parts = bin.count < 64 ? 16 : 4;
  const std::size_t num_cols = B.num_cols;
  const Ordinal teams =
      teams_for_budget<Space>(bin.count, num_cols * (sizeof(Ordinal) + parts * sizeof(Scalar)));
  const auto stamps = allocate<Ordinal>(exec, "tessera::spgemm::stamps", teams * num_cols);
  const auto sums = allocate<Scalar>(exec, "tessera::spgemm::sums", teams * num_cols * parts);
  Kokkos::deep_copy(exec, stamps, Ordinal(-1));
  Kokkos::deep_copy(exec, sums, Scalar(0));
  const int lanes = is_host_space<Space> ? 1 : 32;  // the sweeps go through all columns
  Kokkos::TeamPolicy<Space, LargeTeams> policy(exec, teams,
                                               threads_in_team<Space>(16 * lanes, lanes), lanes);
  policy.set_scratch_size(
      0,
      Kokkos::PerTeam(FillDenseRows<Scalar, Space, Offset>::num_segments * sizeof(Ordinal) + 16));
  Kokkos::parallel_for("tessera::spgemm::fill_dense_rows", policy,
                       FillDenseRows<Scalar, Space, Offset>{A, B, rows, bin, offsets, columns,
                                                            values, lanes, parts, stamps, sums});
}

}  // namespace tessera::kernels::spgemm_detail
