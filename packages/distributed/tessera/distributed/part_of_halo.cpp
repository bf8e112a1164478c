// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/any_messages.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/entries_at.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

using PartNeighbours = std::vector<HaloLists::Neighbour>;

/// Before each entry, and behind the last one, how many are marked.
template <class Space>
Array<Ordinal, Space> places_of_marked(const Space& exec,
                                       const ArrayView<const std::int8_t, Space>& marks) {
  const auto count = static_cast<Ordinal>(marks.extent(0));
  const auto places =
      allocate<Ordinal>(exec, "tessera::distributed::part_of_halo::places", marks.extent(0) + 1);
  Kokkos::parallel_scan(
      "tessera::distributed::part_of_halo::places", Kokkos::RangePolicy<Space>(exec, 0, count + 1),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool is_last) {
        if (is_last) places(i) = sum;
        if (i < count && marks(i) != 0) ++sum;
      });
  exec.fence("tessera::distributed::part_of_halo");
  return places;
}

/// Of the neighbours' entries those that are marked; `total` becomes their number.
template <class Space>
PartNeighbours marked_of(const Space& exec, const PartNeighbours& neighbours,
                         const Array<Ordinal, Space>& places, Ordinal& total) {
  std::vector<Ordinal> ends{static_cast<Ordinal>(places.extent(0)) - 1};
  for (const auto& n : neighbours)
    ends.insert(ends.end(), {n.first, n.first + n.length});
  const auto at = entries_at<Ordinal, Space>(exec, places, ends);
  total = at.front();
  PartNeighbours part;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const Ordinal first = at[2 * i + 1];
    const Ordinal length = at[2 * i + 2] - first;
    if (length > 0) part.push_back({neighbours[i].process, first, length});
  }
  return part;
}

template <class Space>
Array<Ordinal, Space> marked_entries(const Space& exec, const Array<const Ordinal, Space>& entries,
                                     const ArrayView<const std::int8_t, Space>& marks,
                                     const Array<Ordinal, Space>& places, Ordinal total) {
  const auto marked = allocate<Ordinal>(exec, "tessera::distributed::part_of_halo::exports",
                                        static_cast<std::size_t>(total));
  Kokkos::parallel_for(
      "tessera::distributed::part_of_halo::exports",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(entries.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (marks(i) != 0) marked(places(i)) = entries(i);
      });
  exec.fence("tessera::distributed::part_of_halo");
  return marked;
}

}  // namespace

template <class Space>
Plan<Space> part_of_halo(const Space& exec, const CommunicationPlan<Space>& halo,
                         const NonDeduced<ArrayView<const std::int8_t, Space>>& wanted) {
  const Communicator& processes = *halo.processes;
  Array<std::int8_t, Space> asked;
  AnyMessages<Space> messages;
  on_all_processes(processes, [&] {
    asked = allocate<std::int8_t>(exec, "tessera::distributed::part_of_halo::asked",
                                  halo.exports.extent(0));
    messages.reserve(processes, wanted.extent(0), asked.extent(0));
  });
  using Parts = typename AnyMessages<Space>::Parts;
  messages.template send<std::int8_t>(exec, processes, wanted, asked, parts_of<Parts>(halo.senders),
                                      parts_of<Parts>(halo.receivers));
  auto part = std::make_shared<CommunicationPlan<Space>>();
  on_all_processes(processes, [&] {
    part->processes = halo.processes;
    part->num_source = part->num_same = halo.num_source;
    part->is_halo = true;
    Ordinal num_wanted = 0, num_asked = 0;
    part->senders =
        marked_of(exec, halo.senders, places_of_marked<Space>(exec, wanted), num_wanted);
    part->num_target = halo.num_source + num_wanted;
    part->remotes = numbers_from(exec, halo.num_source, num_wanted);
    const auto places = places_of_marked<Space>(exec, asked);
    part->receivers = marked_of(exec, halo.receivers, places, num_asked);
    part->exports = marked_entries<Space>(exec, halo.exports, asked, places, num_asked);
  });
  return part;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, part_of_halo)

}  // namespace tessera::distributed
