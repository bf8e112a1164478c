// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of aggregate_structured.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/staggered.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <algorithm>
#include <array>

namespace tessera::kernels {

/// Stencils reach this many points at the most.
inline constexpr int largest_reach = 2;
/// A direction is cut where this part of its neighbouring points is connected, ...
inline constexpr double coupled_part = 0.95;
/// ... and left alone where this part is; anything between is no structure.
inline constexpr double uncoupled_part = 0.05;

/// Whether missing edges show that direction `d` is made of shorter lines, laid end to end (a
/// direction in between has no edges): then `box` is split accordingly. Counts say it exactly, for
/// each line of e points has e - 1 edges.
inline bool split_lines(Box& box, const BoxFit& fit, int d) {
  const std::int64_t size = box.size();
  const Ordinal extent = d == 0 ? box.nx : box.ny;
  if (fit.active != size || fit.axis[d] == 0 || fit.axis[d] == fit.pairs[d]) return false;
  const std::int64_t lines = size - fit.axis[d];
  if (size % lines != 0 || extent % (size / lines) != 0) return false;
  const auto length = static_cast<Ordinal>(size / lines);
  if (d == 0 && (box.ny == 1 || box.nz == 1)) {
    box = {length, box.nx / length, box.ny * box.nz};
    return true;
  }
  if (d == 1 && box.nz == 1) {
    box = {box.nx, length, box.ny / length};
    return true;
  }
  return false;
}

/// A box that all edges fit, and what they say about it.
struct FittedBox {
  Box box;
  BoxFit fit;
};

template <class Space, class Offset>
std::optional<FittedBox> try_box(const Space& exec, const Graph<Space, Offset>& graph,
                                 const Box& box) {
  FittedBox fitted{box, fit_box(exec, graph, box, largest_reach)};
  if (fitted.fit.misfits > 0) return std::nullopt;
  for (int d = 0; d < 2; ++d) {
    Box split = fitted.box;
    if (!split_lines(split, fitted.fit, d)) continue;
    const BoxFit fit = fit_box(exec, graph, split, largest_reach);
    if (fit.misfits == 0) fitted = {split, fit};
  }
  return fitted;
}

template <class Space, class Offset>
std::optional<FittedBox> find_box(const Space& exec, const Graph<Space, Offset>& graph,
                                  const std::optional<Box>& hint) {
  if (graph.num_edges() == 0) return std::nullopt;
  if (hint && hint->size() == graph.num_vertices) {
    if (const auto fitted = try_box(exec, graph, *hint)) return fitted;
  }
  const auto strides = sample_strides(exec, graph);
  if (!strides || strides->empty()) return std::nullopt;
  constexpr std::size_t most_tries = 3;
  auto boxes = candidate_boxes(graph.num_vertices, *strides, largest_reach);
  boxes.resize(std::min(boxes.size(), most_tries));
  for (const Box& box : boxes) {
    if (const auto fitted = try_box(exec, graph, box)) return fitted;
  }
  return std::nullopt;
}

/// Which directions to cut; nothing where an answer is neither yes nor no.
inline std::optional<std::array<bool, 3>> coupled_directions(const BoxFit& fit) {
  std::array<bool, 3> coupled{};
  for (int d = 0; d < 3; ++d) {
    const auto pairs = static_cast<double>(fit.pairs[d]);
    const auto axis = static_cast<double>(fit.axis[d]);
    coupled[d] = fit.pairs[d] > 0 && axis >= coupled_part * pairs;
    if (coupled[d]) continue;
    const bool crossed = fit.diagonal[d] > uncoupled_part * static_cast<double>(fit.active);
    if (axis > uncoupled_part * pairs || crossed) return std::nullopt;
  }
  return coupled;
}

inline bool has_diagonals(const BoxFit& fit) {
  return fit.diagonal[0] + fit.diagonal[1] + fit.diagonal[2] > 0;
}

/// The width that suits the stencil; see aggregate_structured.
inline Ordinal suitable_width(const BoxFit& fit, const std::array<bool, 3>& coupled) {
  const int directions = coupled[0] + coupled[1] + coupled[2];
  return directions > 1 && !has_diagonals(fit) ? 2 : 3;
}

/// Whether the graph is that of a five-point stencil on one plane; see StaggeredGrid.
inline bool is_five_point(const Box& box, const BoxFit& fit, const std::array<bool, 3>& coupled) {
  return coupled[0] && coupled[1] && box.nz == 1 && !has_diagonals(fit);
}

template <class Space, class Offset>
Array<Ordinal, Space> number_staggered(const Space& exec, const Graph<Space, Offset>& graph,
                                       const StaggeredGrid& grid) {
  auto aggregate_of =
      allocate<Ordinal>(exec, "tessera::structured::aggregate_of", graph.num_vertices);
  Kokkos::parallel_for(
      "tessera::structured::stagger", Kokkos::RangePolicy<Space>(exec, 0, graph.num_vertices),
      KOKKOS_LAMBDA(const Ordinal v) {
        const Ordinal y = v / grid.nx;
        const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
        aggregate_of(v) = isolated ? -1 : grid.aggregate(v - y * grid.nx, y);
      });
  return aggregate_of;
}

/// How many pieces a line of `length` points is cut into, so that all but the last have `width`.
inline Ordinal num_pieces(Ordinal length, Ordinal width, bool coupled) {
  return coupled ? std::max<Ordinal>(1, (length + (width - 1) / 2) / width) : length;
}

template <class Space, class Offset>
Array<Ordinal, Space> number_boxes(const Space& exec, const Graph<Space, Offset>& graph,
                                   const Box& fine, const Box& coarse, Ordinal width,
                                   const std::array<bool, 3>& coupled) {
  auto aggregate_of =
      allocate<Ordinal>(exec, "tessera::structured::aggregate_of", graph.num_vertices);
  const Ordinal width_x = coupled[0] ? width : 1;
  const Ordinal width_y = coupled[1] ? width : 1;
  const Ordinal width_z = coupled[2] ? width : 1;
  Kokkos::parallel_for(
      "tessera::structured::number", Kokkos::RangePolicy<Space>(exec, 0, graph.num_vertices),
      KOKKOS_LAMBDA(const Ordinal v) {
        const Ordinal line = v / fine.nx;
        const Ordinal z = line / fine.ny;
        const Ordinal coarse_x = Kokkos::min((v - line * fine.nx) / width_x, coarse.nx - 1);
        const Ordinal coarse_y = Kokkos::min((line - z * fine.ny) / width_y, coarse.ny - 1);
        const Ordinal coarse_z = Kokkos::min(z / width_z, coarse.nz - 1);
        const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
        aggregate_of(v) = isolated ? -1 : coarse_x + coarse.nx * (coarse_y + coarse.ny * coarse_z);
      });
  return aggregate_of;
}

template <class Space, class Offset>
std::optional<StructuredAggregates<Space>> aggregate_structured(const Space& exec,
                                                                const Graph<Space, Offset>& graph,
                                                                Ordinal width,
                                                                const std::optional<Box>& hint) {
  require(width == 0 || width >= 2, [&] {
    return "width = " + std::to_string(width) + "; expected 0 (automatic) or at least 2";
  });
  const auto fitted = find_box(exec, graph, hint);
  if (!fitted) return std::nullopt;
  const auto coupled = coupled_directions(fitted->fit);
  if (!coupled) return std::nullopt;
  const Box& fine = fitted->box;
  if (width == 0 && is_five_point(fine, fitted->fit, *coupled)) {
    const StaggeredGrid grid{fine.nx, fine.ny};
    const Box roots{grid.coarse_nx(), grid.coarse_ny(), 1};
    if (roots.size() >= fine.size()) return std::nullopt;
    return StructuredAggregates<Space>{
        {static_cast<Ordinal>(roots.size()), number_staggered(exec, graph, grid)}, fine, roots};
  }
  if (width == 0) width = suitable_width(fitted->fit, *coupled);
  const Box coarse{num_pieces(fine.nx, width, (*coupled)[0]),
                   num_pieces(fine.ny, width, (*coupled)[1]),
                   num_pieces(fine.nz, width, (*coupled)[2])};
  if (coarse == fine) return std::nullopt;
  StructuredAggregates<Space> result;
  result.fine = fine;
  result.coarse = coarse;
  result.aggregates.num_aggregates = static_cast<Ordinal>(coarse.size());
  result.aggregates.aggregate_of = number_boxes(exec, graph, fine, coarse, width, *coupled);
  return result;
}

}  // namespace tessera::kernels
