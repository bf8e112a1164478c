// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nodes that form a box of grid points: how to recognise it from the graph, and aggregates for
/// it.
#pragma once

#include "tessera/kernels/graph/aggregate.hpp"

#include <optional>
#include <vector>

namespace tessera::kernels {

/// A box of nx by ny by nz grid points, numbered lexicographically: point (x, y, z) is node
/// x + nx (y + ny z).
struct Box {
  Ordinal nx = 0;
  Ordinal ny = 1;
  Ordinal nz = 1;

  std::int64_t size() const { return static_cast<std::int64_t>(nx) * ny * nz; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// What all edges of a graph say about a box.
struct BoxFit {
  /// Edges that reach further than the reach asked for: where there are any, at least one, and the
  /// other counts are of some nodes alone.
  std::int64_t misfits = 0;
  std::int64_t active = 0;  ///< nodes with an edge
  /// By direction: nodes with an edge, whose next grid point has one too.
  std::int64_t pairs[3] = {0, 0, 0};
  std::int64_t axis[3] = {0, 0, 0};  ///< those of them that are neighbours
  std::int64_t diagonal[3] = {0, 0, 0};  ///< nodes with an edge in this and another direction

  KOKKOS_FUNCTION BoxFit& operator+=(const BoxFit& other) {
    misfits += other.misfits;
    active += other.active;
    for (int d = 0; d < 3; ++d) {
      pairs[d] += other.pairs[d];
      axis[d] += other.axis[d];
      diagonal[d] += other.diagonal[d];
    }
    return *this;
  }
};

/// Looks at every edge of `graph` in the coordinates of `box` (one device pass; waits for it), or
/// at as many as it takes to see that they do not fit. An edge fits where the coordinates of its
/// ends differ by at most `reach` in each direction.
template <class Space, class Offset>
BoxFit fit_box(const Space& exec, const Graph<Space, Offset>& graph, const Box& box, int reach);

/// The same pairs by the plane of faces between grid points `at` and `at + 1` of a direction, for
/// every `at` below its extent.
struct PlaneFit {
  std::vector<Ordinal> pairs[3];
  std::vector<Ordinal> axis[3];
};

/// Counts what `fit_box` counts, plane by plane (one device pass; waits for it); `spares_rim`: but
/// for pairs on the rim of the box.
template <class Space, class Offset>
PlaneFit fit_planes(const Space& exec, const Graph<Space, Offset>& graph, const Box& box, int reach,
                    bool spares_rim = false);

/// Up to 64 distinct |column - row| of the edges of a sample of rows, ascending; nothing where
/// there are more, which no stencil on a box has. One small device pass; waits for it.
template <class Space, class Offset>
std::optional<std::vector<Ordinal>> sample_strides(const Space& exec,
                                                   const Graph<Space, Offset>& graph);

/// The boxes of `size` points in which every one of `strides` is a step of at most `reach` in each
/// direction, the most likely first: short reach, then long lines.
std::vector<Box> candidate_boxes(std::int64_t size, const std::vector<Ordinal>& strides, int reach);

/// Aggregates that are boxes themselves.
template <class Space>
struct StructuredAggregates {
  Aggregates<Space> aggregates;
  Box fine;
  Box coarse;  ///< aggregates are numbered lexicographically in it
};

/// Recognises a graph on a lexicographically numbered box, whatever the stencil (reach at most 2),
/// and cuts it into boxes of about `width` points in each direction in which neighbours are
/// connected. A direction without edges is not cut (semi-coarsening), and strong diagonals across
/// an uncut one mean that there is no such structure to use. Where connections are missing between
/// two planes of points, as at the face of another material, pieces end there: a direction is a
/// number of runs of connected points. Missing ones that do not fill such a plane may cut through
/// boxes; where they do, there is no structure to use either.
///
/// A run of n points is cut into pieces of `width`; the last takes what remains (2 to 4 points for
/// width 3, 1 or 2 for width 2: a coarse stencil reaches no further than the next piece).
///
/// `width` 0 picks 3, the width of a point and its neighbours, but for stencils without diagonals 2
/// in three directions and StaggeredGrid in two: there the corners of a box 3 wide are too many
/// edges from its middle for one smoothing step to reach. Boxes 2 wide picked so end at no cuts:
/// nothing is returned where they would have to.
///
/// `hint`, the box expected (that of the finer level's result), is tried first, which saves the
/// search; every edge is looked at in any case, and nothing is returned where pieces would have to
/// end at cuts. A node without edges gets -1, and an aggregate
/// may then have no member. Nothing is returned for any other graph.
template <class Space, class Offset>
std::optional<StructuredAggregates<Space>> aggregate_structured(
    const Space& exec, const Graph<Space, Offset>& graph, Ordinal width = 0,
    const std::optional<Box>& hint = std::nullopt);

}  // namespace tessera::kernels
