// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a box of grid points is cut into aggregates.
#pragma once

#include "tessera/kernels/graph/fitted_box.hpp"
#include "tessera/kernels/graph/runs.hpp"
#include "tessera/kernels/graph/selection_rules.hpp"
#include "tessera/kernels/graph/staggered.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace tessera::kernels {

/// Whether some pairs of direction d are neighbours and others are not.
inline bool is_mixed(const BoxFit& fit, int d) {
  return fit.axis[d] > 0 && fit.axis[d] < fit.pairs[d];
}

/// Whether in each direction (nearly) no pairs are neighbours, and (nearly) all points have
/// diagonal neighbours along it, as where couplings along the axes are positive. With one axis
/// alone so, the diagonals may show the only direction in which errors are smooth.
inline bool is_joined_by_diagonals(const BoxFit& fit) {
  for (int d = 0; d < 3; ++d) {
    if (fit.pairs[d] == 0) continue;
    const bool by_axis =
        static_cast<double>(fit.axis[d]) > rules::stray_part * static_cast<double>(fit.pairs[d]);
    const bool by_diagonals = static_cast<double>(fit.diagonal[d]) >=
                              (1 - rules::stray_part) * static_cast<double>(fit.active);
    if (by_axis || !by_diagonals) return false;
  }
  return true;
}

/// The runs of the three directions; nothing where there is no structure to use. On a coarse level
/// the last pieces of a line, thinner or thicker than the others, make couplings on the rim weak
/// without a reason to keep them apart: `spares_rim`.
template <class Look>
std::optional<std::array<Runs, 3>> find_runs(Look& look, const FittedBox& fitted, bool spares_rim) {
  const BoxFit& fit = fitted.fit;
  std::array<Runs, 3> runs;
  const bool by_diagonals = is_joined_by_diagonals(fit);
  std::optional<PlaneFit> planes;  // looked at where the counts of a direction leave it open
  for (int d = 0; d < 3; ++d) {
    const Ordinal extent = extent_of(fitted.box, d);
    if (by_diagonals) {
      runs[d] = uniform_runs(extent, fit.pairs[d] > 0);
    } else if (!is_mixed(fit, d)) {
      runs[d] = uniform_runs(extent, fit.axis[d] > 0);
    } else {
      if (!planes) planes = look.planes(fitted.box, spares_rim);
      const auto between = runs_between_cuts(planes->pairs[d], planes->axis[d]);
      if (!between) return std::nullopt;
      runs[d] = *between;
    }
    const bool crossed =
        static_cast<double>(fit.diagonal[d]) > rules::stray_part * static_cast<double>(fit.active);
    if (!is_coupled(runs[d]) && crossed) return std::nullopt;
  }
  return runs;
}

inline bool is_cut(const std::array<Runs, 3>& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [](const Runs& r) { return r.size() > 1 && is_coupled(r); });
}

inline bool has_diagonals(const BoxFit& fit) {
  return fit.diagonal[0] + fit.diagonal[1] + fit.diagonal[2] > 0;
}

/// The width that suits the stencil; see aggregate_structured.
inline Ordinal suitable_width(const BoxFit& fit, const std::array<Runs, 3>& runs) {
  const int directions = is_coupled(runs[0]) + is_coupled(runs[1]) + is_coupled(runs[2]);
  return directions > 1 && !has_diagonals(fit) ? 2 : 3;
}

/// Whether the graph is that of a five-point stencil on one plane; see StaggeredGrid.
inline bool is_five_point(const Box& box, const BoxFit& fit, const std::array<Runs, 3>& runs) {
  return is_coupled(runs[0]) && is_coupled(runs[1]) && box.nz == 1 && !has_diagonals(fit);
}

/// How many pieces a run of `length` points is cut into, so that all but the last have `width`. Of
/// pieces of 2 the last has 1 or 2: one 3 wide among them is too wide for one smoothing step.
inline Ordinal num_pieces(Ordinal length, Ordinal width) {
  return std::max<Ordinal>(1, (length + width / 2) / width);
}

/// The coarse coordinate of a run's coordinate `at`.
KOKKOS_INLINE_FUNCTION Ordinal piece_of(const Run& run, Ordinal at, Ordinal width) {
  return run.coarse_first + Kokkos::min((at - run.first) / width, run.num_pieces - 1);
}

/// Numbers the pieces of all runs, of which run r has `pieces(r)`; returns how many there are.
template <class Pieces>
Ordinal number_pieces(Runs& runs, const Pieces& pieces) {
  Ordinal count = 0;
  for (Run& run : runs) {
    run.coarse_first = count;
    run.num_pieces = pieces(run.length);
    count += run.num_pieces;
  }
  return count;
}

/// A table of the host on the device.
template <class T, class Space>
Array<T, Space> table_on(const Space& exec, const std::vector<T>& values) {
  auto table = allocate<T>(exec, "tessera::structured::table", values.size());
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, table);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(exec, table, host);
  exec.fence("tessera::structured::table");
  return table;
}

/// The runs of a box on the device. Where each direction is one run, as nearly always, they travel
/// with the kernel; else there is a table.
template <class Space>
struct RunsOnDevice {
  Run only[3];
  Ordinal begin[3];  ///< of the directions in the table
  Array<const Run, Space> table;  ///< the run of each x, then of each y and of each z; or empty

  RunsOnDevice(const Space& exec, const Box& box, const std::array<Runs, 3>& runs)
      : only{runs[0].front(), runs[1].front(), runs[2].front()}, begin{0, box.nx, box.nx + box.ny} {
    const bool single = std::all_of(runs.begin(), runs.end(),
                                    [](const Runs& direction) { return direction.size() == 1; });
    if (single) return;
    std::vector<Run> all;
    for (const Runs& direction : runs) {
      for (const Run& run : direction)
        all.insert(all.end(), run.length, run);
    }
    table = table_on(exec, all);
  }

  /// The run of coordinate `at` of direction `d`.
  KOKKOS_FUNCTION Run along(int d, Ordinal at) const {
    return table.extent(0) == 0 ? only[d] : table(begin[d] + at);
  }
};

template <class Space, class Offset>
struct NumberStaggered {
  Graph<Space, Offset> graph;
  Ordinal first;
  Box fine;
  Box coarse;
  RunsOnDevice<Space> runs;
  Array<Ordinal, Space> aggregate_of;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const Ordinal point = first + v;
    const Ordinal line = point / fine.nx;
    const Run along_x = runs.along(0, point - line * fine.nx);
    const Run along_y = runs.along(1, line);
    const StaggeredGrid grid{along_x.length, along_y.length};
    const Ordinal x = point - line * fine.nx - along_x.first;
    const Ordinal m = grid.line(x, line - along_y.first);
    const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
    aggregate_of(v) = isolated ? -1
                               : along_x.coarse_first + grid.column(x, m) +
                                     coarse.nx * (along_y.coarse_first + m);
  }
};

template <class Space, class Offset>
Array<Ordinal, Space> number_staggered(const Space& exec, const Graph<Space, Offset>& graph,
                                       Ordinal first, const Box& fine, const Box& coarse,
                                       const RunsOnDevice<Space>& runs) {
  auto aggregate_of = allocate<Ordinal>(exec, "tessera::structured::aggregate_of", graph.num_nodes);
  Kokkos::parallel_for(
      "tessera::structured::stagger", Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
      NumberStaggered<Space, Offset>{graph, first, fine, coarse, runs, aggregate_of});
  return aggregate_of;
}

template <class Space, class Offset>
struct NumberBoxes {
  Graph<Space, Offset> graph;
  Ordinal first;
  Box fine;
  Box coarse;
  RunsOnDevice<Space> runs;
  Ordinal width;
  Array<Ordinal, Space> aggregate_of;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const Ordinal point = first + v;
    const Ordinal line = point / fine.nx;
    const Ordinal x = point - line * fine.nx;
    const Ordinal z = line / fine.ny;
    const Ordinal y = line - z * fine.ny;
    const Ordinal coarse_x = piece_of(runs.along(0, x), x, width);
    const Ordinal coarse_y = piece_of(runs.along(1, y), y, width);
    const Ordinal coarse_z = piece_of(runs.along(2, z), z, width);
    const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
    aggregate_of(v) = isolated ? -1 : coarse_x + coarse.nx * (coarse_y + coarse.ny * coarse_z);
  }
};

template <class Space, class Offset>
Array<Ordinal, Space> number_boxes(const Space& exec, const Graph<Space, Offset>& graph,
                                   Ordinal first, const Box& fine, const Box& coarse,
                                   const RunsOnDevice<Space>& runs, Ordinal width) {
  auto aggregate_of = allocate<Ordinal>(exec, "tessera::structured::aggregate_of", graph.num_nodes);
  Kokkos::parallel_for(
      "tessera::structured::number", Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
      NumberBoxes<Space, Offset>{graph, first, fine, coarse, runs, width, aggregate_of});
  return aggregate_of;
}

/// The coarse box of staggered aggregates, and the coarse coordinates of the runs.
inline Box number_staggered_pieces(std::array<Runs, 3>& runs) {
  const auto columns = [](Ordinal length) { return StaggeredGrid{length, 1}.coarse_nx(); };
  const auto lines = [](Ordinal length) { return StaggeredGrid{1, length}.coarse_ny(); };
  return {number_pieces(runs[0], columns), number_pieces(runs[1], lines), 1};
}

/// The same of boxes.
inline Box number_box_pieces(std::array<Runs, 3>& runs, Ordinal width) {
  const auto pieces = [&](Ordinal length) { return num_pieces(length, width); };
  return {number_pieces(runs[0], pieces), number_pieces(runs[1], pieces),
          number_pieces(runs[2], pieces)};
}

/// How a box is cut into pieces.
struct PiecesOfBox {
  Box fine;
  Box coarse;
  std::array<Runs, 3> runs;
  Ordinal width = 0;
  bool staggered = false;
  std::int64_t active = 0;  ///< nodes with an edge
  bool may_cut = false;  ///< missing connections may lie within pieces
  bool spares_rim = false;  ///< those on the rim are of no matter
};

/// The pieces of `aggregate_structured`, by what `look` says of the whole graph: num_nodes(),
/// has_edges(), fit(box), planes(box, spares_rim) and strides() are `fit_box`, `fit_planes` and
/// `sample_strides`, however many processes have a part in them.
template <class Look>
std::optional<PiecesOfBox> choose_pieces(Look& look, Ordinal width,
                                         const std::optional<Box>& hint) {
  const auto fitted = find_box(look, hint);
  if (!fitted) return std::nullopt;
  const bool is_coarse = hint.has_value();
  auto runs = find_runs(look, *fitted, is_coarse);
  if (!runs) return std::nullopt;
  const Box& fine = fitted->box;
  const bool staggered = width == 0 && is_five_point(fine, fitted->fit, *runs);
  const bool automatic = width == 0;
  if (automatic) width = suitable_width(fitted->fit, *runs);
  // Beside a cut remain smaller pieces than elsewhere. On the levels below, where strength is a
  // matter of degree, and in boxes 2 wide, which have little room to differ, those cost iterations
  // that MIS(2) saves: 16 in place of 13 with planes cut through 7-point stencils.
  const bool twos = automatic && !staggered && width == 2;
  if (is_cut(*runs) && (is_coarse || twos)) return std::nullopt;
  const Box coarse = staggered ? number_staggered_pieces(*runs) : number_box_pieces(*runs, width);
  // Short runs make small pieces; a line of 2 or 3 points is one.
  if (2 * coarse.size() > fine.size()) return std::nullopt;
  bool may_cut = is_joined_by_diagonals(fitted->fit);
  for (int d = 0; d < 3; ++d)
    may_cut = may_cut || is_mixed(fitted->fit, d);
  return PiecesOfBox{fine, coarse, *runs, width, staggered, fitted->fit.active, may_cut, is_coarse};
}

/// The aggregate of each node of a graph whose node 0 is point `first` of the box; -1 without an
/// edge.
template <class Space, class Offset>
Array<Ordinal, Space> number_pieces_of(const Space& exec, const Graph<Space, Offset>& graph,
                                       Ordinal first, const PiecesOfBox& pieces) {
  const RunsOnDevice<Space> runs(exec, pieces.fine, pieces.runs);
  return pieces.staggered
             ? number_staggered(exec, graph, first, pieces.fine, pieces.coarse, runs)
             : number_boxes(exec, graph, first, pieces.fine, pieces.coarse, runs, pieces.width);
}

}  // namespace tessera::kernels
