// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/any_messages.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/sorted_numbers.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// For each process how many of the numbers are below the end of its share. By itself, for nvcc
/// takes no such loop in a branch at compile time.
template <class Space>
std::vector<Ordinal> search_ends(const Space& exec, const GlobalNumbers<Space>& ghosts,
                                 const std::vector<Global>& ends_of_shares) {
  const auto bounds = from_host(exec, ends_of_shares);
  const auto places =
      allocate<Ordinal>(exec, "tessera::distributed::halo_plan::ends", ends_of_shares.size());
  Kokkos::parallel_for(
      "tessera::distributed::halo_plan::ends",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(ends_of_shares.size())),
      KOKKOS_LAMBDA(const Ordinal p) { places(p) = place_in(ghosts, bounds(p)); });
  return to_host(exec, places);
}

/// By process how many of the numbers, which ascend, it has.
template <class Space>
std::vector<std::int64_t> numbers_by_process(const Space& exec, const Partition& columns,
                                             const GlobalNumbers<Space>& ghosts) {
  std::vector<Global> ends_of_shares;
  for (int p = 0; p < columns.processes(); ++p)
    ends_of_shares.push_back(columns.first(p) + columns.own(p));
  std::vector<Ordinal> ends(ends_of_shares.size(), 0);
  if constexpr (kernels::is_host_space<Space>) {
    const Global* const begin = ghosts.data();
    std::ranges::transform(ends_of_shares, ends.begin(), [&](Global end) {
      return static_cast<Ordinal>(std::lower_bound(begin, begin + ghosts.extent(0), end) - begin);
    });
  } else if (ghosts.extent(0) > 0) {
    ends = search_ends<Space>(exec, ghosts, ends_of_shares);
  }
  std::vector<std::int64_t> counts(ends.size());
  std::adjacent_difference(ends.begin(), ends.end(), counts.begin());
  return counts;
}

/// The numbers that others ask for as those of own columns.
template <class Space>
void number_exports(const Space& exec, const GlobalNumbers<Space>& asked, Global first,
                    const Array<Ordinal, Space>& exports) {
  Kokkos::parallel_for(
      "tessera::distributed::halo_plan::exports",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(asked.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { exports(i) = static_cast<Ordinal>(asked(i) - first); });
  exec.fence("tessera::distributed::halo_plan");
}

template <class Space>
std::shared_ptr<CommunicationPlan<Space>> begun_halo(
    const std::shared_ptr<const Communicator>& processes, const Partition& columns,
    std::size_t num_ghosts) {
  auto plan = std::make_shared<CommunicationPlan<Space>>();
  plan->processes = processes;
  plan->num_source = plan->num_same = columns.own();
  plan->num_target = columns.own() + static_cast<Ordinal>(num_ghosts);
  plan->is_halo = true;
  return plan;
}

}  // namespace

template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const NonDeduced<GlobalNumbers<Space>>& ghosts) {
  if (processes->size() == 1) return nullptr;
  auto plan = begun_halo<Space>(processes, columns, ghosts.extent(0));
  std::vector<std::int64_t> wanted, asked(static_cast<std::size_t>(processes->size()), 0);
  on_all_processes(*processes, [&] { wanted = numbers_by_process<Space>(exec, columns, ghosts); });
  plan->senders = neighbours_of(wanted);
  processes->all_to_all(wanted, asked);
  plan->receivers = neighbours_of(asked);

  Array<Global, Space> numbers;
  Array<Ordinal, Space> exports;
  AnyMessages<Space> messages;
  on_all_processes(*processes, [&] {
    const auto num_asked =
        static_cast<std::size_t>(std::accumulate(asked.begin(), asked.end(), std::int64_t(0)));
    numbers = allocate<Global>(exec, "tessera::distributed::halo_plan::numbers", num_asked);
    exports = allocate<Ordinal>(exec, "tessera::distributed::halo_plan::exports", num_asked);
    plan->remotes = numbers_from(exec, columns.own(), static_cast<Ordinal>(ghosts.extent(0)));
    messages.reserve(*processes, ghosts.extent(0) * sizeof(Global), num_asked * sizeof(Global));
  });
  using Parts = typename AnyMessages<Space>::Parts;
  messages.template send<Global>(exec, *processes, ghosts, numbers, parts_of<Parts>(plan->senders),
                                 parts_of<Parts>(plan->receivers));
  number_exports<Space>(exec, numbers, columns.first(), exports);
  plan->exports = exports;
  return plan;
}

template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const std::vector<Global>& ghosts) {
  if (processes->size() == 1) return nullptr;
  GlobalNumbers<Space> copy;
  on_all_processes(*processes, [&] { copy = from_host(exec, ghosts); });
  return halo_plan<Space>(exec, processes, columns, copy);
}

template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const HaloLists& lists) {
  if (processes->size() == 1) return nullptr;
  std::size_t num_ghosts = 0;
  for (const auto& sender : lists.senders)
    num_ghosts += static_cast<std::size_t>(sender.length);
  auto plan = begun_halo<Space>(processes, columns, num_ghosts);
  plan->receivers = lists.receivers;
  plan->senders = lists.senders;
  on_all_processes(*processes, [&] {
    plan->exports = shared_from_host(exec, lists.exports);
    plan->remotes = numbers_from(exec, columns.own(), static_cast<Ordinal>(num_ghosts));
  });
  return plan;
}

#define TESSERA_INSTANTIATE_HALO_PLAN(Space)                                                 \
  template Plan<Space> halo_plan(const Space&, const std::shared_ptr<const Communicator>&,   \
                                 const Partition&, const NonDeduced<GlobalNumbers<Space>>&); \
  template Plan<Space> halo_plan(const Space&, const std::shared_ptr<const Communicator>&,   \
                                 const Partition&, const std::vector<Global>&);              \
  template Plan<Space> halo_plan(const Space&, const std::shared_ptr<const Communicator>&,   \
                                 const Partition&, const HaloLists&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_HALO_PLAN)
#undef TESSERA_INSTANTIATE_HALO_PLAN

}  // namespace tessera::distributed
