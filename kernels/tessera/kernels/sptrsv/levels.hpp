// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a triangle: which rows can be solved for at once.
#pragma once

#include "tessera/kernels/sptrsv/row_order.hpp"
#include "tessera/kernels/sptrsv/triangle.hpp"

#include <vector>

namespace tessera::kernels {

/// Rows by level: those of level 0 need no other row, those of level l need one of level l - 1 and
/// none above it (Anderson and Saad, Int. J. High Speed Comput. 1, 1989). The same for any number
/// of threads.
template <class Space>
struct TriangleLevels {
  Ordinal first_row = 0, num_rows = 0;  ///< of the triangle's rows, those that were looked at
  Ordinal num_levels = 0;
  Array<const Ordinal, Space> order;  ///< rows, level by level, in a level ascending
  Array<const Ordinal, Space> offsets;  ///< of the levels in `order`; length num_levels + 1
  std::vector<Ordinal> first;  ///< the same on the host
  std::vector<std::int64_t> entries;  ///< of each level's rows, without the diagonal

  /// The rows, level by level. At once: two levels of the size that an average row is in.
  RowOrder row_order() const {
    double squares = 0;
    for (Ordinal level = 0; level < num_levels; ++level) {
      const double rows = first[level + 1] - first[level];
      squares += rows * rows;
    }
    return {num_rows, 0, 1, order.data(), num_rows > 0 ? 2 * squares / num_rows : 0};
  }
};

/// Finds the levels of the rows from `begin` up to `end`, which need none but rows among them. On a
/// device in one launch, each row waiting for those that it needs; waits for the result.
template <class Scalar, class Space, class Offset>
TriangleLevels<Space> find_levels(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
                                  Ordinal begin, Ordinal end);

template <class Scalar, class Space, class Offset>
TriangleLevels<Space> find_levels(const Space& exec, const TriangleView<Scalar, Space, Offset>& T) {
  return find_levels(exec, T, 0, T.num_rows);
}

}  // namespace tessera::kernels
