// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_points.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// The nodes of unknowns, each once and in ascending order.
template <class Space>
GlobalNumbers<Space> nodes_of(const Space& exec, const GlobalNumbers<Space>& unknowns,
                              int block_size) {
  return sorted_once<Space>(exec, divided_numbers<Space>(exec, unknowns, block_size));
}

template <class Space>
GlobalNumbers<Space> unknowns_of(const Space& exec, const GlobalNumbers<Space>& nodes,
                                 Ordinal block_size) {
  const auto unknowns = allocate<Global>(exec, "tessera::distributed::LevelPoints::unknowns",
                                         nodes.extent(0) * static_cast<std::size_t>(block_size));
  Kokkos::parallel_for(
      "tessera::distributed::LevelPoints::unknowns",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(unknowns.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        unknowns(i) = nodes(i / block_size) * block_size + i % block_size;
      });
  exec.fence("tessera::distributed::LevelPoints");
  return unknowns;
}

}  // namespace

template <class Space>
LevelPoints<Space> points_of_shares(const Space& exec,
                                    const std::shared_ptr<const Communicator>& processes,
                                    const std::shared_ptr<const Partition>& shares,
                                    const GlobalNumbers<Space>& others) {
  LevelPoints<Space> points;
  points.processes = processes;
  points.nodes = shares;
  points.ghosts = others;
  points.halo = halo_plan(exec, processes, *shares, points.ghosts);
  on_all_processes(*processes, [&] {
    points.num_before = num_below<Space>(exec, points.ghosts, shares->first());
  });
  return points;
}

template <class Space>
LevelPoints<Space> level_points(const Space& exec, const LevelRows<Space>& fine, int block_size) {
  const auto shares = std::make_shared<const Partition>(*fine.processes, fine.A.num_rows);
  GlobalNumbers<Space> others;
  Array<Ordinal, Space> numbers;
  on_all_processes(*fine.processes, [&] {
    others = unknowns_of<Space>(exec, nodes_of<Space>(exec, fine.ghosts, block_size), block_size);
    numbers = places_among<Space>(exec, others, fine.ghosts, shares->own());
  });
  auto points = points_of_shares<Space>(exec, fine.processes, shares, others);
  points.number_of_others = numbers;
  return points;
}

template <class Space>
LevelPoints<Space> nodes_of_points(const Space& exec, const LevelPoints<Space>& points,
                                   int block_size) {
  const auto shares =
      std::make_shared<const Partition>(*points.processes, points.num_own() / block_size);
  GlobalNumbers<Space> others;
  on_all_processes(*points.processes,
                   [&] { others = nodes_of<Space>(exec, points.ghosts, block_size); });
  return points_of_shares<Space>(exec, points.processes, shares, others);
}

template <class Space>
LocalRows<Space> rows_by_points(const Space& exec, const LevelRows<Space>& fine,
                                const LevelPoints<Space>& points) {
  if (fine.A.num_rows == 0) return fine.A;
  if (fine.ghosts.extent(0) == 0 && kernels::rows_sorted(exec, fine.A.view())) return fine.A;
  const auto rows = renumbered_others(exec, fine.A, fine.A.num_rows, points.number_of_others,
                                      static_cast<Ordinal>(points.num_here()));
  return in_order_of_all(exec, rows, fine.A.num_rows, points.num_before);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_points)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, nodes_of_points)
#define TESSERA_INSTANTIATE_POINTS(Space)                       \
  template LevelPoints<Space> points_of_shares(                 \
      const Space&, const std::shared_ptr<const Communicator>&, \
      const std::shared_ptr<const Partition>&, const GlobalNumbers<Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_POINTS)
#undef TESSERA_INSTANTIATE_POINTS
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_by_points)

}  // namespace tessera::distributed
