// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The CSR product for one vector with rows staged in shared memory: values and columns come in
/// bulk copies whatever the lengths of the rows, and a lane then walks its row as if it were alone.
///
/// A part is `32 / lanes` rows, one warp's. See mbsr_staged_spmv.hpp for what both have in common.
#pragma once

#include "tessera/kernels/cuda/staged_parts.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <limits>
#include <string>

namespace tessera::kernels::cuda {

/// Bytes of shared memory for one warp whose parts have up to `entries` entries.
template <class Scalar>
KOKKOS_INLINE_FUNCTION std::size_t row_stage_bytes(std::int32_t entries) {
  constexpr int granule = bulk_granule<Ordinal>;
  return line_bytes + stage_bytes<Scalar, granule>(entries) + stage_bytes<Ordinal>(entries);
}

/// An epilogue that returns what a row adds to a sum over all rows, and takes each warp's share of
/// that: `take_share(warp, warps, share)`.
template <class Epilogue>
concept SumsRows = requires(const Epilogue& epilogue) { epilogue.take_share(0, 1, 0.0); };

/// A warp for each part, `lanes` lanes a row.
template <class Scalar, class Offset, class Epilogue, int lanes>
struct StagedRows {
  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  const Scalar* x;
  Ordinal num_rows;
  Offset num_entries;
  Epilogue epilogue;
  std::int32_t part_entries;
  int num_parts;
  bool outgrows_cache;

  static constexpr int rows_a_part = 32 / lanes;
  /// Parts are so short that more blocks than run at once cost more than they give (7-point 192^3
  /// on an H200: 0.236 ms with one part a warp, else 0.207).
  static constexpr PartDealing dealing = {.most_parts = std::numeric_limits<int>::max(),
                                          .parts_beyond = 1};
  static constexpr int block_warps = 2;
  /// A sum over the rows takes a few registers more.
  static constexpr int blocks_at_once = SumsRows<Epilogue> ? 20 : 24;

#if defined(__CUDACC__)
  /// The parts `warp`, `warp + warps`, …, through the stage at `memory`.
  __device__ __forceinline__ void multiply_parts(unsigned char* memory, int warp, int warps,
                                                 int lane) const {
    CopyBarrier barrier(memory, lane);
    auto* const part_values = reinterpret_cast<Scalar*>(memory + CopyBarrier::bytes);
    auto* const part_columns = reinterpret_cast<Ordinal*>(
        memory + CopyBarrier::bytes + stage_bytes<Scalar, granule>(part_entries));
    const CachePolicy policy(outgrows_cache);
    Row next = row_of(warp, lane);
    [[maybe_unused]] double share = 0;
    for (int part = warp; part < num_parts; part += warps) {
      const int length = static_cast<int>(next.to - next.from);
      const StagedRange<Offset, granule> entries(__shfl_sync(all_lanes, next.from, 0),
                                                 __shfl_sync(all_lanes, next.to, warp_lanes - 1),
                                                 num_entries);
      if (lane == 0) {
        barrier.expect(entries.template bytes<Scalar>() + entries.template bytes<Ordinal>());
        entries.copy(barrier, part_columns, columns, policy);
        entries.copy(barrier, part_values, values, policy);
      }
      if (entries.rest() > 0) {
        entries.copy_rest(part_columns, columns, lane);
        entries.copy_rest(part_values, values, lane);
      }
      const Ordinal* const row_columns = part_columns + entries.template place<Ordinal>(next.from);
      const Scalar* const row_values = part_values + entries.template place<Scalar>(next.from);
      next = row_of(part + warps, lane);
      barrier.wait();

      Scalar sum = sum_of(length, row_columns, row_values, lane % lanes);
#pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2)
        sum += __shfl_xor_sync(all_lanes, sum, distance);
      const Ordinal i = part * rows_a_part + lane / lanes;
      if (lane % lanes == 0 && i < num_rows) {
        if constexpr (SumsRows<Epilogue>) {
          share += epilogue(i, 0, sum);
        } else {
          epilogue(i, 0, sum);
        }
      }
      __syncwarp();  // the stage is free
    }
    if constexpr (SumsRows<Epilogue>) {
#pragma unroll
      for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
        share += __shfl_xor_sync(all_lanes, share, distance);
      if (lane == 0) epilogue.take_share(warp, warps, share);
    }
  }

 private:
  /// Values and columns are copied by the same number of entries.
  static constexpr int granule = bulk_granule<Ordinal>;

  struct Row {
    Offset from, to;
  };

  __device__ __forceinline__ Row row_of(int part, int lane) const {
    const Ordinal i = part * rows_a_part + lane / lanes;
    return {offsets[i < num_rows ? i : num_rows], offsets[i < num_rows ? i + 1 : num_rows]};
  }

  /// Lane `l` of a row takes the entries whose number leaves l, nine at a time, as many as stencils
  /// in two dimensions have: their elements of x are all on their way before the first is used.
  __device__ __forceinline__ Scalar sum_of(int length, const Ordinal* row_columns,
                                           const Scalar* row_values, int l) const {
    constexpr int at_once = 9;
    const int steps = __reduce_max_sync(all_lanes, (length - l + lanes - 1) / lanes);
    Scalar even = 0;
    Scalar odd = 0;
    for (int step = 0; step < steps; step += at_once) {
      const int first = step * lanes + l;
      Scalar x_at[at_once];
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        const int e = first + q * lanes;
        x_at[q] = e < length ? __ldg(x + row_columns[e]) : Scalar(0);
      }
      __syncwarp();  // no use before the last load
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        const int e = first + q * lanes;
        if (e < length) (q % 2 == 0 ? even : odd) += row_values[e] * x_at[q];
      }
    }
    return even + odd;
  }
#endif
};

/// epilogue(row, 0, (A x)(row, 0)) for every row, by `lanes` lanes a row.
/// Returns false, and does nothing, where a part of `part_entries` entries does not fit into shared
/// memory or an array is not aligned.
template <int lanes, class Scalar, class Offset, class Epilogue>
bool sweep_staged_rows(const Kokkos::Cuda& exec, const std::string& label,
                       std::int32_t part_entries, const CsrView<Scalar, Kokkos::Cuda, Offset>& A,
                       const Scalar* x, const Epilogue& epilogue) {
  using Kernel = StagedRows<Scalar, Offset, Epilogue, lanes>;
  const std::size_t warp_bytes = row_stage_bytes<Scalar>(part_entries);
  if (!fits_stage(exec, Kernel::block_warps, warp_bytes) || !is_bulk_aligned(A.values.data()) ||
      !is_bulk_aligned(A.columns.data())) {
    return false;
  }
  const int num_parts = (A.num_rows - 1) / Kernel::rows_a_part + 1;
  const std::size_t bytes = A.num_entries * (sizeof(Scalar) + sizeof(Ordinal)) +
                            A.num_rows * (sizeof(Offset) + sizeof(Scalar)) +
                            A.num_cols * sizeof(Scalar);
  launch_staged_parts(exec, label, warp_bytes,
                      Kernel{A.offsets.data(), A.columns.data(), A.values.data(), x, A.num_rows,
                             static_cast<Offset>(A.num_entries), epilogue, part_entries, num_parts,
                             outgrows_cache(exec, bytes)});
  return true;
}

}  // namespace tessera::kernels::cuda
