// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/communication_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

using Neighbours = std::vector<CommunicationPlan::Neighbour>;

/// Those of `lengths`, by rank, that are not 0.
Neighbours neighbours_of(const std::vector<std::int64_t>& lengths) {
  Neighbours neighbours;
  Ordinal first = 0;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    const auto length = static_cast<Ordinal>(lengths[p]);
    if (length > 0) neighbours.push_back({static_cast<int>(p), first, length});
    first += length;
  }
  return neighbours;
}

/// Before each entry of `wanted`, and behind the last one, how many are.
std::vector<Ordinal> places_of_wanted(const std::vector<char>& wanted) {
  std::vector<Ordinal> places{0};
  for (const char is_wanted : wanted)
    places.push_back(places.back() + (is_wanted != 0 ? 1 : 0));
  return places;
}

/// Of their entries those that are wanted.
Neighbours part_of_neighbours(const Neighbours& neighbours, const std::vector<Ordinal>& places) {
  Neighbours part;
  for (const auto& n : neighbours) {
    const auto begin = places.begin() + n.first;
    const Ordinal first = *begin;
    const Ordinal length = *(begin + n.length) - first;
    if (length > 0) part.push_back({n.process, first, length});
  }
  return part;
}

}  // namespace

bool CommunicationPlan::is_halo() const {
  if (num_same != num_source || !from.empty()) return false;
  for (std::size_t i = 0; i < remotes.size(); ++i)
    if (remotes[i] != num_source + static_cast<Ordinal>(i)) return false;
  return true;
}

Plan halo_plan(const std::shared_ptr<const Communicator>& processes, const Partition& columns,
               const std::vector<Partition::Global>& ghosts) {
  if (processes->size() == 1) return nullptr;
  const auto size = static_cast<std::size_t>(processes->size());
  const auto num_ghosts = static_cast<Ordinal>(ghosts.size());
  auto plan = std::make_shared<CommunicationPlan>();
  plan->processes = processes;
  plan->num_source = plan->num_same = columns.own();
  plan->num_target = columns.own() + num_ghosts;
  plan->remotes.resize(ghosts.size());
  std::iota(plan->remotes.begin(), plan->remotes.end(), columns.own());
  std::vector<std::int64_t> wanted(size, 0);
  auto begin = ghosts.begin();
  for (int p = 0; p < processes->size(); ++p) {
    const auto end = std::lower_bound(begin, ghosts.end(), columns.first(p) + columns.own(p));
    wanted[static_cast<std::size_t>(p)] = end - begin;
    begin = end;
  }
  plan->senders = neighbours_of(wanted);
  std::vector<std::int64_t> asked(size, 0);
  processes->all_to_all(wanted, asked);
  plan->receivers = neighbours_of(asked);

  std::vector<Partition::Global> numbers(
      static_cast<std::size_t>(std::accumulate(asked.begin(), asked.end(), std::int64_t(0))));
  std::vector<Communicator::Outgoing> questions;
  std::vector<Communicator::Incoming> orders;
  constexpr auto bytes = sizeof(Partition::Global);
  for (const auto& sender : plan->senders)
    questions.push_back({sender.process, ghosts.data() + sender.first,
                         static_cast<std::size_t>(sender.length) * bytes});
  for (const auto& receiver : plan->receivers)
    orders.push_back({receiver.process, numbers.data() + receiver.first,
                      static_cast<std::size_t>(receiver.length) * bytes});
  processes->start(questions, orders)->wait();
  plan->exports.resize(numbers.size());
  std::ranges::transform(numbers, plan->exports.begin(), [&](Partition::Global number) {
    return static_cast<Ordinal>(number - columns.first());
  });
  return plan;
}

Plan halo_plan(const std::shared_ptr<const Communicator>& processes, const Partition& columns,
               HaloLists lists) {
  if (processes->size() == 1) return nullptr;
  auto plan = std::make_shared<CommunicationPlan>();
  plan->processes = processes;
  plan->num_source = plan->num_same = columns.own();
  Ordinal num_ghosts = 0;
  for (const auto& sender : lists.senders)
    num_ghosts += sender.length;
  plan->num_target = columns.own() + num_ghosts;
  plan->remotes.resize(static_cast<std::size_t>(num_ghosts));
  std::iota(plan->remotes.begin(), plan->remotes.end(), columns.own());
  plan->exports = std::move(lists.exports);
  plan->receivers = std::move(lists.receivers);
  plan->senders = std::move(lists.senders);
  return plan;
}

Plan part_of_halo(const CommunicationPlan& halo, const std::vector<char>& wanted) {
  std::vector<char> asked(halo.exports.size());
  std::vector<Communicator::Outgoing> questions;
  std::vector<Communicator::Incoming> orders;
  for (const auto& sender : halo.senders)
    questions.push_back(
        {sender.process, wanted.data() + sender.first, static_cast<std::size_t>(sender.length)});
  for (const auto& receiver : halo.receivers)
    orders.push_back({receiver.process, asked.data() + receiver.first,
                      static_cast<std::size_t>(receiver.length)});
  halo.processes->start(questions, orders)->wait();
  const auto remotes = places_of_wanted(wanted);
  auto part = std::make_shared<CommunicationPlan>();
  part->processes = halo.processes;
  part->num_source = part->num_same = halo.num_source;
  part->num_target = halo.num_source + remotes.back();
  part->remotes.resize(static_cast<std::size_t>(remotes.back()));
  std::iota(part->remotes.begin(), part->remotes.end(), halo.num_source);
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i] != 0) part->exports.push_back(halo.exports[i]);
  part->senders = part_of_neighbours(halo.senders, remotes);
  part->receivers = part_of_neighbours(halo.receivers, places_of_wanted(asked));
  return part;
}

Plan gathering_plan(const std::shared_ptr<const Communicator>& processes, const Partition& rows) {
  if (processes->size() == 1) return nullptr;
  auto plan = std::make_shared<CommunicationPlan>();
  plan->processes = processes;
  plan->num_source = rows.own();
  if (processes->rank() == 0) {
    const auto all = static_cast<Ordinal>(rows.size());
    plan->num_target = all;
    plan->num_same = rows.own();
    plan->remotes.resize(static_cast<std::size_t>(all - rows.own()));
    std::iota(plan->remotes.begin(), plan->remotes.end(), rows.own());
    std::vector<std::int64_t> counts(static_cast<std::size_t>(processes->size()), 0);
    for (int p = 1; p < processes->size(); ++p)
      counts[static_cast<std::size_t>(p)] = rows.own(p);
    plan->senders = neighbours_of(counts);
  } else if (rows.own() > 0) {
    plan->exports.resize(static_cast<std::size_t>(rows.own()));
    std::iota(plan->exports.begin(), plan->exports.end(), 0);
    plan->receivers = {{0, 0, rows.own()}};
  }
  return plan;
}

}  // namespace tessera::distributed
