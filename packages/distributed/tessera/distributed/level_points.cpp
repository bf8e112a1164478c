// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_points.hpp"

#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// The nodes of unknowns, each once and in ascending order.
std::vector<Global> nodes_of(std::vector<Global> unknowns, int block_size) {
  for (Global& number : unknowns)
    number /= block_size;
  std::ranges::sort(unknowns);
  unknowns.erase(std::unique(unknowns.begin(), unknowns.end()), unknowns.end());
  return unknowns;
}

std::vector<Global> unknowns_of(const std::vector<Global>& nodes, int block_size) {
  std::vector<Global> unknowns;
  unknowns.reserve(nodes.size() * static_cast<std::size_t>(block_size));
  for (const Global node : nodes)
    for (int c = 0; c < block_size; ++c)
      unknowns.push_back(node * block_size + c);
  return unknowns;
}

}  // namespace

template <class Space>
LevelPoints<Space> points_of_shares(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                                    const std::shared_ptr<const Partition>& shares,
                                    std::vector<Partition::Global> others) {
  LevelPoints<Space> points;
  points.processes = processes;
  points.nodes = shares;
  points.ghosts = std::move(others);
  points.halo = halo_plan(exec, processes, *shares, points.ghosts);
  points.num_before = static_cast<Ordinal>(
      std::ranges::lower_bound(points.ghosts, shares->first()) - points.ghosts.begin());
  return points;
}

template <class Space>
LevelPoints<Space> level_points(const Space& exec, const LevelRows<Space>& fine, int block_size) {
  auto points = points_of_shares<Space>(
      exec, fine.processes, std::make_shared<const Partition>(*fine.processes, fine.A.num_rows),
      unknowns_of(nodes_of(fine.ghosts, block_size), block_size));
  for (const Global ghost : fine.ghosts)
    points.number_of_others.push_back(
        points.num_own() + static_cast<Ordinal>(std::ranges::lower_bound(points.ghosts, ghost) -
                                                points.ghosts.begin()));
  return points;
}

template <class Space>
LevelPoints<Space> nodes_of_points(const Space& exec, const LevelPoints<Space>& points, int block_size) {
  return points_of_shares<Space>(
      exec, points.processes,
      std::make_shared<const Partition>(*points.processes, points.num_own() / block_size),
      nodes_of(points.ghosts, block_size));
}

template <class Space>
LocalRows<Space> rows_by_points(const Space& exec, const LevelRows<Space>& fine,
                                const LevelPoints<Space>& points) {
  if (fine.A.num_rows == 0) return fine.A;
  if (fine.ghosts.empty() && kernels::rows_sorted(exec, fine.A.view())) return fine.A;
  const auto rows = renumbered_others(exec, fine.A, fine.A.num_rows, points.number_of_others,
                                      static_cast<Ordinal>(points.num_here()));
  return in_order_of_all(exec, rows, fine.A.num_rows, points.num_before);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_points)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, nodes_of_points)
#define TESSERA_INSTANTIATE_POINTS(Space)                                                  \
  template LevelPoints<Space> points_of_shares(const Space&, const std::shared_ptr<const Communicator>&, \
                                               const std::shared_ptr<const Partition>&,    \
                                               std::vector<Partition::Global>);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_POINTS)
#undef TESSERA_INSTANTIATE_POINTS
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_by_points)

}  // namespace tessera::distributed
