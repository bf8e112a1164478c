// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/communication_plan.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

bool is_halo(const HostPlan& plan) {
  if (plan.num_same != plan.num_source || !plan.from.empty()) return false;
  for (std::size_t i = 0; i < plan.remotes.size(); ++i)
    if (plan.remotes[i] != plan.num_source + static_cast<Ordinal>(i)) return false;
  return true;
}

}  // namespace

template <class Space>
Array<Ordinal, Space> numbers_from(const Space& exec, Ordinal first, Ordinal count) {
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::numbers_from",
                                         static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "tessera::distributed::numbers_from", Kokkos::RangePolicy<Space>(exec, 0, count),
      KOKKOS_LAMBDA(const Ordinal i) { numbers(i) = first + i; });
  exec.fence("tessera::distributed::numbers_from");
  return numbers;
}

template <class Space>
Plan<Space> plan_on(const Space& exec, const HostPlan& plan) {
  auto made = std::make_shared<CommunicationPlan<Space>>();
  made->processes = plan.processes;
  made->num_source = plan.num_source;
  made->num_target = plan.num_target;
  made->num_same = plan.num_same;
  made->from = from_host(exec, plan.from);
  made->to = from_host(exec, plan.to);
  made->exports = shared_from_host(exec, plan.halo.exports);
  made->receivers = plan.halo.receivers;
  made->remotes = from_host(exec, plan.remotes);
  made->senders = plan.halo.senders;
  made->is_halo = is_halo(plan);
  return made;
}

template <class Space>
Plan<Space> gathering_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                           const Partition& rows) {
  if (processes->size() == 1) return nullptr;
  auto plan = std::make_shared<CommunicationPlan<Space>>();
  plan->processes = processes;
  plan->num_source = rows.own();
  if (processes->rank() == 0) {
    const auto all = static_cast<Ordinal>(rows.size());
    plan->num_target = all;
    plan->num_same = rows.own();
    plan->remotes = numbers_from(exec, rows.own(), all - rows.own());
    plan->is_halo = true;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(processes->size()), 0);
    for (int p = 1; p < processes->size(); ++p)
      counts[static_cast<std::size_t>(p)] = rows.own(p);
    plan->senders = neighbours_of(counts);
  } else if (rows.own() > 0) {
    plan->exports = numbers_from(exec, 0, rows.own());
    plan->receivers = {{0, 0, rows.own()}};
  }
  return plan;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbers_from)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, plan_on)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, gathering_plan)

}  // namespace tessera::distributed
