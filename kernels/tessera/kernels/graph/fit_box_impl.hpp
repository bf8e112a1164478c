// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of fit_box, fit_planes and sample_strides.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <algorithm>

namespace tessera::kernels {

/// Nodes `begin` up to `end` of a graph that is a piece of a larger one: its node 0 is point
/// `first` of a box, and columns are numbered from there, too. They may lie outside the piece.
struct PieceOfBox {
  Ordinal first = 0;
  Ordinal begin = 0;
  Ordinal end = 0;

  bool is_empty() const { return begin >= end; }
};

/// Looks at one node's edges in the coordinates of a box, of which node 0 is point `first`.
template <class Space, class Offset>
struct FitBox {
  Graph<Space, Offset> graph;
  Box box;
  Ordinal plane;
  double per_nx;
  double per_plane;
  int reach;
  Ordinal first;

  FitBox(const Graph<Space, Offset>& graph_, const Box& box_, int reach_, Ordinal first_ = 0)
      : graph(graph_),
        box(box_),
        plane(box_.nx * box_.ny),
        per_nx(1.0 / box_.nx),
        per_plane(1.0 / (static_cast<double>(box_.nx) * box_.ny)),
        reach(reach_),
        first(first_) {}

  /// What the edges of one node say.
  struct Node {
    Ordinal at[3];
    bool axis[3] = {false, false, false};
    bool diagonal[3] = {false, false, false};
    std::int64_t misfits = 0;
  };

  KOKKOS_FUNCTION Node look_at(Ordinal v) const {
    Node seen;
    const Ordinal point = first + v;
    const Ordinal z = point / plane;
    const Ordinal y = (point - z * plane) / box.nx;
    const Ordinal x = point - z * plane - y * box.nx;
    seen.at[0] = x;
    seen.at[1] = y;
    seen.at[2] = z;
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k) {
      Ordinal step[3];
      const bool fits = step_between(v, x, y, z, graph.columns(k), step);
      if (!fits) {
        ++seen.misfits;
        continue;
      }
      const int moved = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
      for (int d = 0; d < 3; ++d) {
        seen.axis[d] = seen.axis[d] || (moved == 1 && step[d] == 1);
        seen.diagonal[d] = seen.diagonal[d] || (moved > 1 && step[d] != 0);
      }
    }
    return seen;
  }

  KOKKOS_FUNCTION bool active(Ordinal v) const { return graph.offsets(v) < graph.offsets(v + 1); }

  /// Whether v, which has an edge, and its next grid point in direction d are a pair.
  KOKKOS_FUNCTION bool pair(Ordinal v, const Node& seen, int d) const {
    const Ordinal extent = d == 0 ? box.nx : d == 1 ? box.ny : box.nz;
    return seen.at[d] + 1 < extent && active(next(v, d));
  }
  /// Whether a pair of direction d lies on the rim of the box, at its own end or on a line along
  /// the rim of another direction.
  KOKKOS_FUNCTION bool at_rim(const Node& seen, int d) const {
    constexpr Ordinal thick = 4;
    const Ordinal extents[] = {box.nx, box.ny, box.nz};
    for (int e = 0; e < 3; ++e) {
      const Ordinal last = extents[e] - (e == d ? 2 : 1);
      if (extents[e] > thick && (seen.at[e] == 0 || seen.at[e] == last)) return true;
    }
    return false;
  }
  KOKKOS_FUNCTION Ordinal next(Ordinal v, int d) const {
    return v + (d == 0 ? 1 : d == 1 ? box.nx : plane);
  }

  KOKKOS_FUNCTION void operator()(Ordinal v, BoxFit& sum) const {
    if (sum.misfits > 0 || !active(v)) return;
    const Node seen = look_at(v);
    sum.misfits += seen.misfits;
    ++sum.active;
    for (int d = 0; d < 3; ++d) {
      const bool is_pair = pair(v, seen, d);
      sum.pairs[d] += is_pair ? 1 : 0;
      sum.axis[d] += is_pair && seen.axis[d] ? 1 : 0;
      sum.diagonal[d] += seen.diagonal[d] ? 1 : 0;
    }
  }

 private:
  /// The step from v = (x, y, z) to `to`, first by rounding, which costs no integer division and is
  /// right unless a line is only a few points long; then the coordinates decide.
  KOKKOS_FUNCTION bool step_between(Ordinal v, Ordinal x, Ordinal y, Ordinal z, Ordinal to,
                                    Ordinal* step) const {
    const Ordinal difference = to - v;
    step[2] = static_cast<Ordinal>(Kokkos::floor(difference * per_plane + 0.5));
    const Ordinal rest = difference - step[2] * plane;
    step[1] = static_cast<Ordinal>(Kokkos::floor(rest * per_nx + 0.5));
    step[0] = rest - step[1] * box.nx;
    if (inside(x + step[0], box.nx) && inside(y + step[1], box.ny) && inside(z + step[2], box.nz) &&
        within_reach(step)) {
      return true;
    }
    const Ordinal point = first + to;
    const Ordinal to_z = point / plane;
    const Ordinal to_y = (point - to_z * plane) / box.nx;
    step[2] = to_z - z;
    step[1] = to_y - y;
    step[0] = point - to_z * plane - to_y * box.nx - x;
    return within_reach(step);
  }

  KOKKOS_FUNCTION static bool inside(Ordinal at, Ordinal length) { return at >= 0 && at < length; }
  KOKKOS_FUNCTION bool within_reach(const Ordinal* step) const {
    return Kokkos::abs(step[0]) <= reach && Kokkos::abs(step[1]) <= reach &&
           Kokkos::abs(step[2]) <= reach;
  }
};

/// Whether a few nodes, all over the graph, have an edge that does not fit. Most boxes that are
/// tried on a mesh are refused by these, at a hundredth of what looking at every edge takes a host.
template <class Space, class Offset>
bool sample_misfits(const FitBox<Space, Offset>& fit) {
  constexpr Ordinal sample = 1024;
  const Ordinal n = fit.graph.num_nodes;
  for (Ordinal s = 0; s < sample && s < n; ++s) {
    const auto v = static_cast<Ordinal>(hash32(static_cast<std::uint32_t>(s)) % n);
    if (fit.look_at(v).misfits > 0) return true;
  }
  return false;
}

template <class Space, class Offset>
BoxFit fit_piece(const Space& exec, const FitBox<Space, Offset>& look, const PieceOfBox& piece) {
  BoxFit fit;
  if (piece.is_empty()) return fit;
  Kokkos::parallel_reduce("tessera::fit_box",
                          Kokkos::RangePolicy<Space>(exec, piece.begin, piece.end), look, fit);
  exec.fence("tessera::fit_box");
  return fit;
}

template <class Space, class Offset>
BoxFit fit_box(const Space& exec, const Graph<Space, Offset>& graph, const Box& box, int reach) {
  const FitBox<Space, Offset> look(graph, box, reach);
  if constexpr (is_host_space<Space>) {
    // The graph is there: Serial and OpenMP have run a kernel when its launch returns.
    if (sample_misfits(look)) {
      BoxFit fit;
      fit.misfits = 1;
      return fit;
    }
  }
  return fit_piece(exec, look, {0, 0, graph.num_nodes});
}

/// Counts pairs by plane, direction by direction: counts(2 p) all of plane p, and counts(2 p + 1)
/// those of them that are neighbours.
template <class Space, class Offset>
struct CountPlanes {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int team = is_host_space<Space> ? 1 : 256;
  static constexpr Ordinal nodes_of_team = 16 * 256;
  static constexpr int max_scratch_bytes = 32768;

  FitBox<Space, Offset> fit;
  PieceOfBox piece;
  bool spares_rim;
  Ordinal num_counts;
  Array<Ordinal, Space> counts;

  /// add(count) for each count that node v adds one to.
  template <class Add>
  KOKKOS_INLINE_FUNCTION void count_node(Ordinal v, const Add& add) const {
    if (!fit.active(v)) return;
    const auto seen = fit.look_at(v);
    Ordinal first = 0;
    for (int d = 0; d < 3; ++d) {
      const Ordinal plane = first + seen.at[d];
      first += d == 0 ? fit.box.nx : fit.box.ny;
      if (!fit.pair(v, seen, d) || (spares_rim && fit.at_rim(seen, d))) continue;
      add(2 * plane);
      if (seen.axis[d]) add(2 * plane + 1);
    }
  }

  /// A node, where the planes are too many for scratch.
  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    count_node(v, [&](Ordinal at) { Kokkos::atomic_inc(&counts(at)); });
  }

  /// A team's nodes, in scratch first: neighbours lie in one plane of two directions, and a
  /// million additions to one place of memory take milliseconds.
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    auto* mine = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(num_counts * sizeof(Ordinal), 8));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_counts),
                         [&](Ordinal at) { mine[at] = 0; });
    member.team_barrier();
    const std::int64_t first =
        piece.begin + static_cast<std::int64_t>(member.league_rank()) * nodes_of_team;
    const std::int64_t left = piece.end - first;
    const auto count = static_cast<Ordinal>(left < nodes_of_team ? left : nodes_of_team);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, count), [&](Ordinal i) {
      count_node(static_cast<Ordinal>(first + i),
                 [&](Ordinal at) { Kokkos::atomic_inc(&mine[at]); });
    });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_counts), [&](Ordinal at) {
      if (mine[at] != 0) Kokkos::atomic_add(&counts(at), mine[at]);
    });
  }

  void run(const Space& exec) const {
    const Ordinal num_nodes = piece.end - piece.begin;
    const int bytes = num_counts <= max_scratch_bytes / static_cast<int>(sizeof(Ordinal))
                          ? num_counts * static_cast<int>(sizeof(Ordinal)) + 16
                          : 0;
    if (bytes == 0 || is_host_space<Space> || num_nodes == 0) {
      Kokkos::parallel_for("tessera::fit_planes",
                           Kokkos::RangePolicy<Space>(exec, piece.begin, piece.end), *this);
      return;
    }
    Kokkos::TeamPolicy<Space> policy(exec, (num_nodes - 1) / nodes_of_team + 1, team, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for("tessera::fit_planes", policy, *this);
  }
};

template <class Space, class Offset>
PlaneFit fit_planes_of_piece(const Space& exec, const FitBox<Space, Offset>& look,
                             const PieceOfBox& piece, bool spares_rim) {
  const Box& box = look.box;
  const Ordinal extents[] = {box.nx, box.ny, box.nz};
  const Ordinal num_planes = box.nx + box.ny + box.nz;
  auto counts = allocate<Ordinal>(exec, "tessera::fit_planes::counts", 2 * num_planes);
  Kokkos::deep_copy(exec, counts, 0);
  if (!piece.is_empty())
    CountPlanes<Space, Offset>{look, piece, spares_rim, 2 * num_planes, counts}.run(exec);
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, counts);
  Kokkos::deep_copy(exec, host, counts);
  exec.fence("tessera::fit_planes");
  PlaneFit planes;
  Ordinal plane = 0;
  for (int d = 0; d < 3; ++d) {
    for (Ordinal at = 0; at < extents[d]; ++at, ++plane) {
      planes.pairs[d].push_back(host(2 * plane));
      planes.axis[d].push_back(host(2 * plane + 1));
    }
  }
  return planes;
}

template <class Space, class Offset>
PlaneFit fit_planes(const Space& exec, const Graph<Space, Offset>& graph, const Box& box, int reach,
                    bool spares_rim) {
  return fit_planes_of_piece(exec, FitBox<Space, Offset>(graph, box, reach),
                             {0, 0, graph.num_nodes}, spares_rim);
}

/// Puts the strides of a sample of n nodes' edges into a hash table with linear probing, whose
/// slots are 0 where empty; the last entry counts what found no slot.
template <class Space, class Offset>
struct SampleStrides {
  static constexpr Ordinal capacity = 64;
  static constexpr Ordinal sample = 4096;

  Graph<Space, Offset> graph;
  PieceOfBox piece;
  Ordinal n;
  Array<Ordinal, Space> table;  ///< length capacity + 1

  KOKKOS_FUNCTION void operator()(Ordinal s) const {
    const Ordinal v = (n <= sample ? s : static_cast<Ordinal>(hash32(s) % n)) - piece.first;
    if (v < piece.begin || v >= piece.end) return;
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k) {
      if (Kokkos::atomic_load(&table(capacity)) != 0) return;
      const Ordinal stride = Kokkos::abs(graph.columns(k) - v);
      Ordinal slot = static_cast<Ordinal>(hash32(stride) % capacity);
      int tried = 0;
      for (; tried < capacity; ++tried, slot = (slot + 1) % capacity) {
        if (Kokkos::atomic_load(&table(slot)) == stride) break;
        const Ordinal there = Kokkos::atomic_compare_exchange(&table(slot), 0, stride);
        if (there == 0 || there == stride) break;
      }
      if (tried == capacity) Kokkos::atomic_store(&table(capacity), 1);
    }
  }
};

/// `sample_strides` of a piece of a graph of n nodes: the same sample, as far as it has it.
template <class Space, class Offset>
std::optional<std::vector<Ordinal>> sample_strides_of_piece(const Space& exec,
                                                            const Graph<Space, Offset>& graph,
                                                            const PieceOfBox& piece, Ordinal n) {
  using Sample = SampleStrides<Space, Offset>;
  constexpr Ordinal capacity = Sample::capacity;
  auto table = allocate<Ordinal>(exec, "tessera::sample_strides::table", capacity + 1);
  Kokkos::deep_copy(exec, table, 0);
  Kokkos::parallel_for("tessera::sample_strides",
                       Kokkos::RangePolicy<Space>(exec, 0, std::min(n, Ordinal(Sample::sample))),
                       Sample{graph, piece, n, table});
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, table);
  Kokkos::deep_copy(exec, host, table);
  exec.fence("tessera::sample_strides");
  if (host(capacity) != 0) return std::nullopt;
  std::vector<Ordinal> strides;
  for (Ordinal slot = 0; slot < capacity; ++slot) {
    if (host(slot) != 0) strides.push_back(host(slot));
  }
  std::sort(strides.begin(), strides.end());
  return strides;
}

template <class Space, class Offset>
std::optional<std::vector<Ordinal>> sample_strides(const Space& exec,
                                                   const Graph<Space, Offset>& graph) {
  return sample_strides_of_piece(exec, graph, {0, 0, graph.num_nodes}, graph.num_nodes);
}

}  // namespace tessera::kernels
