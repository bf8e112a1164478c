// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Between CSR and mBSR, whole or as new values of known patterns; between storages and layouts of
/// mBSR; and its transpose.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// `A` as tiles, each value v stored as v / scale rounded to `Storage`. Rows may be unsorted; they
/// are sorted in a copy then. Entries that are zero, or become so, stay. Waits for the number of
/// tiles. Throws where a row holds a column twice, where `scale` is not a power of two, and where
/// there are more than 2^31 - 1 tiles.
template <class Storage, class Scalar, class Space, class Offset>
Mbsr<Storage, Space> csr_to_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                 TileLayout layout = TileLayout::packed, double scale = 1);

/// `A` as CSR with sorted rows: its map's entries, scale * value rounded to `Scalar`. Throws where
/// `Offset` cannot count A's entries.
template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr(const Space& exec, const MbsrView<Storage, Space>& A);

/// `A` in another storage, layout or scale: the values rounded to `To` once, the pattern shared
/// with `A`, and so are the values where nothing changes. Throws where `scale` is not a power of
/// two.
template <class To, class From, class Space>
Mbsr<To, Space> convert_mbsr(const Space& exec, const Mbsr<From, Space>& A,
                             TileLayout layout = TileLayout::packed, double scale = 1);

/// The values of `tiles`, which `csr_to_mbsr` made of A's pattern with the scale 1. A's rows
/// ascend. One launch, no allocation, and no wait for the device.
///
/// These three throw `Error` (precondition) where shapes or numbers of entries do not fit, and
/// where the scale is not 1.
template <class Scalar, class Space, class Offset>
void refill_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const Mbsr<Scalar, Space>& tiles);

/// The values of `tiles`, which has the pattern of A^T.
template <class Scalar, class Space, class Offset>
void refill_transposed_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                            const Mbsr<Scalar, Space>& tiles);

/// The values of A, which `mbsr_to_csr` made of the pattern of `tiles`.
template <class Scalar, class Space, class Offset>
void refill_csr(const Space& exec, const MbsrView<Scalar, Space>& tiles,
                const Csr<Scalar, Space, Offset>& A);

/// The transpose of `A` in A's layout and scale, tile by tile: no entry is rounded. Deterministic:
/// the same input gives the same bits.
template <class Storage, class Space>
Mbsr<Storage, Space> transpose(const Space& exec, const MbsrView<Storage, Space>& A);

}  // namespace tessera::kernels
