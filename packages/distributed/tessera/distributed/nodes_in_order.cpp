// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/nodes_in_order.hpp"

#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/row_exchange.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

template <class Space>
Array<Global, Space> own_of(const NodeGraph<Space>& nodes) {
  return Kokkos::subview(nodes.hashed, std::make_pair(Ordinal(0), nodes.num_own()));
}

/// Whether all own nodes have numbers from 0 up to that of all nodes. Collective.
template <class Space>
bool are_in_range(const Space& exec, const NodeGraph<Space>& nodes) {
  const auto given = nodes.hashed;
  const Global end = nodes.nodes->size();
  std::int64_t beside = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::NodesInOrder::range",
      Kokkos::RangePolicy<Space>(exec, 0, nodes.num_own()),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& sum) {
        sum += given(v) < 0 || given(v) >= end ? 1 : 0;
      },
      beside);
  exec.fence("tessera::distributed::NodesInOrder");
  return nodes.processes->sum_of(beside) == 0;
}

/// By number its place among the numbers from `first` on, `own` of them, and behind
/// them the `others`.
template <class Space>
Array<Ordinal, Space> places_here(const Space& exec, const ArrayView<const Global, Space>& given,
                                  Global first, Ordinal own, const GlobalNumbers<Space>& others) {
  const auto place =
      allocate<Ordinal>(exec, "tessera::distributed::NodesInOrder::place", given.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::place",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(given.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) {
        const Global number = given(v);
        place(v) = number >= first && number < first + own ? static_cast<Ordinal>(number - first)
                                                           : own + place_in(others, number);
      });
  exec.fence("tessera::distributed::NodesInOrder");
  return place;
}

/// Whether edges lead to few different numbers from a node's own, as those of a box of grid points
/// do: of own nodes at equal distances, by their given numbers. Collective.
template <class Space>
bool have_few_steps(const Space& exec, const NodeGraph<Space>& nodes) {
  constexpr Ordinal samples = 256;
  constexpr std::size_t most = 64;  // as of LookAtNodes::strides
  std::int64_t many = 0;
  on_all_processes(*nodes.processes, [&] {
    const Ordinal own = nodes.num_own();
    const Ordinal count = own < samples ? own : samples;
    if (count == 0) return;
    const auto list = allocate<Ordinal>(exec, "tessera::distributed::NodesInOrder::steps",
                                        static_cast<std::size_t>(count));
    const Ordinal distance = own / count;
    Kokkos::parallel_for(
        "tessera::distributed::NodesInOrder::samples", Kokkos::RangePolicy<Space>(exec, 0, count),
        KOKKOS_LAMBDA(const Ordinal i) { list(i) = i * distance; });
    const auto given = nodes.hashed;
    const auto graph = nodes.graph;
    const auto starts =
        starts_of<Space>(exec, listed_lengths<Space>(exec, list, nodes.graph.offsets));
    Offset num_steps = 0;
    Kokkos::deep_copy(exec, num_steps, Kokkos::subview(starts, count));
    exec.fence("tessera::distributed::NodesInOrder");
    const auto steps = allocate<Global>(exec, "tessera::distributed::NodesInOrder::steps",
                                        static_cast<std::size_t>(num_steps));
    Kokkos::parallel_for(
        "tessera::distributed::NodesInOrder::steps", Kokkos::RangePolicy<Space>(exec, 0, count),
        KOKKOS_LAMBDA(const Ordinal i) {
          const Ordinal v = list(i);
          for (Offset e = graph.offsets(v); e < graph.offsets(v + 1); ++e) {
            const Global step = given(graph.columns(e)) - given(v);
            steps(starts(i) + e - graph.offsets(v)) = step < 0 ? -step : step;
          }
        });
    exec.fence("tessera::distributed::NodesInOrder");
    many = sorted_once<Space>(exec, steps).extent(0) > most ? 1 : 0;
  });
  return nodes.processes->sum_of(many) == 0;
}

/// Whether each number is some node's, and so one's alone. Collective.
template <class Space>
bool have_each_number(const Space& exec, const NodesInOrder<Space>& made, Ordinal own,
                      const Array<Ordinal, Space>& times) {
  const auto place = made.place;
  Kokkos::deep_copy(exec, times, 0);
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::times",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(place.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) { Kokkos::atomic_inc(&times(place(v))); });
  exec.fence("tessera::distributed::NodesInOrder");
  made.halo.add_back(exec, times);
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::NodesInOrder::times", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& sum) { sum += times(v) != 1 ? 1 : 0; }, wrong);
  exec.fence("tessera::distributed::NodesInOrder");
  return made.graph.processes->sum_of(wrong) == 0;
}

/// The edges of the original own nodes as rows at their places, with the original columns. Places
/// of nodes that others have are empty rows.
template <class Space>
LocalRows<Space> rows_at_places(const Space& exec, const NodeGraph<Space>& nodes,
                                const Array<const Ordinal, Space>& place, Ordinal num_places) {
  const auto given = nodes.graph;
  const Kokkos::RangePolicy<Space> own(exec, 0, nodes.num_own());
  const auto lengths = allocate<Offset>(exec, "tessera::distributed::NodesInOrder::rows",
                                        static_cast<std::size_t>(num_places));
  Kokkos::deep_copy(exec, lengths, Offset(0));
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::lengths", own, KOKKOS_LAMBDA(const Ordinal v) {
        lengths(place(v)) = given.offsets(v + 1) - given.offsets(v);
      });
  const auto offsets = starts_of<Space>(exec, lengths);
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::NodesInOrder::rows", given.num_edges());
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::rows", own, KOKKOS_LAMBDA(const Ordinal v) {
        Offset out = offsets(place(v));
        for (Offset e = given.offsets(v); e < given.offsets(v + 1); ++e)
          columns(out++) = given.columns(e);
      });
  exec.fence("tessera::distributed::NodesInOrder");
  return {num_places, nodes.num_here(), offsets, columns, {}};
}

/// Edges of nodes here by the numbers of what they lead to.
template <class Space>
struct NumberedEdges {
  Array<Offset, Space> offsets;
  Array<Global, Space> numbers;
};

/// Rows that stayed, whose columns are `given` numbers, and those that have come for `come_for`.
template <class Space>
NumberedEdges<Space> joined_edges(const Space& exec, const LocalRows<Space>& stayed, Ordinal own,
                                  const Array<const Global, Space>& given,
                                  const typename CommunicationPlan<Space>::List& come_for,
                                  const typename RowExchange<Space>::Received& come) {
  const auto offsets = stayed.offsets;
  const auto columns = stayed.columns;
  const auto come_offsets = come.offsets;
  const auto come_columns = come.columns;
  const Kokkos::RangePolicy<Space> rows(exec, 0, own);
  const Kokkos::RangePolicy<Space> others(exec, 0, come.num_rows());
  const auto lengths = allocate<Offset>(exec, "tessera::distributed::NodesInOrder::edges",
                                        static_cast<std::size_t>(own));
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::lengths", rows,
      KOKKOS_LAMBDA(const Ordinal v) { lengths(v) = offsets(v + 1) - offsets(v); });
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::lengths", others, KOKKOS_LAMBDA(const Ordinal i) {
        lengths(come_for(i)) = come_offsets(i + 1) - come_offsets(i);
      });
  NumberedEdges<Space> made;
  made.offsets = starts_of<Space>(exec, lengths);
  Offset num_edges = 0;
  Kokkos::deep_copy(exec, num_edges, Kokkos::subview(made.offsets, own));
  exec.fence("tessera::distributed::NodesInOrder");
  made.numbers = allocate<Global>(exec, "tessera::distributed::NodesInOrder::edges",
                                  static_cast<std::size_t>(num_edges));
  const auto starts = made.offsets;
  const auto numbers = made.numbers;
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::edges", rows, KOKKOS_LAMBDA(const Ordinal v) {
        Offset out = starts(v);
        for (Offset e = offsets(v); e < offsets(v + 1); ++e)
          numbers(out++) = given(columns(e));
      });
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::edges", others, KOKKOS_LAMBDA(const Ordinal i) {
        Offset out = starts(come_for(i));
        for (Offset e = come_offsets(i); e < come_offsets(i + 1); ++e)
          numbers(out++) = come_columns(e);
      });
  exec.fence("tessera::distributed::NodesInOrder");
  return made;
}

/// Own nodes first, and behind them what their edges lead to of others.
template <class Space>
void take_edges(const Space& exec, const NumberedEdges<Space>& edges, NodeGraph<Space>& made) {
  const Ordinal own = made.num_own();
  const Global first = made.nodes->first();
  made.ghosts = numbers_of_others<Space>(exec, edges.numbers, first, own);
  const auto columns = places_here<Space>(exec, edges.numbers, first, own, made.ghosts);
  const Ordinal here = made.num_here();
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::NodesInOrder::graph",
                                        static_cast<std::size_t>(here) + 1);
  const auto starts = edges.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::graph", Kokkos::RangePolicy<Space>(exec, 0, here + 1),
      KOKKOS_LAMBDA(const Ordinal v) { offsets(v) = starts(v < own ? v : own); });
  exec.fence("tessera::distributed::NodesInOrder");
  made.graph = {here, offsets, columns};
  made.number = made.hashed = global_numbers(exec, made);
}

}  // namespace

template <class Space>
Array<Global, Space> NodesInOrder<Space>::given_back(
    const Space& exec, const Array<Global, Space>& of_nodes_here) const {
  Array<Global, Space> all, returned;
  const auto own = static_cast<std::size_t>(graph.num_own());
  const auto num_places = back == nullptr ? own : static_cast<std::size_t>(back->num_target);
  on_all_processes(*graph.processes, [&] {
    all = allocate<Global>(exec, "tessera::distributed::NodesInOrder::given_back", num_places);
    returned =
        allocate<Global>(exec, "tessera::distributed::NodesInOrder::given_back", place.extent(0));
  });
  Kokkos::deep_copy(exec, Kokkos::subview(all, std::make_pair(std::size_t(0), own)), of_nodes_here);
  halo.fill(exec, all);
  const auto at = place;
  Kokkos::parallel_for(
      "tessera::distributed::NodesInOrder::given_back",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(at.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) { returned(v) = all(at(v)); });
  exec.fence("tessera::distributed::NodesInOrder");
  return returned;
}

template <class Space>
std::optional<NodesInOrder<Space>> nodes_in_given_order(const Space& exec,
                                                        const NodeGraph<Space>& nodes) {
  if (!are_in_range(exec, nodes) || !have_few_steps(exec, nodes)) return std::nullopt;
  const Communicator& processes = *nodes.processes;
  const Partition& shares = *nodes.nodes;
  const Ordinal own = shares.own();
  NodesInOrder<Space> made;
  made.graph.processes = nodes.processes;
  made.graph.nodes = nodes.nodes;
  GlobalNumbers<Space> others;
  on_all_processes(processes, [&] {
    others = numbers_of_others<Space>(exec, own_of(nodes), shares.first(), own);
    made.place = places_here<Space>(exec, own_of(nodes), shares.first(), own, others);
  });
  made.back = halo_plan<Space>(exec, nodes.processes, shares, others);
  const auto num_places = own + static_cast<Ordinal>(others.extent(0));
  using Exchange = RowExchange<Space>;
  Array<Ordinal, Space> times;
  LocalRows<Space> rows;
  Exchange exchange;
  on_all_processes(processes, [&] {
    made.halo = NodeHalo<Space>(made.back);
    times = allocate<Ordinal>(exec, "tessera::distributed::NodesInOrder::times",
                              static_cast<std::size_t>(num_places));
  });
  if (!have_each_number(exec, made, own, times)) return std::nullopt;
  on_all_processes(processes, [&] {
    exchange = Exchange(made.back, Exchange::Direction::backward);
    rows = rows_at_places<Space>(exec, nodes, made.place, num_places);
  });
  ColumnNumbers<Space> numbers;
  on_all_processes(processes, [&] { numbers = ColumnNumbers<Space>(exec, 0, 0, nodes.hashed); });
  const auto come = exchange.pattern(exec, rows, numbers);
  on_all_processes(processes, [&] {
    take_edges(exec,
               joined_edges<Space>(exec, rows, own, nodes.hashed, exchange.received_rows(), come),
               made.graph);
  });
  return made;
}

#define TESSERA_INSTANTIATE_NODES_IN_ORDER(Space)                                \
  template struct NodesInOrder<Space>;                                           \
  template std::optional<NodesInOrder<Space>> nodes_in_given_order(const Space&, \
                                                                   const NodeGraph<Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_NODES_IN_ORDER)
#undef TESSERA_INSTANTIATE_NODES_IN_ORDER

}  // namespace tessera::distributed
