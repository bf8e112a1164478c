// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse triangular solves: T x = b.
#pragma once

#include "tessera/kernels/sptrsv/algorithm.hpp"
#include "tessera/kernels/sptrsv/levels.hpp"
#include "tessera/kernels/sptrsv/triangle.hpp"

#include <memory>
#include <vector>

namespace tessera::kernels {

template <class Space>
class BarrierState;

/// Consecutive levels that one launch solves for.
struct LevelRun {
  Ordinal first_level = 0, last_level = 0;
  bool by_one_block = false;  ///< with a barrier between levels; else one level by all processors
  Ordinal widest = 0;  ///< rows of the level that has most
};

/// What was found of a triangle's pattern by `analyse_sptrsv`, for any values in it. Holds what
/// waiting rows and blocks synchronize by: it serves one solve at a time.
template <class Space, class Offset = std::int32_t>
struct SptrsvPlan {
  SptrsvAlgorithm algorithm = SptrsvAlgorithm::levels;
  TriangleKind kind = TriangleKind::lower;
  Ordinal num_rows = 0;
  std::size_t num_entries = 0;  ///< of the arrays that the triangle's entries are parts of
  int lanes = 1;  ///< that share a row
  TriangleLevels<Space> levels;  ///< but for recursive
  std::vector<LevelRun> runs;  ///< levels
  /// levels, where one block solves for several; else null
  std::shared_ptr<const BarrierState<Space>> board;
  Array<std::uint64_t, Space> drawn;  ///< counters: tickets of all launches so far
  RowOrder order;  ///< counters

  // Recursive: rows are halved `recursion_depth` times.
  int recursion_depth = 0;
  std::vector<SptrsvPlan> triangles;  ///< on the diagonal, in the order of their rows
  /// Row i's part in the square blocks of halving h and its part in the next begin, in a lower
  /// triangle, or end, in an upper one, at entries h * num_rows + i and (h + 1) * num_rows + i.
  Array<Offset, Space> cuts;
  Array<std::byte, Space> rhs;  ///< b less the products, num_rows scalars

  double estimated_us = 0;  ///< of a solve on an H200; on a host 0

  /// Launches of a solve for one right-hand side.
  int num_launches() const;
};

/// Looks at the pattern of T, and waits for it. `recursive` takes rows that are sorted by column.
/// The choice of `automatic` and the order of each row's sum depend on T and the space alone: a
/// solve gives the same bits at any time and for any number of threads. `recursion_depth`: those of
/// `recursive`, as far as there are rows for them; 0: chosen.
template <class Scalar, class Space, class Offset>
SptrsvPlan<Space, Offset> analyse_sptrsv(const Space& exec,
                                         const TriangleView<Scalar, Space, Offset>& T,
                                         SptrsvAlgorithm algorithm = SptrsvAlgorithm::automatic,
                                         int recursion_depth = 0);

/// x = T^-1 b, column by column; nothing waits. b and x: num_rows by k, and they do not overlap.
/// T has the pattern that `plan` is of. NaNs and infinities in T or b show in x.
template <class Scalar, class Space, class Offset>
void sptrsv(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
            const TriangleView<Scalar, Space, Offset>& T,
            const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
            const NonDeduced<MultiVectorView<Scalar, Space>>& x);

}  // namespace tessera::kernels
