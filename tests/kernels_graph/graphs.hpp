// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Graphs as lists of neighbours on the host: what these tests build and check against.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <queue>

namespace tessera::test {

using Neighbours = std::vector<std::vector<Ordinal>>;

template <class Offset = std::int32_t, class Space>
kernels::Graph<Space, Offset> make_graph(const Space& exec, const Neighbours& neighbours) {
  std::vector<Offset> offsets{0};
  std::vector<Ordinal> columns;
  for (const auto& row : neighbours) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(columns.size()));
  }
  return {static_cast<Ordinal>(neighbours.size()), to_device(exec, offsets),
          to_device(exec, columns)};
}

template <class Space, class Offset>
Neighbours to_neighbours(const kernels::Graph<Space, Offset>& graph) {
  const auto offsets = to_host(graph.offsets);
  const auto columns = to_host(graph.columns);
  Neighbours neighbours(graph.num_nodes);
  for (Ordinal v = 0; v < graph.num_nodes; ++v) {
    neighbours[v].assign(columns.begin() + offsets[v], columns.begin() + offsets[v + 1]);
  }
  return neighbours;
}

/// A symmetric random graph; a `hub` of at least 0 is joined to every other node.
inline Neighbours random_graph(Ordinal n, double density, std::uint64_t seed, Ordinal hub = -1) {
  Random random(seed);
  Neighbours neighbours(n);
  for (Ordinal i = 0; i < n; ++i) {
    for (Ordinal j = 0; j < i; ++j) {
      if (random.uniform() >= density && i != hub && j != hub) continue;
      neighbours[i].push_back(j);
      neighbours[j].push_back(i);
    }
  }
  return neighbours;
}

/// Edges of one direction, not their reverse; none from every `empty_every`-th node, if that is
/// not 0.
inline Neighbours directed_graph(Ordinal n, double density, std::uint64_t seed,
                                 Ordinal empty_every = 0) {
  Random random(seed);
  Neighbours graph(n);
  for (Ordinal i = 0; i < n; ++i) {
    if (empty_every != 0 && i % empty_every == 0) continue;
    for (Ordinal j = 0; j < n; ++j) {
      if (j != i && random.uniform() < density) graph[i].push_back(j);
    }
  }
  return graph;
}

inline Neighbours reversed(const Neighbours& graph) {
  Neighbours result(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const Ordinal j : graph[i])
      result[j].push_back(static_cast<Ordinal>(i));
  }
  return result;
}

/// The graph of a stencil on a box, x fastest: `joined(dx, dy, dz)` for steps of up to 2.
inline Neighbours stencil_graph(Ordinal nx, Ordinal ny, Ordinal nz,
                                const std::function<bool(int, int, int)>& joined) {
  Neighbours neighbours(static_cast<std::size_t>(nx) * ny * nz);
  const auto inside = [](Ordinal at, Ordinal n) { return at >= 0 && at < n; };
  for (Ordinal v = 0; v < nx * ny * nz; ++v) {
    const Ordinal x = v % nx;
    const Ordinal y = v / nx % ny;
    const Ordinal z = v / (nx * ny);
    for (int dz = -2; dz <= 2; ++dz) {
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          if (dx == 0 && dy == 0 && dz == 0) continue;
          if (!inside(x + dx, nx) || !inside(y + dy, ny) || !inside(z + dz, nz)) continue;
          if (joined(dx, dy, dz)) neighbours[v].push_back(v + dx + nx * (dy + ny * dz));
        }
      }
    }
  }
  return neighbours;
}

inline bool is_star(int dx, int dy, int dz) {
  return std::abs(dx) + std::abs(dy) + std::abs(dz) == 1;
}
inline bool is_full(int dx, int dy, int dz) {
  return std::abs(dx) <= 1 && std::abs(dy) <= 1 && std::abs(dz) <= 1;
}

/// Edges to each node from the nearest of `sources`; -1 where there is no path.
inline std::vector<int> distances(const Neighbours& neighbours,
                                  const std::vector<Ordinal>& sources) {
  std::vector<int> distance(neighbours.size(), -1);
  std::queue<Ordinal> next;
  for (const Ordinal s : sources) {
    distance[s] = 0;
    next.push(s);
  }
  for (; !next.empty(); next.pop()) {
    for (const Ordinal j : neighbours[next.front()]) {
      if (distance[j] >= 0) continue;
      distance[j] = distance[next.front()] + 1;
      next.push(j);
    }
  }
  return distance;
}

/// The nodes that have a number, under it.
inline Neighbours renumbered(const Neighbours& neighbours, const std::vector<Ordinal>& number,
                             Ordinal count) {
  Neighbours result(count);
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    for (const Ordinal w : neighbours[v]) {
      if (number[v] >= 0 && number[w] >= 0) result[number[v]].push_back(number[w]);
    }
  }
  return result;
}

/// The nodes of each group; fails the running test where one is not connected within itself.
inline std::vector<std::vector<Ordinal>> connected_groups(const Neighbours& neighbours,
                                                          const std::vector<Ordinal>& group_of,
                                                          Ordinal num_groups) {
  std::vector<std::vector<Ordinal>> members(num_groups);
  Neighbours inside(neighbours.size());
  for (Ordinal v = 0; v < static_cast<Ordinal>(neighbours.size()); ++v) {
    if (group_of[v] < 0) continue;
    members.at(group_of[v]).push_back(v);
    for (const Ordinal w : neighbours[v]) {
      if (group_of[w] == group_of[v]) inside[v].push_back(w);
    }
  }
  for (const auto& group : members) {
    if (group.empty()) continue;
    const auto distance = distances(inside, {group[0]});
    for (const Ordinal v : group)
      EXPECT_GE(distance[v], 0) << "node " << v << " is not connected";
  }
  return members;
}

/// Every node with a neighbour is in an aggregate, no other is, and aggregates are connected and
/// have at least two members.
inline void expect_partition(const Neighbours& neighbours, const std::vector<Ordinal>& aggregate_of,
                             Ordinal num_aggregates) {
  ASSERT_EQ(aggregate_of.size(), neighbours.size());
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    ASSERT_EQ(aggregate_of[v] >= 0, !neighbours[v].empty()) << v;
    ASSERT_GE(aggregate_of[v], -1) << v;
    ASSERT_LT(aggregate_of[v], num_aggregates) << v;
  }
  for (const auto& group : connected_groups(neighbours, aggregate_of, num_aggregates))
    ASSERT_GE(group.size(), 2u);
}

}  // namespace tessera::test
