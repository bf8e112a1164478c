// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How rows are known to be a full block, whoever has them: a process by itself or several.
#pragma once

#include "tessera/kernels/graph/hash.hpp"

#include <cstdint>

namespace tessera::kernels {

/// The blocks that a row reaches, its own among them. The set is known by the least and the
/// greatest of their hashes, as in amg/coarsening/find_nodes.cpp.
struct ReachedBlocks {
  std::uint32_t own, least, greatest;
  int inside = 0;  ///< columns in the row's own block

  KOKKOS_FUNCTION explicit ReachedBlocks(std::int64_t own_block)
      : own(static_cast<std::uint32_t>(own_block)), least(hash32(own)), greatest(least) {}
  KOKKOS_FUNCTION void add(std::int64_t block) {
    const auto reached = static_cast<std::uint32_t>(block);
    inside += reached == own ? 1 : 0;
    const std::uint32_t hash = hash32(reached);
    least = hash < least ? hash : least;
    greatest = hash > greatest ? hash : greatest;
  }
  /// Some entries may cancel.
  KOKKOS_FUNCTION bool fills(int block_rows) const { return 4 * inside >= 3 * block_rows; }
  KOKKOS_FUNCTION bool reaches_as(const ReachedBlocks& o) const {
    return least == o.least && greatest == o.greatest;
  }
};

/// The blocks on which a number of rows per block is tried before all are looked at.
struct SampledBlocks {
  static constexpr int most = 64;
  std::int64_t blocks, stride;

  KOKKOS_FUNCTION SampledBlocks(std::int64_t num_rows, int block_rows)
      : blocks(num_rows / block_rows), stride((blocks + most - 1) / most) {}
  /// For i below `most`; `blocks` or more where there are fewer.
  KOKKOS_FUNCTION std::int64_t number(int i) const { return i * stride; }
  KOKKOS_FUNCTION bool has(std::int64_t number) const { return number % stride == 0; }
};

/// Of so many blocks as many need not fit.
inline std::int64_t max_misfits(std::int64_t blocks) { return blocks / 100; }

}  // namespace tessera::kernels
