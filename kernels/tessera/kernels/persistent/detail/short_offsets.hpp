// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Offsets of 32 bits for solves within one launch.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/offset_overflow.hpp"

#include <Kokkos_Core.hpp>

namespace tessera::kernels::detail {

/// A with offsets of 32 bits in `kept`, which grows where it is too short. Systems that are worth
/// one launch have few entries: kernels for both kinds of offsets would take as long again to
/// compile, and the copy is one launch.
/// @throws OffsetOverflow where there are too many entries
template <class Scalar, class Space, class Offset>
CsrView<Scalar, Space, std::int32_t> with_short_offsets(const Space& exec,
                                                        const CsrView<Scalar, Space, Offset>& A,
                                                        Array<std::int32_t, Space>& kept) {
  require_countable<std::int32_t>(static_cast<std::int64_t>(A.num_entries),
                                  "the matrix of a solve within one kernel");
  const std::size_t length = A.offsets.extent(0);
  if (kept.extent(0) < length)
    kept = allocate<std::int32_t>(exec, "tessera::persistent::offsets", length);
  const ArrayView<std::int32_t, Space> offsets(kept.data(), length);
  const auto wide = A.offsets;
  Kokkos::parallel_for(
      "tessera::persistent::offsets", Kokkos::RangePolicy<Space>(exec, 0, length),
      KOKKOS_LAMBDA(std::size_t i) { offsets(i) = static_cast<std::int32_t>(wide(i)); });
  return {A.num_rows, A.num_cols, A.num_entries, offsets, A.columns, A.values};
}

}  // namespace tessera::kernels::detail
