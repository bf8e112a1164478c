// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/box_aggregation.hpp"

#include "tessera/distributed/look_at_nodes.hpp"
#include "tessera/distributed/nodes_in_order.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// The same numbers in 64 bits.
template <class Space>
Array<Global, Space> widened(const Space& exec, const Array<Ordinal, Space>& given) {
  const auto wide = allocate<Global>(exec, "tessera::distributed::boxes", given.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::boxes",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(given.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) { wide(v) = given(v); });
  exec.fence("tessera::distributed::boxes");
  return wide;
}

/// The aggregate of the first node that has one, -1 for none.
template <class Space>
Ordinal first_of(const Space& exec, const Array<Ordinal, Space>& aggregate_of) {
  const auto count = static_cast<Ordinal>(aggregate_of.extent(0));
  Ordinal node = count;
  Kokkos::parallel_reduce(
      "tessera::distributed::first_of", Kokkos::RangePolicy<Space>(exec, 0, count),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& least) {
        if (aggregate_of(v) >= 0 && v < least) least = v;
      },
      Kokkos::Min<Ordinal>(node));
  exec.fence("tessera::distributed::first_of");
  if (node >= count) return -1;
  Ordinal aggregate = -1;
  Kokkos::deep_copy(exec, aggregate, Kokkos::subview(aggregate_of, node));
  exec.fence("tessera::distributed::first_of");
  return aggregate;
}

/// How many of `count` aggregates this process has: those from its first node's on. Collective.
Ordinal own_share(const Communicator& processes, Ordinal first, Ordinal count) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::vector<std::int64_t> starts(size + 1, count);
  processes.all_gather(first, std::span(starts).first(size));
  for (std::size_t p = size; p-- > 0;)
    if (starts[p] < 0) starts[p] = starts[p + 1];
  starts[0] = 0;
  for (std::size_t p = 1; p <= size; ++p)
    starts[p] = std::max(starts[p], starts[p - 1]);
  const auto rank = static_cast<std::size_t>(processes.rank());
  return static_cast<Ordinal>(starts[rank + 1] - starts[rank]);
}

/// The same of nodes in the order of their given numbers, where these are each one's.
template <class Space>
std::optional<SharedAggregates<Space>> aggregate_in_given_order(
    const Space& exec, const NodeGraph<Space>& nodes, const std::optional<kernels::Box>& hint) {
  const auto in_order = nodes_in_given_order(exec, nodes);
  if (!in_order) return std::nullopt;
  auto made = aggregate_structured(exec, in_order->graph, hint);
  if (made) made->aggregate_of = in_order->given_back(exec, made->aggregate_of);
  return made;
}

}  // namespace

template <class Space>
std::optional<SharedAggregates<Space>> aggregate_structured(
    const Space& exec, const NodeGraph<Space>& nodes, const std::optional<kernels::Box>& hint) {
  if (nodes.nodes->size() > std::numeric_limits<Ordinal>::max()) return std::nullopt;
  if (nodes.has_given_numbers) return aggregate_in_given_order(exec, nodes, hint);
  LookAtNodes<Space> look(exec, nodes);
  const auto pieces = kernels::choose_pieces(look, 0, hint);
  if (!pieces) return std::nullopt;
  if (pieces->may_cut && look.cut_pairs(*pieces) > rules::max_cut_pairs) return std::nullopt;
  const auto first = static_cast<Ordinal>(nodes.nodes->first());
  SharedAggregates<Space> made;
  Ordinal first_aggregate = -1;
  on_all_processes(*nodes.processes, [&] {
    const auto aggregate_of = kernels::number_pieces_of(exec, look.own(), first, *pieces);
    made.aggregate_of = widened(exec, aggregate_of);
    first_aggregate = first_of(exec, aggregate_of);
  });
  made.num_own =
      own_share(*nodes.processes, first_aggregate, static_cast<Ordinal>(pieces->coarse.size()));
  made.box = pieces->coarse;
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, aggregate_structured)

}  // namespace tessera::distributed
