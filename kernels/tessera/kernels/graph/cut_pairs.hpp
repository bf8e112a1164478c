// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether missing connections cut through the aggregates of a box.
#pragma once

#include "tessera/kernels/graph/fit_box_impl.hpp"

namespace tessera::kernels {

/// Counts the pairs of grid points side by side in one aggregate that are neither neighbours nor
/// joined by up to three edges within the aggregate, which is the way around a missing one.
template <class Space, class Offset>
struct CutPairs {
  FitBox<Space, Offset> box;
  Array<const Ordinal, Space> aggregate_of;
  bool spares_rim;  ///< pairs on the rim of the box do not count

  KOKKOS_FUNCTION void operator()(Ordinal v, std::int64_t& count) const {
    if (!box.active(v)) return;
    const auto seen = box.look_at(v);
    for (int d = 0; d < 3; ++d) {
      if (seen.axis[d] || !box.pair(v, seen, d)) continue;
      if (spares_rim && box.at_rim(seen, d)) continue;
      const Ordinal w = box.next(v, d);
      if (aggregate_of(v) == aggregate_of(w) && !joined(v, w, 3)) ++count;
    }
  }

 private:
  /// Whether a path of at most `edges` edges leads from v to w within their aggregate.
  KOKKOS_FUNCTION bool joined(Ordinal v, Ordinal w, int edges) const {
    // Depth-first with a stack of its own: the node at each depth and its next edge.
    Ordinal at[3] = {v, 0, 0};
    Offset next[3] = {box.graph.offsets(v), 0, 0};
    for (int depth = 0; depth >= 0;) {
      if (next[depth] == box.graph.offsets(at[depth] + 1)) {
        --depth;
        continue;
      }
      const Ordinal to = box.graph.columns(next[depth]++);
      if (to == w) return true;
      if (depth + 1 == edges || aggregate_of(to) != aggregate_of(v)) continue;
      ++depth;
      at[depth] = to;
      next[depth] = box.graph.offsets(to);
    }
    return false;
  }
};

/// See `CutPairs`; one device pass, for which it waits.
template <class Space, class Offset>
std::int64_t count_cut_pairs(const Space& exec, const FitBox<Space, Offset>& look,
                             const PieceOfBox& piece, const Array<Ordinal, Space>& aggregate_of,
                             bool spares_rim) {
  std::int64_t count = 0;
  if (piece.is_empty()) return count;
  Kokkos::parallel_reduce("tessera::cut_pairs",
                          Kokkos::RangePolicy<Space>(exec, piece.begin, piece.end),
                          CutPairs<Space, Offset>{look, aggregate_of, spares_rim}, count);
  exec.fence("tessera::cut_pairs");
  return count;
}

}  // namespace tessera::kernels
