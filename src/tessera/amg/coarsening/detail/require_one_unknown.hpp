// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The refusal of nodes of several unknowns.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <string>

namespace tessera::amg::detail {

/// @throws Error of kind `configuration` for several unknowns per node or near-nullspace vectors.
template <class Scalar, class Space, class Offset>
void require_one_unknown(const std::string& coarsening,
                         const FineLevel<Scalar, Space, Offset>& fine,
                         const ConstMultiVectorView<Scalar, Space>& B) {
  if (fine.block_size == 1 && B.extent(1) == 1) return;
  throw Error(ErrorKind::configuration,
              "coarsening = " + coarsening +
                  " takes one unknown per node and one near-nullspace vector; the matrix has " +
                  std::to_string(fine.block_size) + " and " + std::to_string(B.extent(1)) +
                  "; use smoothed_aggregation, or block_size 1 with no near-nullspace");
}

}  // namespace tessera::amg::detail
