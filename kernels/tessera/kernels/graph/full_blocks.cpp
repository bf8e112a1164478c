// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/full_blocks.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/graph/reached_blocks.hpp"

#include <string>

namespace tessera::kernels {

/// Whether a block is nearly full and its rows reach the same blocks.
template <class Scalar, class Space, class Offset>
struct FitsFullBlock {
  CsrView<Scalar, Space, Offset> A;

  KOKKOS_FUNCTION ReachedBlocks reached_from(Ordinal i, Ordinal number, int block_rows) const {
    ReachedBlocks row(number);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
      row.add(A.columns(e) / block_rows);
    return row;
  }
  KOKKOS_FUNCTION bool operator()(Ordinal number, int block_rows) const {
    const Ordinal first = number * block_rows;
    const ReachedBlocks of_first = reached_from(first, number, block_rows);
    if (!of_first.fills(block_rows)) return false;
    for (int i = 1; i < block_rows; ++i) {
      const ReachedBlocks row = reached_from(first + i, number, block_rows);
      if (!row.fills(block_rows) || !row.reaches_as(of_first)) return false;
    }
    return true;
  }
};

/// How many of all blocks do not fit.
template <class Scalar, class Space, class Offset>
Ordinal misfits(const Space& exec, const CsrView<Scalar, Space, Offset>& A, int block_rows) {
  const FitsFullBlock<Scalar, Space, Offset> fits{A};
  Ordinal sum = 0;
  Kokkos::parallel_reduce(
      "tessera::full_blocks::check", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows / block_rows),
      KOKKOS_LAMBDA(const Ordinal number, Ordinal& bad) {
        bad += fits(number, block_rows) ? 0 : 1;
      },
      sum);
  return sum;
}

/// Bit m is set where blocks of m rows fit at each of the samples.
template <class Scalar, class Space, class Offset>
std::uint64_t sampled_block_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  constexpr Ordinal samples = SampledBlocks::most;
  const FitsFullBlock<Scalar, Space, Offset> fits{A};
  const Ordinal n = A.num_rows;
  std::uint64_t misfits = 0;
  Kokkos::parallel_reduce(
      "tessera::full_blocks::sample",
      Kokkos::RangePolicy<Space>(exec, 0, samples * (max_block_rows - 1)),
      KOKKOS_LAMBDA(const Ordinal i, std::uint64_t& bad) {
        const int m = 2 + i / samples;
        const SampledBlocks sample(n, m);
        const std::int64_t number = sample.number(i % samples);
        const bool is_bad =
            n % m != 0 || (number < sample.blocks && !fits(static_cast<Ordinal>(number), m));
        if (is_bad) bad |= std::uint64_t(1) << m;
      },
      // Not BAnd, which Kokkos 5.0 begins with zero.
      Kokkos::BOr<std::uint64_t>(misfits));
  return ~misfits;
}

template <class Scalar, class Space, class Offset>
int find_full_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  require(A.num_rows == A.num_cols, [&] {
    return "find_full_blocks: A is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols) + ", expected a square matrix";
  });
  if (A.num_rows == 0) return 1;
  const std::uint64_t fitting = sampled_block_rows(exec, A);
  for (int m = max_block_rows; m > 1; --m) {
    if ((fitting >> m & 1) == 0) continue;
    if (misfits(exec, A, m) <= max_misfits(A.num_rows / m)) return m;
  }
  return 1;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_full_blocks)

}  // namespace tessera::kernels
