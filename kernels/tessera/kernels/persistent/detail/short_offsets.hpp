// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Offsets of 32 bits for solves within one launch.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mixed_tiles.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"

#include <Kokkos_Core.hpp>

namespace tessera::kernels::detail {

/// Writes offsets in 32 bits.
template <class Space, class Offset>
struct ShortenOffsets {
  ArrayView<const Offset, Space> wide;
  ArrayView<std::int32_t, Space> offsets;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    offsets(i) = static_cast<std::int32_t>(wide(i));
  }
};

/// `wide` in 32 bits, in `kept`, which grows where it is too short.
template <class Space, class Offset>
ArrayView<std::int32_t, Space> shortened(const Space& exec,
                                         const ArrayView<const Offset, Space>& wide,
                                         Array<std::int32_t, Space>& kept) {
  const std::size_t length = wide.extent(0);
  if (kept.extent(0) < length)
    kept = allocate<std::int32_t>(exec, "tessera::persistent::offsets", length);
  const ArrayView<std::int32_t, Space> offsets(kept.data(), length);
  Kokkos::parallel_for("tessera::persistent::offsets", Kokkos::RangePolicy<Space>(exec, 0, length),
                       ShortenOffsets<Space, Offset>{wide, offsets});
  return offsets;
}

/// A with offsets of 32 bits in `kept`. Systems that are worth one launch have few entries: kernels
/// for both kinds of offsets would take as long again to compile, and the copy is one launch.
/// @throws OffsetOverflow where there are too many entries
template <class Scalar, class Space, class Offset>
CsrView<Scalar, Space, std::int32_t> with_short_offsets(const Space& exec,
                                                        const CsrView<Scalar, Space, Offset>& A,
                                                        Array<std::int32_t, Space>& kept) {
  require_countable<std::int32_t>(static_cast<std::int64_t>(A.num_entries),
                                  "the matrix of a solve within one kernel");
  return {A.num_rows, A.num_cols, A.num_entries, shortened<Space, Offset>(exec, A.offsets, kept),
          A.columns,  A.values};
}

/// The same of tiles, whose rows begin by `kept_offsets` and whose words by `kept_begins`.
/// @throws OffsetOverflow where tiles have too many words
template <class Scalar, class Space, class Offset, int size>
MixedTilesView<Scalar, Space, std::int32_t, size> with_short_offsets(
    const Space& exec, const MixedTilesView<Scalar, Space, Offset, size>& A,
    Array<std::int32_t, Space>& kept_offsets, Array<std::int32_t, Space>& kept_begins) {
  require_countable<std::int32_t>(static_cast<std::int64_t>(A.words.extent(0)),
                                  "the words of the tiles of a solve within one kernel");
  return {A.num_rows,    A.num_cols,
          A.num_entries, shortened<Space, Offset>(exec, A.tile_offsets, kept_offsets),
          A.keys,        shortened<Space, Offset>(exec, A.begins, kept_begins),
          A.words,       A.tiles_of_kind};
}

}  // namespace tessera::kernels::detail
