// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much work a sparse product is, from patterns alone and before it is made.
#pragma once

#include "tessera/amg/coarsening/coarsening_limits.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// The multiplications of X Y: for each entry of X those in Y's row of its column. As many entries
/// the product has at the most. X has as many columns as Y rows; values are not read. A double
/// counts them exactly, whatever the order, up to 2^53. Waits for `exec`.
template <class Scalar, class Space, class Offset>
double count_multiplications(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& X,
                             const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& Y);

/// Whether a product of that many multiplications may be made on the way to the next level: up to
/// `rules::multiplications_per_entry` for each entry of the level and each that those below it may
/// have. Else notes it.
bool allow_multiplications(const CoarseningLimits& limits, double count);

}  // namespace tessera::amg
