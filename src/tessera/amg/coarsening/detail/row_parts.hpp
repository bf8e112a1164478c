// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the weights of extended interpolation are made of.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::amg::detail {

/// Of each row.
template <class Space>
struct RowParts {
  Array<double, Space> rest;  ///< the diagonal and the couplings that are weak
  Array<double, Space> to_coarse;  ///< the sum of N's row
  Array<double, Space> size_to_coarse;  ///< that of its magnitudes
  Array<double, Space> to_fine;  ///< the mean of M's couplings; for extended+e alone
};

}  // namespace tessera::amg::detail
