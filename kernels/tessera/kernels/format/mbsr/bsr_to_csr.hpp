// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Block sparse rows as CSR: from there `csr_to_mbsr` makes tiles; blocks of 4 by 4 become full
/// tiles one to one.
#pragma once

#include "tessera/kernels/format/bsr.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// `A` entry by entry, zeros within blocks included, rows in the order of the blocks. Throws where
/// the rows, the columns or, with `Offset`, the entries are too many to count, and where an array
/// is too short.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> bsr_to_csr(const Space& exec, const BsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
