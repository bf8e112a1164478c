// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in ELL: the plan. The products are those of products.hpp.
#pragma once

#include "tessera/kernels/format/ell.hpp"

namespace tessera::kernels {

/// How many threads share the slots of a row: more than one where a device would have more threads
/// than the matrix has rows (Ginkgo thesis, section 4.1.3, algorithm 15). That depends on no
/// pattern: a plan serves every matrix.
struct EllSpmvPlan {
  int threads_per_row = 1;  ///< up to 16; 1 on a host
};

/// Reads no memory of the device.
template <class Storage, class Space>
EllSpmvPlan analyse_spmv(const Space& exec, const EllView<Storage, Space>& A);

}  // namespace tessera::kernels
