// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_points.hpp"

#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>

namespace tessera::distributed {

template <class Space>
LevelPoints<Space> level_points(const LevelRows<Space>& fine) {
  LevelPoints<Space> points;
  points.processes = fine.processes;
  points.nodes = std::make_shared<const Partition>(*fine.processes, fine.A.num_rows);
  points.ghosts = fine.ghosts;
  std::ranges::sort(points.ghosts);
  points.halo = halo_plan(points.processes, *points.nodes, points.ghosts);
  const auto place = [&](Partition::Global number) {
    return static_cast<Ordinal>(std::ranges::lower_bound(points.ghosts, number) -
                                points.ghosts.begin());
  };
  points.num_before = place(points.nodes->first());
  for (const auto ghost : fine.ghosts)
    points.number_of_others.push_back(points.num_own() + place(ghost));
  return points;
}

template <class Space>
LocalRows<Space> rows_by_points(const Space& exec, const LevelRows<Space>& fine,
                                const LevelPoints<Space>& points) {
  if (fine.A.num_rows == 0) return fine.A;
  if (fine.ghosts.empty() && kernels::rows_sorted(exec, fine.A.view())) return fine.A;
  const auto rows =
      renumbered_others(exec, fine.A, fine.A.num_rows, points.number_of_others, fine.A.num_cols);
  return in_order_of_all(exec, rows, fine.A.num_rows, points.num_before);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_points)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_by_points)

}  // namespace tessera::distributed
