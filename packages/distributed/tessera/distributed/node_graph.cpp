// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/node_graph.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;
template <class Space>
using Graph = kernels::Graph<Space, Offset>;

/// The nodes of other processes' columns, in ascending order.
template <class Space>
GlobalNumbers<Space> ghosts_of(const Space& exec, const LevelRows<Space>& fine) {
  auto of_rows =
      sorted_once<Space>(exec, divided_numbers<Space>(exec, fine.ghosts, fine.block_size));
  if (fine.transposed == nullptr) return of_rows;
  return united<Space>(exec, of_rows,
                       divided_numbers<Space>(exec, fine.transposed->rows.ghosts, fine.block_size));
}

/// The numbers here of other processes' columns behind `own` ones, a node's next to each other;
/// `are_in_order` becomes whether they are those that the columns have anyway.
template <class Space>
Array<Ordinal, Space> numbers_by_node(const Space& exec, const GlobalNumbers<Space>& columns,
                                      const GlobalNumbers<Space>& nodes, Ordinal own, int b,
                                      bool& are_in_order) {
  const auto numbers =
      allocate<Ordinal>(exec, "tessera::distributed::NodeGraph::numbers", columns.extent(0));
  int differ = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::NodeGraph::numbers",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(columns.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i, int& found) {
        numbers(i) =
            own + place_in(nodes, columns(i) / b) * b + static_cast<Ordinal>(columns(i) % b);
        if (numbers(i) != own + i) found = 1;
      },
      Kokkos::Max<int>(differ));
  exec.fence("tessera::distributed::NodeGraph");
  are_in_order = differ <= 0;
  return numbers;
}

/// The rows with columns numbered by the nodes here, a node's next to each other; ghosts have empty
/// rows.
template <class Space>
LocalRows<Space> rows_by_node(const Space& exec, const LevelRows<Space>& rows,
                              const GlobalNumbers<Space>& ghosts) {
  const Ordinal b = rows.block_size;
  const Ordinal own = rows.A.num_rows;
  bool are_in_order = false;
  const auto number_of_others =
      numbers_by_node<Space>(exec, rows.ghosts, ghosts, own, b, are_in_order);
  const auto all = own + static_cast<Ordinal>(ghosts.extent(0)) * b;
  LocalRows<Space> numbered = rows.A;
  numbered.num_cols = all;
  if (!are_in_order) numbered = renumbered_others(exec, rows.A, own, number_of_others, all);
  return squared(exec, numbered);
}

/// The level's own plan where that is by nodes already, else one that is made. Collective.
template <class Space>
Plan<Space> plan_of_nodes(const Space& exec, const LevelRows<Space>& fine, const Partition& nodes,
                          const GlobalNumbers<Space>& ghosts) {
  const Plan<Space>& plan = fine.halo.plan();
  const bool serves = fine.block_size == 1 && plan != nullptr && plan->is_halo &&
                      are_same<Space>(exec, fine.ghosts, ghosts);
  if (fine.processes->minimum_of(serves ? 1 : 0) > 0) return plan;
  return halo_plan(exec, fine.processes, nodes, ghosts);
}

template <class Space>
Graph<Space> no_edges(const Space& exec, Ordinal num_nodes) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::NodeGraph::offsets",
                                        static_cast<std::size_t>(num_nodes) + 1);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  return {num_nodes, offsets, {}};
}

/// The edges of both, some of them twice.
template <class Space>
Graph<Space> both(const Space& exec, const Graph<Space>& a, const Graph<Space>& b) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::NodeGraph::offsets",
                                        static_cast<std::size_t>(a.num_nodes) + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::NodeGraph::columns",
                                         a.num_edges() + b.num_edges());
  Kokkos::parallel_for(
      "tessera::distributed::NodeGraph::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, a.num_nodes + 1),
      KOKKOS_LAMBDA(const Ordinal v) { offsets(v) = a.offsets(v) + b.offsets(v); });
  Kokkos::parallel_for(
      "tessera::distributed::NodeGraph::columns", Kokkos::RangePolicy<Space>(exec, 0, a.num_nodes),
      KOKKOS_LAMBDA(const Ordinal v) {
        Offset out = offsets(v);
        for (Offset k = a.offsets(v); k < a.offsets(v + 1); ++k)
          columns(out++) = a.columns(k);
        for (Offset k = b.offsets(v); k < b.offsets(v + 1); ++k)
          columns(out++) = b.columns(k);
      });
  exec.fence("tessera::distributed::NodeGraph");
  return {a.num_nodes, offsets, columns};
}

/// The given numbers of the own nodes' first rows, as `numbers`. Where those are multiples of the
/// block size everywhere, nodes are numbered as on one process. Collective.
template <class Space>
void take_given_numbers(const Space& exec, const LevelRows<Space>& fine,
                        const GlobalNumbers<Space>& given, Ordinal own,
                        const Array<Global, Space>& numbers) {
  const Ordinal b = fine.block_size;
  std::int64_t odd = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::given_numbers", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& sum) { sum += given(v * b) % b != 0 ? 1 : 0; },
      odd);
  exec.fence("tessera::distributed::given_numbers");
  const Ordinal divisor = fine.processes->sum_of(odd) == 0 ? b : 1;
  Kokkos::parallel_for(
      "tessera::distributed::given_numbers", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) { numbers(v) = given(v * b) / divisor; });
}

}  // namespace

template <class Space>
Array<Partition::Global, Space> global_numbers(const Space& exec, const NodeGraph<Space>& graph) {
  const auto number = allocate<Global>(exec, "tessera::distributed::NodeGraph::number",
                                       static_cast<std::size_t>(graph.num_here()));
  const auto ghosts = graph.ghosts;
  const Ordinal own = graph.num_own();
  const Global first = graph.nodes->first();
  Kokkos::parallel_for(
      "tessera::distributed::NodeGraph::number",
      Kokkos::RangePolicy<Space>(exec, 0, graph.num_here()),
      KOKKOS_LAMBDA(const Ordinal v) { number(v) = v < own ? first + v : ghosts(v - own); });
  exec.fence("tessera::distributed::NodeGraph");
  return number;
}

template <class Space>
NodeGraph<Space> node_graph(const Space& exec, const LevelRows<Space>& fine,
                            const Strength<Space>& strength) {
  const Communicator& processes = *fine.processes;
  const int b = fine.block_size;
  const Ordinal own = fine.A.num_rows / b;
  NodeGraph<Space> made;
  made.processes = fine.processes;
  made.nodes = std::make_shared<const Partition>(processes, own);
  made.has_given_numbers = fine.given_numbers.has_value();
  on_all_processes(processes, [&] { made.ghosts = ghosts_of(exec, fine); });
  const Plan<Space> plan = plan_of_nodes(exec, fine, *made.nodes, made.ghosts);
  const Ordinal here = made.num_here();
  LocalRows<Space> A;
  LocalRows<Space> At;
  Array<double, Space> scale;
  on_all_processes(processes, [&] {
    made.halo = NodeHalo<Space>(plan);
    scale = allocate<double>(exec, "tessera::distributed::scale", here);
    made.number = made.hashed = global_numbers(exec, made);
    if (fine.given_numbers)
      made.hashed = allocate<Global>(exec, "tessera::distributed::NodeGraph::hashed", here);
    if (own == 0) return;
    A = rows_by_node(exec, fine, made.ghosts);
    if (fine.transposed != nullptr) At = rows_by_node(exec, fine.transposed->rows, made.ghosts);
    if (strength.theta == 0) return;
    if (b > 1) {
      scale = kernels::coupling_scale(exec, A.view(), strength.measure, b, strength.longest);
    } else {
      Kokkos::deep_copy(exec, Kokkos::subview(scale, std::make_pair(Ordinal(0), own)),
                        strength.scale);
    }
  });
  if (strength.theta > 0) made.halo.fill(exec, scale);
  if (fine.given_numbers) {
    take_given_numbers<Space>(exec, fine, *fine.given_numbers, own, made.hashed);
    made.halo.fill(exec, made.hashed);
  }
  on_all_processes(processes, [&] {
    made.graph = no_edges(exec, here);
    if (own == 0) return;
    const auto strong = [&](const LocalRows<Space>& rows) {
      return kernels::strength_of_connection(exec, rows.view(), strength.theta, scale, b);
    };
    made.graph = strong(A);
    // Of two upwind neighbours one alone sees the other, and aggregates are of a symmetric graph.
    if (fine.transposed != nullptr)
      made.graph = kernels::symmetrize(exec, both(exec, made.graph, strong(At)));
    exec.fence("tessera::distributed::NodeGraph");
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, global_numbers)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, node_graph)

}  // namespace tessera::distributed
