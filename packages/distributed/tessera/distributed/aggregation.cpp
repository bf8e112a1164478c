// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/aggregation.hpp"

#include "tessera/distributed/box_aggregation.hpp"
#include "tessera/distributed/independent_set.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace tessera::distributed {
namespace aggregation_detail {

/// What the members of aggregates are counted and numbered in, by node here; made in a step of all
/// processes.
template <class Space>
struct Numbering {
  Array<Ordinal, Space> place;  ///< of own nodes
  Array<Partition::Global, Space> of_root, aggregate_of;
  Array<Ordinal, Space> members, size;
  Array<Partition::Global, Space> given;  ///< numbers of roots, where nodes have such

  Numbering(const Space& exec, const NodeGraph<Space>& nodes)
      : place(allocate<Ordinal>(exec, "tessera::distributed::number", nodes.num_own())),
        of_root(
            allocate<Partition::Global>(exec, "tessera::distributed::of_root", nodes.num_here())),
        aggregate_of(allocate<Partition::Global>(exec, "tessera::distributed::aggregate_of",
                                                 nodes.num_here())),
        members(allocate<Ordinal>(exec, "tessera::distributed::members", nodes.num_here())),
        size(allocate<Ordinal>(exec, "tessera::distributed::sizes", nodes.num_here())) {
    if (nodes.has_given_numbers)
      given = allocate<Partition::Global>(exec, "tessera::distributed::given", nodes.num_here());
  }
};

}  // namespace aggregation_detail
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;
using aggregation_detail::Numbering;
using kernels::no_root;

/// By node here its root, a node here, too; of ghosts nothing. Both phases of
/// kernels::aggregate_mis2, and the hubs.
template <class Space>
Array<Ordinal, Space> find_roots(const Space& exec, const NodeGraph<Space>& nodes,
                                 const GlobalHubTest<Space>& is_hub) {
  const auto graph = nodes.graph;
  const auto here = static_cast<std::size_t>(nodes.num_here());
  Array<Ordinal, Space> root_of;
  Array<std::int8_t, Space> candidate;
  std::unique_ptr<SetRounds<Space>> rounds;
  on_all_processes(*nodes.processes, [&] {
    root_of = allocate<Ordinal>(exec, "tessera::distributed::root_of", here);
    candidate = allocate<std::int8_t>(exec, "tessera::distributed::candidate", here);
    rounds = std::make_unique<SetRounds<Space>>(exec, nodes);
  });
  const Array<std::int8_t, Space> roots = rounds->chosen;
  Kokkos::deep_copy(exec, root_of, no_root);
  for (int phase = 0; phase < 2; ++phase) {
    kernels::mark_candidates(exec, graph, root_of, candidate);
    nodes.halo.fill(exec, candidate);
    independent_set(exec, nodes, candidate, static_cast<std::uint32_t>(phase), *rounds);
    if (phase == 1) {
      kernels::drop_lonely_roots(exec, graph, candidate, 2, roots);
      nodes.halo.fill(exec, roots);
    }
    kernels::join_roots(exec, graph, candidate, roots, root_of);
  }
  Kokkos::parallel_for(
      "tessera::distributed::hubs", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_own()),
      KOKKOS_LAMBDA(const Ordinal v) {
        const bool isolated = graph.offsets(v) == graph.offsets(v + 1);
        if (isolated && is_hub(v)) root_of(v) = v;
      });
  exec.fence("tessera::distributed::find_roots");
  return root_of;
}

/// As `aggregate_of` the number of each node's root's aggregate, -1 for none. Own aggregates, of
/// which each has its root here, are `num_own` from `first` on.
template <class Space>
void number_aggregates(const Space& exec, const NodeGraph<Space>& nodes,
                       const Array<Ordinal, Space>& root_of, const Numbering<Space>& made,
                       Ordinal& num_own, Global& first) {
  const Ordinal own = nodes.num_own();
  const Array<Ordinal, Space> own_roots = Kokkos::subview(root_of, std::make_pair(Ordinal(0), own));
  const auto place = made.place;
  num_own = kernels::number_roots(exec, own_roots, place);
  const Global begin = first = Partition(*nodes.processes, num_own).first();
  const auto of_root = made.of_root;
  Kokkos::parallel_for(
      "tessera::distributed::of_root", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) { of_root(v) = root_of(v) == v ? begin + place(v) : -1; });
  nodes.halo.fill(exec, of_root);
  const auto aggregate_of = made.aggregate_of;
  Kokkos::parallel_for(
      "tessera::distributed::aggregate_of", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) {
        aggregate_of(v) = root_of(v) == no_root ? -1 : of_root(root_of(v));
      });
  nodes.halo.fill(exec, aggregate_of);
  if (!nodes.has_given_numbers) return;
  const auto given = made.given;
  const auto hashed = nodes.hashed;
  Kokkos::parallel_for(
      "tessera::distributed::given", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) {
        given(v) = root_of(v) == no_root ? -1 : hashed(root_of(v));
      });
  nodes.halo.fill(exec, given);
}

/// As `size` how many nodes each node's root's aggregate has; 0 without one.
template <class Space>
void count_members(const Space& exec, const NodeGraph<Space>& nodes,
                   const Array<Ordinal, Space>& root_of, const Numbering<Space>& made) {
  const Ordinal own = nodes.num_own();
  const auto members = made.members;
  Kokkos::deep_copy(exec, members, 0);
  Kokkos::parallel_for(
      "tessera::distributed::members", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (root_of(v) != no_root) Kokkos::atomic_inc(&members(root_of(v)));
      });
  nodes.halo.add_back(exec, members);
  nodes.halo.fill(exec, members);
  const auto size = made.size;
  Kokkos::parallel_for(
      "tessera::distributed::sizes", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) {
        size(v) = root_of(v) == no_root ? 0 : members(root_of(v));
      });
  nodes.halo.fill(exec, size);
}

/// Numbers from 0 on of the aggregates that nodes here are in, in the order of their numbers among
/// all.
template <class Space>
struct NumbersHere {
  Array<Global, Space> number;  ///< among all
  Array<Ordinal, Space> aggregate_of;
  Array<Ordinal, Space> sizes;
};

template <class Space>
NumbersHere<Space> numbers_here(const Space& exec, const Array<Global, Space>& aggregate_of,
                                const Array<Ordinal, Space>& size, Ordinal num_own, Global first) {
  NumbersHere<Space> made;
  const auto others = numbers_of_others<Space>(exec, aggregate_of, first, num_own);
  const Ordinal below = num_below<Space>(exec, others, first);
  made.number = allocate<Global>(exec, "tessera::distributed::numbers_here",
                                 others.extent(0) + static_cast<std::size_t>(num_own));
  const auto number = made.number;
  Kokkos::parallel_for(
      "tessera::distributed::numbers_here",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal g) {
        number(g) = g < below             ? others(g)
                    : g < below + num_own ? first + (g - below)
                                          : others(g - num_own);
      });
  const auto here = allocate<Ordinal>(exec, "tessera::distributed::numbers_here", size.extent(0));
  const auto sizes =
      allocate<Ordinal>(exec, "tessera::distributed::numbers_here", made.number.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::numbers_here",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(here.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) {
        const Global aggregate = aggregate_of(v);
        here(v) = no_root;
        if (aggregate < 0) return;
        if (aggregate >= first && aggregate < first + num_own) {
          here(v) = below + static_cast<Ordinal>(aggregate - first);
        } else {
          here(v) = place_in(others, aggregate) + (aggregate < first ? 0 : num_own);
        }
        Kokkos::atomic_store(&sizes(here(v)), size(v));  // every node of an aggregate says the same
      });
  exec.fence("tessera::distributed::numbers_here");
  made.aggregate_of = here;
  made.sizes = sizes;
  return made;
}

/// The aggregates in the order of their roots' given numbers instead, each of which is another.
template <class Space>
void order_by_given(const Space& exec, const Array<Global, Space>& given,
                    NumbersHere<Space>& numbers) {
  const auto number = numbers.number;
  const auto sizes = numbers.sizes;
  const auto aggregate_of = numbers.aggregate_of;
  const auto count = static_cast<Ordinal>(number.extent(0));
  const auto of_root = allocate<Global>(exec, "tessera::distributed::given", number.extent(0));
  const Kokkos::RangePolicy<Space> nodes(exec, 0, static_cast<Ordinal>(aggregate_of.extent(0)));
  const Kokkos::RangePolicy<Space> aggregates(exec, 0, count);
  Kokkos::parallel_for(
      "tessera::distributed::given", nodes, KOKKOS_LAMBDA(const Ordinal v) {
        if (aggregate_of(v) != no_root) Kokkos::atomic_store(&of_root(aggregate_of(v)), given(v));
      });
  const auto ascending = allocate<Global>(exec, "tessera::distributed::given", number.extent(0));
  Kokkos::deep_copy(exec, ascending, of_root);
  const auto sorted = sorted_once<Space>(exec, ascending);
  const auto ordered =
      allocate<Global>(exec, "tessera::distributed::numbers_here", number.extent(0));
  const auto ordered_sizes =
      allocate<Ordinal>(exec, "tessera::distributed::numbers_here", number.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::numbers_here", aggregates, KOKKOS_LAMBDA(const Ordinal g) {
        const Ordinal place = place_in(sorted, of_root(g));
        ordered(place) = number(g);
        ordered_sizes(place) = sizes(g);
      });
  Kokkos::parallel_for(
      "tessera::distributed::numbers_here", nodes, KOKKOS_LAMBDA(const Ordinal v) {
        if (aggregate_of(v) != no_root)
          aggregate_of(v) = place_in(sorted, of_root(aggregate_of(v)));
      });
  exec.fence("tessera::distributed::numbers_here");
  numbers.number = ordered;
  numbers.sizes = ordered_sizes;
}

/// What is in no aggregate yet joins one of its neighbours', as on one process.
template <class Space>
void join_neighbours(const Space& exec, const NodeGraph<Space>& nodes, const Numbering<Space>& made,
                     Ordinal num_own, Global first) {
  const Ordinal own = nodes.num_own();
  const auto aggregate_of = made.aggregate_of;
  auto before = numbers_here(exec, aggregate_of, made.size, num_own, first);
  if (nodes.has_given_numbers) order_by_given(exec, made.given, before);
  const auto after = allocate<Ordinal>(exec, "tessera::distributed::after",
                                       static_cast<std::size_t>(nodes.num_here()));
  Kokkos::deep_copy(exec, after, before.aggregate_of);
  Kokkos::parallel_for("tessera::distributed::join_neighbours",
                       Kokkos::RangePolicy<Space>(exec, 0, own),
                       kernels::JoinNeighbours<Space, Offset>{nodes.graph, before.aggregate_of,
                                                              before.sizes, after});
  const auto number = before.number;
  Kokkos::parallel_for(
      "tessera::distributed::joined", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) {
        aggregate_of(v) = after(v) == no_root ? -1 : number(after(v));
      });
  exec.fence("tessera::distributed::join_neighbours");
}

/// Hubs that nothing is strongly coupled to.
template <class Space>
std::int64_t num_lone_hubs(const Space& exec, const NodeGraph<Space>& nodes,
                           const GlobalHubTest<Space>& is_hub) {
  const auto graph = nodes.graph;
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::lone_hubs", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_own()),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& sum) {
        sum += graph.offsets(v) == graph.offsets(v + 1) && is_hub(v) ? 1 : 0;
      },
      count);
  exec.fence("tessera::distributed::lone_hubs");
  return count;
}

}  // namespace

template <class Space>
SharedAggregates<Space> aggregate_mis2(const Space& exec, const NodeGraph<Space>& nodes,
                                       const GlobalHubTest<Space>& is_hub) {
  SharedAggregates<Space> made;
  const auto root_of = find_roots(exec, nodes, is_hub);
  std::unique_ptr<Numbering<Space>> numbering;
  on_all_processes(*nodes.processes,
                   [&] { numbering = std::make_unique<Numbering<Space>>(exec, nodes); });
  Global first = 0;
  number_aggregates(exec, nodes, root_of, *numbering, made.num_own, first);
  count_members(exec, nodes, root_of, *numbering);
  const Array<Global, Space> all = numbering->aggregate_of;
  on_all_processes(*nodes.processes,
                   [&] { join_neighbours(exec, nodes, *numbering, made.num_own, first); });
  made.aggregate_of = Kokkos::subview(all, std::make_pair(Ordinal(0), nodes.num_own()));
  return made;
}

template <class Space>
SharedAggregates<Space> aggregates_of(const Space& exec, const NodeGraph<Space>& nodes,
                                      amg::Aggregation how, const std::optional<kernels::Box>& hint,
                                      const GlobalHubTest<Space>& is_hub) {
  // Hubs would be aggregates behind those of a box, whose numbers are no process's share.
  if (how != amg::Aggregation::mis2 &&
      nodes.processes->sum_of(num_lone_hubs(exec, nodes, is_hub)) == 0) {
    if (auto boxes = aggregate_structured(exec, nodes, hint)) return *boxes;
  }
  return aggregate_mis2(exec, nodes, is_hub);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, aggregate_mis2)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, aggregates_of)

}  // namespace tessera::distributed
