// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Transpose of a matrix of tiles.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// The transpose of `A` in A's layout and scale, tile by tile: no entry is rounded. Deterministic:
/// the same input gives the same bits.
template <class Storage, class Space>
Mbsr<Storage, Space> transpose(const Space& exec, const MbsrView<Storage, Space>& A);

}  // namespace tessera::kernels
