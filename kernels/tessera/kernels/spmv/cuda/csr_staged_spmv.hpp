// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The CSR product for one vector with rows staged in shared memory: values and columns come in
/// bulk copies whatever the lengths of the rows, and a lane then walks its rows as if it were
/// alone.
///
/// A part is `32 / lanes` rows, one warp's, or a few rows per lane where they are short. See
/// mbsr_staged_spmv.hpp for what both have in common, and csr_pattern_spmv.hpp for rows that
/// repeat.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/cuda/row_mapping.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace tessera::kernels::cuda {

/// Entries that are a multiple of `bulk_bytes` of values and of columns alike.
template <class Storage>
inline constexpr int entry_granule = std::max(bulk_granule<Ordinal>, bulk_granule<Storage>);

/// Bytes of shared memory for one warp whose parts have up to `entries` entries.
template <class Storage>
KOKKOS_INLINE_FUNCTION std::size_t row_stage_bytes(std::int32_t entries) {
  constexpr int granule = entry_granule<Storage>;
  return line_bytes + stage_bytes<Storage, granule>(entries) +
         stage_bytes<Ordinal, granule>(entries);
}

/// A warp for each part.
template <class Storage, class Working, class Offset, class Epilogue, class Mapping>
struct StagedRows {
  using Sum = Arithmetic<Storage, Working>;

  const Offset* offsets;
  const Ordinal* columns;
  const Storage* values;
  const Working* x;
  Ordinal num_rows;
  Offset num_entries;
  Epilogue epilogue;
  std::int32_t part_entries;
  int num_parts;
  bool outgrows_cache;

  static constexpr int lanes = Mapping::lanes;
  static constexpr int rows_per_lane = Mapping::rows_per_lane;
  static constexpr int rows_per_part = Mapping::rows_per_part;
  /// Parts are so short that more blocks than run at once cost more than they give (7-point 192^3
  /// on an H200: 0.236 ms with one part per warp, else 0.207).
  static constexpr PartMapping mapping = {.max_parts = std::numeric_limits<int>::max(),
                                          .parts_beyond = 1};
  static constexpr int block_warps = 2;
  /// A sum over the rows takes a few registers more.
  static constexpr int blocks_at_once = SumsRows<Epilogue> ? 20 : 24;

#if defined(__CUDACC__)
  /// The parts `warp`, `warp + warps`, …, through the stage at `memory`.
  __device__ __forceinline__ void multiply_parts(unsigned char* memory, int warp, int warps,
                                                 int lane) const {
    CopyBarrier barrier(memory, lane);
    auto* const part_values = reinterpret_cast<Storage*>(memory + CopyBarrier::bytes);
    auto* const part_columns = reinterpret_cast<Ordinal*>(
        memory + CopyBarrier::bytes + stage_bytes<Storage, granule>(part_entries));
    const CachePolicy policy(outgrows_cache);
    Rows next = rows_of(warp, lane);
    double share = 0;
    for (std::int64_t part = warp; part < num_parts; part += warps) {
      const Rows rows = next;
      const StagedRange<Offset, granule> entries(
          __shfl_sync(all_lanes, rows.from[0], 0),
          __shfl_sync(all_lanes, rows.to[rows_per_lane - 1], warp_lanes - 1), num_entries);
      if (lane == 0) {
        barrier.expect(entries.template bytes<Storage>() + entries.template bytes<Ordinal>());
        entries.copy(barrier, part_columns, columns, policy);
        entries.copy(barrier, part_values, values, policy);
      }
      if (entries.rest() > 0) {
        entries.copy_rest(part_columns, columns, lane);
        entries.copy_rest(part_values, values, lane);
      }
      // While the copies are on their way: the next part's rows, and what this one's updates read.
      next = rows_of(part + warps, lane);
      typename Epilogue::Read read[rows_per_lane] = {};
      read_ahead<Mapping>(epilogue, part, lane, num_rows, read);
      barrier.wait();

      Sum sums[rows_per_lane];
      sum_rows(rows, part_columns + entries.template place<Ordinal>(rows.from[0]),
               part_values + entries.template place<Storage>(rows.from[0]), lane % lanes, sums);
      finish_rows<Mapping>(epilogue, part, lane, num_rows, sums, read, share);
      __syncwarp();  // the stage is free
    }
    finish_shares(epilogue, warp, warps, lane, share);
  }

 private:
  static constexpr int granule = entry_granule<Storage>;
  /// Entries of a lane that are asked for at once in each of its rows: with one row as many as
  /// stencils in two dimensions have.
  static constexpr int at_once = rows_per_lane == 1 ? 9 : 4;

  /// Those of a lane, 32 rows apart.
  struct Rows {
    Offset from[rows_per_lane];
    Offset to[rows_per_lane];
  };

  __device__ __forceinline__ Rows rows_of(std::int64_t part, int lane) const {
    Rows rows;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
      const std::int64_t i = Mapping::row_at(part, q, lane);
      rows.from[q] = offsets[i < num_rows ? i : num_rows];
      rows.to[q] = offsets[i < num_rows ? i + 1 : num_rows];
    }
    return rows;
  }

  /// The sums of a lane's rows; `columns_at` and `values_at` are where the first one begins. Lane
  /// `l` of a row takes the entries whose number leaves l, `at_once` at a time: their elements of x
  /// are all on their way before the first is used.
  __device__ __forceinline__ void sum_rows(const Rows& rows, const Ordinal* columns_at,
                                           const Storage* values_at, int l,
                                           Sum (&sums)[rows_per_lane]) const {
    int start[rows_per_lane];
    int length[rows_per_lane];
    int longest = 0;
#pragma unroll
    for (int q = 0; q < rows_per_lane; ++q) {
      start[q] = static_cast<int>(rows.from[q] - rows.from[0]);
      length[q] = static_cast<int>(rows.to[q] - rows.from[q]);
      longest = length[q] > longest ? length[q] : longest;
    }
    const int steps = __reduce_max_sync(all_lanes, (longest - l + lanes - 1) / lanes);
    Sum even[rows_per_lane] = {};
    Sum odd[rows_per_lane] = {};
    for (int step = 0; step < steps; step += at_once) {
      const int first = step * lanes + l;
      Working x_at[rows_per_lane][at_once];
#pragma unroll
      for (int q = 0; q < rows_per_lane; ++q) {
#pragma unroll
        for (int s = 0; s < at_once; ++s) {
          const int e = first + s * lanes;
          x_at[q][s] = e < length[q] ? __ldg(x + columns_at[start[q] + e]) : Working(0);
        }
      }
      __syncwarp();  // no use before the last load
#pragma unroll
      for (int q = 0; q < rows_per_lane; ++q) {
#pragma unroll
        for (int s = 0; s < at_once; ++s) {
          const int e = first + s * lanes;
          if (e < length[q]) {
            Sum& sum = s % 2 == 0 ? even[q] : odd[q];
            sum = add_product(static_cast<Sum>(values_at[start[q] + e]),
                              static_cast<Sum>(x_at[q][s]), sum);
          }
        }
        // The entry's number decides which sum it goes to, however many are asked for at once.
        if constexpr (at_once % 2 == 1) {
          const Sum other = even[q];
          even[q] = odd[q];
          odd[q] = other;
        }
      }
    }
    add_up_lanes<Mapping>(even, odd, sums);
  }
#endif
};

/// epilogue(row, 0, (A x)(row, 0)) for every row, distributed as `Mapping` says. None where a part
/// of `part_entries` entries does not fit into shared memory or an array is not aligned.
template <class Mapping, class Storage, class Working, class Offset, class Epilogue>
std::optional<StagedLaunch> prepare_staged_rows(const Kokkos::Cuda& exec, std::int32_t part_entries,
                                                const CsrView<Storage, Kokkos::Cuda, Offset>& A,
                                                const Working* x, const Epilogue& epilogue) {
  using Kernel = StagedRows<Storage, Working, Offset, Epilogue, Mapping>;
  const std::size_t warp_bytes = row_stage_bytes<Storage>(part_entries);
  if (!fits_stage(exec, Kernel::block_warps, warp_bytes) || !is_bulk_aligned(A.values.data()) ||
      !is_bulk_aligned(A.columns.data())) {
    return std::nullopt;
  }
  const int num_parts = (A.num_rows - 1) / Kernel::rows_per_part + 1;
  const std::size_t bytes = A.num_entries * (sizeof(Storage) + sizeof(Ordinal)) +
                            A.num_rows * (sizeof(Offset) + sizeof(Working)) +
                            A.num_cols * sizeof(Working);
  return staged_launch(Kernel{A.offsets.data(), A.columns.data(), A.values.data(), x, A.num_rows,
                              static_cast<Offset>(A.num_entries), epilogue, part_entries, num_parts,
                              outgrows_cache(exec, bytes)},
                       warp_bytes);
}

}  // namespace tessera::kernels::cuda
