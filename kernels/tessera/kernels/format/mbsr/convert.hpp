// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Between CSR and mBSR, and between storages and layouts of mBSR.
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

}  // namespace tessera::kernels
