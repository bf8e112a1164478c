// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/full_blocks.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <string>

namespace tessera::kernels {

/// Whether a block is nearly full and its rows reach the same blocks. The set that a row reaches is
/// known by the least and the greatest of their hashes, as in amg/coarsening/find_nodes.cpp.
template <class Scalar, class Space, class Offset>
struct FitsFullBlock {
  CsrView<Scalar, Space, Offset> A;

  KOKKOS_FUNCTION bool operator()(Ordinal number, int block_rows) const {
    const Ordinal first = number * block_rows;
    std::uint32_t first_least = 0;
    std::uint32_t first_greatest = 0;
    for (int i = 0; i < block_rows; ++i) {
      std::uint32_t least = hash32(static_cast<std::uint32_t>(number));
      std::uint32_t greatest = least;
      int inside = 0;
      for (Offset e = A.offsets(first + i); e < A.offsets(first + i + 1); ++e) {
        const auto reached = static_cast<std::uint32_t>(A.columns(e) / block_rows);
        inside += reached == static_cast<std::uint32_t>(number) ? 1 : 0;
        const std::uint32_t hash = hash32(reached);
        least = hash < least ? hash : least;
        greatest = hash > greatest ? hash : greatest;
      }
      if (4 * inside < 3 * block_rows) return false;
      if (i > 0 && (least != first_least || greatest != first_greatest)) return false;
      first_least = least;
      first_greatest = greatest;
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
  constexpr Ordinal samples = 64;
  const FitsFullBlock<Scalar, Space, Offset> fits{A};
  const Ordinal n = A.num_rows;
  std::uint64_t fitting = 0;
  Kokkos::parallel_reduce(
      "tessera::full_blocks::sample",
      Kokkos::RangePolicy<Space>(exec, 0, samples * (max_block_rows - 1)),
      KOKKOS_LAMBDA(const Ordinal i, std::uint64_t& all) {
        const int m = 2 + i / samples;
        const Ordinal stride = (n / m + samples - 1) / samples;
        const Ordinal number = i % samples * stride;
        const bool is_bad = n % m != 0 || (number < n / m && !fits(number, m));
        if (is_bad) all &= ~(std::uint64_t(1) << m);
      },
      Kokkos::BAnd<std::uint64_t>(fitting));
  return fitting;
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
    if (misfits(exec, A, m) <= A.num_rows / m / 100) return m;
  }
  return 1;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_full_blocks)

}  // namespace tessera::kernels
