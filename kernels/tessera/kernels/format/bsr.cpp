// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/bsr.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <limits>
#include <string>

namespace tessera::kernels {
namespace detail {

/// Throws unless `count` things, named by `what`, can be counted by `Integer`.
template <class Integer>
void require_integers(std::size_t count, const char* what) {
  require(count <= static_cast<std::size_t>(std::numeric_limits<Integer>::max()), [&] {
    return "A has " + std::to_string(count) + " " + what + ", more than " +
           std::to_string(8 * sizeof(Integer)) + " bits can count";
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void require_whole(const BsrView<Scalar, Space, Offset>& A) {
  require(A.block_size >= 1, [&] {
    return "A has blocks of size " + std::to_string(A.block_size) + ", expected 1 or more";
  });
  const std::size_t size = A.block_size;
  detail::require_integers<Ordinal>(size * A.num_block_rows, "rows");
  detail::require_integers<Ordinal>(size * A.num_block_cols, "columns");
  detail::require_integers<Offset>(A.num_blocks, "blocks");
  require(A.offsets.extent(0) == A.num_block_rows + 1ul && A.columns.extent(0) >= A.num_blocks &&
              A.values.extent(0) >= A.num_entries(),
          [&] {
            return "A has offsets, columns and values of lengths " +
                   std::to_string(A.offsets.extent(0)) + ", " +
                   std::to_string(A.columns.extent(0)) + " and " +
                   std::to_string(A.values.extent(0)) + ", too few for " +
                   std::to_string(A.num_block_rows) + " block rows and " +
                   std::to_string(A.num_blocks) + " blocks";
          });
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, require_whole)

}  // namespace tessera::kernels
