// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of fit_box and sample_strides.
#pragma once

#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <algorithm>

namespace tessera::kernels {

/// Looks at one vertex's edges in the coordinates of a box.
template <class Space, class Offset>
struct FitBox {
  Graph<Space, Offset> graph;
  Box box;
  Ordinal plane;
  double per_nx;
  double per_plane;
  int reach;

  FitBox(const Graph<Space, Offset>& graph_, const Box& box_, int reach_)
      : graph(graph_),
        box(box_),
        plane(box_.nx * box_.ny),
        per_nx(1.0 / box_.nx),
        per_plane(1.0 / (static_cast<double>(box_.nx) * box_.ny)),
        reach(reach_) {}

  KOKKOS_FUNCTION void operator()(Ordinal v, BoxFit& sum) const {
    const Offset begin = graph.offsets(v);
    const Offset end = graph.offsets(v + 1);
    if (begin == end) return;
    const Ordinal z = v / plane;
    const Ordinal y = (v - z * plane) / box.nx;
    const Ordinal x = v - z * plane - y * box.nx;
    bool axis[3] = {false, false, false};
    bool diagonal[3] = {false, false, false};
    for (Offset k = begin; k < end; ++k) {
      Ordinal step[3];
      const bool fits = step_between(v, x, y, z, graph.columns(k), step);
      if (!fits) {
        ++sum.misfits;
        continue;
      }
      const int moved = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
      for (int d = 0; d < 3; ++d) {
        axis[d] = axis[d] || (moved == 1 && step[d] == 1);
        diagonal[d] = diagonal[d] || (moved > 1 && step[d] != 0);
      }
    }
    ++sum.active;
    add(sum, 0, x + 1 < box.nx && active(v + 1), axis, diagonal);
    add(sum, 1, y + 1 < box.ny && active(v + box.nx), axis, diagonal);
    add(sum, 2, z + 1 < box.nz && active(v + plane), axis, diagonal);
  }

 private:
  KOKKOS_FUNCTION bool active(Ordinal v) const { return graph.offsets(v) < graph.offsets(v + 1); }

  KOKKOS_FUNCTION static void add(BoxFit& sum, int d, bool pair, const bool* axis,
                                  const bool* diagonal) {
    sum.pairs[d] += pair ? 1 : 0;
    sum.axis[d] += pair && axis[d] ? 1 : 0;
    sum.diagonal[d] += diagonal[d] ? 1 : 0;
  }

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
    const Ordinal to_z = to / plane;
    const Ordinal to_y = (to - to_z * plane) / box.nx;
    step[2] = to_z - z;
    step[1] = to_y - y;
    step[0] = to - to_z * plane - to_y * box.nx - x;
    return within_reach(step);
  }

  KOKKOS_FUNCTION static bool inside(Ordinal at, Ordinal length) { return at >= 0 && at < length; }
  KOKKOS_FUNCTION bool within_reach(const Ordinal* step) const {
    return Kokkos::abs(step[0]) <= reach && Kokkos::abs(step[1]) <= reach &&
           Kokkos::abs(step[2]) <= reach;
  }
};

template <class Space, class Offset>
BoxFit fit_box(const Space& exec, const Graph<Space, Offset>& graph, const Box& box, int reach) {
  BoxFit fit;
  Kokkos::parallel_reduce("tessera::fit_box",
                          Kokkos::RangePolicy<Space>(exec, 0, graph.num_vertices),
                          FitBox<Space, Offset>(graph, box, reach), fit);
  exec.fence("tessera::fit_box");
  return fit;
}

template <class Space, class Offset>
std::optional<std::vector<Ordinal>> sample_strides(const Space& exec,
                                                   const Graph<Space, Offset>& graph) {
  constexpr Ordinal capacity = 64;
  constexpr Ordinal sample = 4096;
  // Slots of a hash table with linear probing, 0 where empty; the last entry counts what found no
  // slot.
  auto table = allocate<Ordinal>(exec, "tessera::sample_strides::table", capacity + 1);
  Kokkos::deep_copy(exec, table, 0);
  const Ordinal n = graph.num_vertices;
  Kokkos::parallel_for(
      "tessera::sample_strides", Kokkos::RangePolicy<Space>(exec, 0, std::min(n, sample)),
      KOKKOS_LAMBDA(const Ordinal s) {
        const Ordinal v = n <= sample ? s : static_cast<Ordinal>(hash32(s) % n);
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
      });
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

}  // namespace tessera::kernels
