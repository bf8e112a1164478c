// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What hashes are drawn from where rows are numbered through over processes.
#pragma once

#include "tessera/distributed/partition.hpp"
#include "tessera/kernels/graph/hash.hpp"

namespace tessera::distributed {

/// 32 bits of a global number: its own where it has no more, as on one process, else mixed ones,
/// which another number may have, too.
KOKKOS_INLINE_FUNCTION std::uint32_t number_bits(Partition::Global number) {
  const auto lower = static_cast<std::uint32_t>(number);
  const auto upper = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) >> 32);
  return upper == 0 ? lower : lower ^ kernels::hash32(upper);
}

}  // namespace tessera::distributed
