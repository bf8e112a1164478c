// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in mixed precision times vectors.
#pragma once

#include "tessera/kernels/format/mixed_tiles.hpp"

namespace tessera::kernels {

/// How many lanes share a row on a device: lane i of L has tiles i, i + L, … of the row of tiles.
/// 1 on a host. A plan serves every matrix.
struct MixedTilesPlan {
  int lanes_per_row = 1;  ///< 1, 2, … or 32
};

/// Chosen so that each lane has four tiles or more on average. Reads no memory of the device.
template <class Scalar, class Space, class Offset, int size>
MixedTilesPlan analyse_spmv(const Space& exec,
                            const MixedTilesView<Scalar, Space, Offset, size>& A);

/// y = alpha A x + beta y for each column; y is not read where beta is 0, and A and x not where
/// alpha is. Sums run in double, tile after tile: products of a matrix whose numbers are all as
/// they were (TileLoss::none) differ from those of its CSR form by the rounding of sums alone.
/// Nothing waits; the result is the same bits each time, on a host on any number of threads.
/// @throws Error where sizes do not fit.
template <class Scalar, class Space, class Offset, int size>
void spmv(const Space& exec, const MixedTilesPlan& plan, NonDeduced<Scalar> alpha,
          const MixedTilesView<Scalar, Space, Offset, size>& A,
          const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
          const NonDeduced<MultiVectorView<Scalar, Space>>& y);

}  // namespace tessera::kernels
