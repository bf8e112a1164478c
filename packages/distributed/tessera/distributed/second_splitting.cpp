// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/second_splitting.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/coarse_numbers.hpp"
#include "tessera/distributed/extended_couplings.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// What own points depend on as rows of a matrix, whose values nobody reads.
template <class Space>
LocalRows<Space> rows_of_graph(const Space& exec, const NodeGraph<Space>& points) {
  const auto& graph = points.graph;
  const auto own = static_cast<std::size_t>(points.num_own());
  const auto values =
      allocate<double>(exec, "tessera::distributed::second_splitting", graph.num_edges());
  Kokkos::deep_copy(exec, values, 1.0);
  return {points.num_own(), points.num_here(),
          Kokkos::subview(graph.offsets, std::make_pair(std::size_t(0), own + 1)), graph.columns,
          values};
}

/// Own coarse points without a path to another one stay coarse, and so do those that stayed before.
template <class Space>
Array<std::int8_t, Space> stays_again(const Space& exec, const kernels::Graph<Space, Offset>& paths,
                                      const Array<const Ordinal, Space>& coarse_number,
                                      Ordinal num_coarse, const Array<std::int8_t, Space>& stays) {
  const auto again = allocate<std::int8_t>(exec, "tessera::distributed::second_splitting::stays",
                                           static_cast<std::size_t>(num_coarse));
  Kokkos::parallel_for(
      "tessera::distributed::second_splitting::stays",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(coarse_number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal c = coarse_number(i);
        if (c < 0) return;
        const bool alone = paths.offsets(c) == paths.offsets(c + 1);
        again(c) = alone || stays(i) != 0 ? 1 : 0;
      });
  exec.fence("tessera::distributed::second_splitting::stays");
  return again;
}

/// By own point, from what is known of own coarse ones; behind them room for ghosts.
template <class Space>
Array<std::int8_t, Space> by_own_point(const Space& exec,
                                       const Array<std::int8_t, Space>& of_coarse,
                                       const Array<const Ordinal, Space>& coarse_number,
                                       Ordinal num_here) {
  const auto is_coarse =
      allocate<std::int8_t>(exec, "tessera::distributed::second_splitting::is_coarse",
                            static_cast<std::size_t>(num_here));
  Kokkos::parallel_for(
      "tessera::distributed::second_splitting::is_coarse",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(coarse_number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal c = coarse_number(i);
        is_coarse(i) = c < 0 ? std::int8_t(0) : of_coarse(c);
      });
  exec.fence("tessera::distributed::second_splitting::is_coarse");
  return is_coarse;
}

}  // namespace

template <class Space>
Array<std::int8_t, Space> split_coarse_points(const Space& exec, const SplitPoints<Space>& first,
                                              const Array<std::int8_t, Space>& stays,
                                              amg::PointSplitting how, int min_paths) {
  const NodeGraph<Space>& points = first.points;
  const Communicator& processes = *points.processes;
  LocalRows<Space> rows;
  on_all_processes(processes, [&] { rows = rows_of_graph(exec, points); });
  ExtendedCouplings<Space> couplings(CouplingsOfOthers::strong_to_coarse);
  auto strong = couplings.make_pattern(exec, rows, points, first.halo, first.is_coarse);
  const CoarseNumbers<Space> coarse(
      exec, points_of_shares<Space>(exec, points.processes, points.nodes, couplings.others()),
      first.is_coarse);
  NodeGraph<Space> second;
  second.processes = points.processes;
  second.nodes = first.coarse;
  on_all_processes(processes, [&] {
    // Rows of others are incomplete, and left out.
    const OrderedNumbers<Space>& numbers = coarse.numbers();
    const auto paths = amg::coarse_paths(
        exec, strong, amg::Splitting<Space>{coarse.own_first(exec), numbers.size()}, min_paths);
    strong = {};
    ColumnNumbers<Space> columns;
    const auto own = own_columns_first(
        exec, LocalRows<Space>{numbers.size(), numbers.size(), paths.offsets, paths.columns, {}},
        numbers.num_before, numbers.num_own, numbers, columns);
    const auto square = squared(exec, own);
    second.graph = {square.num_rows, square.offsets, square.columns};
    second.ghosts = columns.others();
    second.number = global_numbers(exec, second);
  });
  const Plan<Space> plan = halo_plan(exec, points.processes, *second.nodes, second.ghosts);
  Array<std::int8_t, Space> stays_coarse;
  on_all_processes(processes, [&] {
    second.halo = NodeHalo<Space>(plan);
    stays_coarse = stays_again(exec, second.graph, coarse.of_own(), second.num_own(), stays);
  });
  const auto of_coarse = split_points(exec, second, stays_coarse, how);
  Array<std::int8_t, Space> is_coarse;
  on_all_processes(processes, [&] {
    is_coarse = by_own_point(exec, of_coarse, coarse.of_own(), points.num_here());
  });
  points.halo.fill(exec, is_coarse);
  return is_coarse;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, split_coarse_points)

}  // namespace tessera::distributed
