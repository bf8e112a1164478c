// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver::level_matrices` returns: one level of a hierarchy to look at.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// Copies of a level's matrices in compressed rows with ascending columns, as the cycle reads them:
/// values that are stored in fewer bits are those bits'.
template <class Scalar, class Space, class Offset>
struct LevelMatrices {
  kernels::Csr<Scalar, Space, Offset> A;  ///< the operator
  kernels::Csr<Scalar, Space, Offset> P;  ///< to this level from the next; 0 by 0 on the coarsest
  kernels::Csr<Scalar, Space, Offset> R;  ///< to the next level; 0 by 0 on the coarsest
};

}  // namespace tessera
