// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates of one process's rows of a distributed matrix.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <cstdint>
#include <optional>

namespace tessera::distributed {

/// Groups the nodes as one process does (amg::SmoothedAggregation).
template <class Space>
kernels::Aggregates<Space> aggregates_by(const Space& exec,
                                         const kernels::Graph<Space, std::int64_t>& graph,
                                         amg::Aggregation how, std::optional<kernels::Box>& box) {
  if (how != amg::Aggregation::mis2) {
    if (const auto boxes = kernels::aggregate_structured(exec, graph, 0, box)) {
      box = boxes->coarse;
      return boxes->aggregates;
    }
  }
  box.reset();
  return kernels::aggregate_mis2(exec, graph);
}

/// A node in no aggregate that is strongly coupled to other processes' alone gets one of its own:
/// neighbours here it has none, and relaxation alone would not do. Strong is every nonzero where
/// there is no scale.
template <class Space>
void add_lone_vertices(const Space& exec, const LocalRows<Space>& A, Ordinal block_size,
                       double theta, const ArrayView<const double, Space>& scale,
                       kernels::Aggregates<Space>& aggregates) {
  const auto aggregate_of = aggregates.aggregate_of;
  const Ordinal first = aggregates.num_aggregates;
  const Ordinal num_own = A.num_rows;
  const bool has_scale = scale.extent(0) > 0;
  const auto view = A.view();
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::add_lone_vertices",
      Kokkos::RangePolicy<Space>(exec, 0, num_own / block_size),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& sum, const bool last) {
        if (aggregate_of(v) >= 0) return;
        bool is_coupled = false;
        for (std::int64_t e = view.offsets(v * block_size); e < view.offsets((v + 1) * block_size);
             ++e) {
          const Ordinal j = view.columns(e);
          if (j < num_own) continue;
          is_coupled = is_coupled || (has_scale ? kernels::is_strong(view.values(e), scale(v),
                                                                     scale(j), theta * theta)
                                                : view.values(e) != 0);
        }
        if (!is_coupled) return;
        if (last) aggregate_of(v) = first + sum;
        ++sum;
      },
      count);
  exec.fence("tessera::distributed::add_lone_vertices");
  aggregates.num_aggregates += count;
  if (count > 0) aggregates.num_members.reset();
}

}  // namespace tessera::distributed
