// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Block sparse rows, as KokkosSparse::BsrMatrix has them, as CSR: from there `csr_to_mbsr` makes
/// tiles; blocks of 4 by 4 become full tiles one to one.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// A matrix of dense blocks of `block_size` by `block_size`, not owned; block row `i` is blocks
/// `offsets(i)` up to `offsets(i + 1)` of `columns`, each with its values row by row.
template <class Scalar, class Space, class Offset = std::int32_t>
struct BsrView {
  Ordinal num_block_rows = 0;
  Ordinal num_block_cols = 0;
  Ordinal block_size = 1;
  std::size_t num_blocks = 0;
  ArrayView<const Offset, Space> offsets;  ///< length num_block_rows + 1
  ArrayView<const Ordinal, Space> columns;  ///< in blocks
  ArrayView<const Scalar, Space> values;  ///< length num_blocks * block_size^2
};

/// `A` entry by entry, zeros within blocks included, rows in the order of the blocks. Throws where
/// the rows, the columns or, with `Offset`, the entries are too many to count, and where an array
/// is too short.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> bsr_to_csr(const Space& exec, const BsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
