// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Chunks of rows for the threads of a host.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::spgemm_detail {

/// Rows are handed to threads by chunks, first come first served.
inline constexpr Ordinal rows_per_chunk = 512;

template <class Space>
using ChunkPolicy =
    Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>>;

template <class Space>
ChunkPolicy<Space> chunk_policy(const Space& exec, Ordinal num_rows,
                                Ordinal chunk_length = rows_per_chunk) {
  ChunkPolicy<Space> policy(exec, 0,
                            num_rows / chunk_length + (num_rows % chunk_length != 0 ? 1 : 0));
  policy.set_chunk_size(1);
  return policy;
}

template <class Space>
using ThreadToken = Kokkos::Experimental::UniqueToken<Space>;

}  // namespace tessera::kernels::spgemm_detail
