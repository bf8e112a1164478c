// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The staged CSR product with column patterns: values come in bulk copies, columns from a table
/// that the caches hold.
///
/// Of columns and row offsets it reads one byte per row, four bytes per part, and of a matrix that
/// is not square four bytes per row: 8 bytes per entry in double where the kernel of
/// csr_staged_spmv.hpp reads 12, in float 4 of 8. As columns are known before the values are there,
/// elements of x are on their way at the same time. The order of sums is that of the other kernel.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/cuda/row_mapping.hpp"

#include <limits>
#include <optional>

namespace tessera::kernels::cuda {

/// Columns and row offsets as the kernel reads them.
struct PatternArrays {
  const std::uint8_t* pattern_of;
  const Ordinal* table;
  const Ordinal* first_columns;  ///< null where the row's number is the base
  const std::int32_t* part_begins;
  Ordinal stride;
  /// Of the matrix: for rows without a pattern.
  const Ordinal* columns;
  const std::int32_t* offsets;  ///< or null,
  const std::int64_t* wide_offsets;  ///< and these

  template <class Scalar, class Offset>
  PatternArrays(const ColumnPatterns<Kokkos::Cuda>& patterns,
                const CsrView<Scalar, Kokkos::Cuda, Offset>& A)
      : pattern_of(patterns.pattern_of.data()),
        table(patterns.table.data()),
        first_columns(A.num_rows == A.num_cols ? nullptr : patterns.first_columns.data()),
        part_begins(patterns.part_begins.data()),
        stride(patterns.stride),
        columns(A.columns.data()),
        offsets(nullptr),
        wide_offsets(nullptr) {
    if constexpr (std::is_same_v<Offset, std::int32_t>) {
      offsets = A.offsets.data();
    } else {
      wide_offsets = A.offsets.data();
    }
  }
};

/// A warp for each part.
template <class Storage, class Working, class Epilogue, class Mapping>
struct PatternRows {
  using Sum = Arithmetic<Storage, Working>;

  PatternArrays patterns;
  const Storage* values;
  const Working* x;
  Ordinal num_rows;
  std::int32_t num_entries;
  Epilogue epilogue;
  int num_parts;
  bool outgrows_cache;

  static constexpr int lanes = Mapping::lanes;
  static constexpr int rows_per_lane = Mapping::rows_per_lane;
  static constexpr int rows_per_part = Mapping::rows_per_part;
  static constexpr PartMapping mapping = {.max_parts = std::numeric_limits<int>::max(),
                                          .parts_beyond = 1};
  static constexpr int block_warps = 2;
  static constexpr bool is_double = sizeof(Sum) == 8;
  /// So that what a lane holds of its rows and of x fits into registers.
  static constexpr int blocks_at_once = rows_per_lane == 4   ? 12
                                        : rows_per_lane == 2 ? (is_double ? 14 : 16)
                                        : is_double          ? (SumsRows<Epilogue> ? 18 : 20)
                                        : SumsRows<Epilogue> ? 20
                                                             : 24;

#if defined(__CUDACC__)
  /// The parts `warp`, `warp + warps`, …, through the stage at `memory`.
  __device__ __forceinline__ void multiply_parts(unsigned char* memory, int warp, int warps,
                                                 int lane) const {
    CopyBarrier barrier(memory, lane);
    auto* const part_values = reinterpret_cast<Storage*>(memory + CopyBarrier::bytes);
    const CachePolicy policy(outgrows_cache);
    Ahead next = ahead_of(warp, lane);
    double share = 0;
    for (std::int64_t part = warp; part < num_parts; part += warps) {
      const Ahead here = next;
      const StagedRange<std::int32_t, granule> entries(here.begin, here.end, num_entries);
      if (lane == 0) {
        barrier.expect(entries.template bytes<Storage>());
        entries.copy(barrier, part_values, values, policy);
      }
      if (entries.rest() > 0) entries.copy_rest(part_values, values, lane);
      // While the copies are on their way: what updates read, the next part's rows, and x.
      typename Epilogue::Read read[rows_per_lane] = {};
      read_ahead<Mapping>(epilogue, part, lane, num_rows, read);
      next = ahead_of(part + warps, lane);
      Sum sums[rows_per_lane];
      sum_rows(rows_of(here, part, lane), barrier,
               part_values + entries.template place<Storage>(here.begin), lane % lanes, sums);
      finish_rows<Mapping>(epilogue, part, lane, num_rows, sums, read, share);
      __syncwarp();  // the stage is free
    }
    finish_shares(epilogue, warp, warps, lane, share);
  }

 private:
  static constexpr int granule = bulk_granule<Storage>;
  /// Entries of a lane that are asked for at once in each of its rows.
  static constexpr int at_once = rows_per_lane == 1                 ? (is_double ? 7 : 9)
                                 : rows_per_lane == 2 && !is_double ? 8
                                                                    : 4;
  /// Where no lane has more, it goes without those beyond: they would cost instructions.
  static constexpr int few = lanes > 1 || rows_per_lane > 2 ? 4 : 5;
  static constexpr int beyond = -1;  ///< in place of a pattern, of a row beyond the last

  /// What is asked for a part ahead.
  struct Ahead {
    std::int32_t begin;
    std::int32_t end;
    int pattern[rows_per_lane];
    Ordinal base[rows_per_lane];  ///< where rows' numbers are not
  };

  /// Those of a lane.
  struct Rows {
    const Ordinal* columns[rows_per_lane];  ///< less the base
    const Working* x[rows_per_lane];  ///< from the base on
    int length[rows_per_lane];
    int start[rows_per_lane];  ///< in the part
  };

  __device__ __forceinline__ Ahead ahead_of(std::int64_t part, int lane) const {
    Ahead ahead;
    ahead.begin = __ldg(patterns.part_begins + (part < num_parts ? part : num_parts));
    ahead.end = __ldg(patterns.part_begins + (part < num_parts ? part + 1 : num_parts));
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
      const std::int64_t row = Mapping::row_at(part, q, lane);
      ahead.pattern[q] = row < num_rows ? __ldg(patterns.pattern_of + row) : beyond;
      ahead.base[q] = 0;
      if (patterns.first_columns != nullptr && row < num_rows)
        ahead.base[q] = __ldg(patterns.first_columns + row);
    }
    return ahead;
  }

  __device__ __forceinline__ Rows rows_of(const Ahead& here, std::int64_t part, int lane) const {
    Rows rows;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
      const auto row = static_cast<Ordinal>(Mapping::row_at(part, q, lane));
      const Ordinal* const entry = patterns.table + (here.pattern[q] & 0xff) * patterns.stride;
      rows.columns[q] = entry + 1;
      rows.x[q] = x + (patterns.first_columns == nullptr ? row : here.base[q]);
      rows.length[q] = 0;
      if (here.pattern[q] == ColumnPatterns<Kokkos::Cuda>::none) {
        read_row(row, rows, q);
      } else if (here.pattern[q] != beyond) {
        rows.length[q] = __ldg(entry);
      }
    }
    find_starts(lane, rows);
    return rows;
  }

  /// A row without a pattern.
  __device__ __forceinline__ void read_row(Ordinal row, Rows& rows, int q) const {
    const bool is_wide = patterns.offsets == nullptr;
    const auto from =
        static_cast<std::int32_t>(is_wide ? patterns.wide_offsets[row] : patterns.offsets[row]);
    const auto to = static_cast<std::int32_t>(is_wide ? patterns.wide_offsets[row + 1]
                                                      : patterns.offsets[row + 1]);
    rows.columns[q] = patterns.columns + from;
    rows.x[q] = x;
    rows.length[q] = to - from;
  }

  /// By all lanes: the sums of the lengths before.
  __device__ __forceinline__ static void find_starts(int lane, Rows& rows) {
    const int first_length = __shfl_sync(all_lanes, rows.length[0], 0);
    bool alike = true;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q)
      alike = alike && rows.length[q] == first_length;
    if (__all_sync(all_lanes, alike)) {
#pragma unroll
      for (int q = 0; q < rows_per_lane; ++q)
        rows.start[q] = (q * warp_lanes + lane / lanes) * first_length;
      return;
    }
    int before = 0;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
      int up_to = rows.length[q];
#pragma unroll
      for (int distance = lanes; distance < warp_lanes; distance *= 2) {
        const int other = __shfl_up_sync(all_lanes, up_to, distance);
        if (lane >= distance) up_to += other;
      }
      rows.start[q] = before + up_to - rows.length[q];
      before += __shfl_sync(all_lanes, up_to, warp_lanes - 1);
    }
  }

  /// The elements of x that `count` of a lane's entries from `first` on want.
  template <int count>
  __device__ __forceinline__ static void load_x(const Rows& rows, int first,
                                                Working (&x_at)[rows_per_lane][count]) {
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
#pragma unroll
      for (int s = 0; s < count; ++s) {
        const int e = first + s * lanes;
        x_at[q][s] =
            e < rows.length[q] ? __ldg(rows.x[q] + __ldg(rows.columns[q] + e)) : Working(0);
      }
    }
  }

  /// Adds those entries to a lane's sums. As in StagedRows, an entry's number decides which sum it
  /// goes to, however many are asked for at once.
  template <int count>
  __device__ __forceinline__ static void add_products(const Rows& rows, const Storage* values_at,
                                                      int first,
                                                      const Working (&x_at)[rows_per_lane][count],
                                                      Sum (&even)[rows_per_lane],
                                                      Sum (&odd)[rows_per_lane]) {
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
#pragma unroll
      for (int s = 0; s < count; ++s) {
        const int e = first + s * lanes;
        if (e < rows.length[q]) {
          Sum& sum = s % 2 == 0 ? even[q] : odd[q];
          sum = add_product(static_cast<Sum>(values_at[rows.start[q] + e]),
                            static_cast<Sum>(x_at[q][s]), sum);
        }
      }
      if constexpr (count % 2 == 1) {
        const Sum other = even[q];
        even[q] = odd[q];
        odd[q] = other;
      }
    }
  }

  /// The sums of a lane's rows, whose values are at `values_at` once the copies have come. Lane `l`
  /// of a row takes the entries whose number leaves l, `at_once` at a time.
  __device__ __forceinline__ void sum_rows(const Rows& rows, CopyBarrier& barrier,
                                           const Storage* values_at, int l,
                                           Sum (&sums)[rows_per_lane]) const {
    int longest = 0;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q)
      longest = rows.length[q] > longest ? rows.length[q] : longest;
    const int steps = __reduce_max_sync(all_lanes, (longest - l + lanes - 1) / lanes);
    Sum even[rows_per_lane] = {};
    Sum odd[rows_per_lane] = {};
    if (few < at_once && steps <= few) {
      Working x_at[rows_per_lane][few];
      load_x<few>(rows, l, x_at);
      barrier.wait();
      add_products<few>(rows, values_at, l, x_at, even, odd);
    } else {
      Working x_at[rows_per_lane][at_once];
      load_x<at_once>(rows, l, x_at);
      barrier.wait();
      for (int step = 0;;) {
        add_products<at_once>(rows, values_at, step * lanes + l, x_at, even, odd);
        step += at_once;
        if (step >= steps) break;
        load_x<at_once>(rows, step * lanes + l, x_at);
        __syncwarp();  // no use before the last load
      }
    }
    add_up_lanes<Mapping>(even, odd, sums);
  }
#endif
};

/// epilogue(row, 0, (A x)(row, 0)) for every row, distributed as `Mapping` says, which the patterns
/// were made for. None where a part of `part_entries` entries does not fit into shared memory or
/// the values are not aligned.
template <class Mapping, class Storage, class Working, class Offset, class Epilogue>
std::optional<StagedLaunch> prepare_pattern_rows(const Kokkos::Cuda& exec,
                                                 std::int32_t part_entries,
                                                 const ColumnPatterns<Kokkos::Cuda>& patterns,
                                                 const CsrView<Storage, Kokkos::Cuda, Offset>& A,
                                                 const Working* x, const Epilogue& epilogue) {
  using Kernel = PatternRows<Storage, Working, Epilogue, Mapping>;
  const std::size_t warp_bytes = line_bytes + stage_bytes<Storage>(part_entries);
  if (!fits_stage(exec, Kernel::block_warps, warp_bytes) || !is_bulk_aligned(A.values.data()))
    return std::nullopt;
  const int num_parts = (A.num_rows - 1) / Kernel::rows_per_part + 1;
  const bool is_square = A.num_rows == A.num_cols;
  const std::size_t bytes = A.num_entries * sizeof(Storage) +
                            A.num_rows * (1 + (is_square ? 0 : sizeof(Ordinal)) + sizeof(Working)) +
                            A.num_cols * sizeof(Working);
  return staged_launch(Kernel{PatternArrays(patterns, A), A.values.data(), x, A.num_rows,
                              static_cast<std::int32_t>(A.num_entries), epilogue, num_parts,
                              outgrows_cache(exec, bytes)},
                       warp_bytes);
}

}  // namespace tessera::kernels::cuda
