// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Block sparse rows, as KokkosSparse::BsrMatrix has them: a view of arrays of the caller's.
#pragma once

#include "tessera/kernels/execution/types.hpp"

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

  Ordinal num_rows() const { return block_size * num_block_rows; }
  Ordinal num_cols() const { return block_size * num_block_cols; }
  /// Zeros within blocks included.
  std::size_t num_entries() const {
    return num_blocks * static_cast<std::size_t>(block_size) * block_size;
  }
};

}  // namespace tessera::kernels
