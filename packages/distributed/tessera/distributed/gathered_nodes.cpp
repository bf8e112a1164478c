// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_nodes.hpp"

#include "tessera/distributed/any_messages.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/sorted_numbers.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace gathered_nodes_detail {

/// Where this process's nodes go: those that stay follow each other, in ascending order, as those
/// do whose aggregate another process has.
template <class Space>
struct NodesByOwner {
  Array<Ordinal, Space> place;  ///< by node among those that stay; -1 for the others
  Ordinal num_staying = 0;
  Array<Ordinal, Space> leaving;  ///< the others, few: they lie at the border of the share
  Array<Partition::Global, Space> aggregates;  ///< theirs
};

/// Nodes that leave, in the order of the processes that they go to, and how many go to each.
template <class Space>
struct NodesByReceiver {
  GlobalNumbers<Space> keys;  ///< receiver times the number of all and place among those that leave
  std::vector<std::int64_t> counts;
};

/// What goes to and comes from each process.
template <class Space>
struct Gathering {
  Plan<Space> plan;
  Array<Partition::Global, Space> aggregates;  ///< of the nodes that come, by process
  Ordinal num_lower = 0;  ///< nodes that come from lower ranks
};

}  // namespace gathered_nodes_detail
namespace {

using Global = Partition::Global;
using gathered_nodes_detail::Gathering;
using gathered_nodes_detail::NodesByOwner;
using gathered_nodes_detail::NodesByReceiver;

template <class Space>
NodesByOwner<Space> nodes_by_owner(const Space& exec, const Partition& aggregates,
                                   const ArrayView<const Global, Space>& aggregate_of) {
  const auto num_own = static_cast<Ordinal>(aggregate_of.extent(0));
  const Global first = aggregates.first();
  const Global last = first + aggregates.own();
  const std::string label = "tessera::distributed::nodes_by_owner";
  NodesByOwner<Space> made;
  made.place = allocate<Ordinal>(exec, label, static_cast<std::size_t>(num_own));
  const auto place = made.place;
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<Space>(exec, 0, num_own),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& staying, const bool is_last) {
        const Global aggregate = aggregate_of(v);
        const bool stays = aggregate < 0 || (aggregate >= first && aggregate < last);
        if (is_last) place(v) = stays ? staying : -1;
        if (stays) ++staying;
      },
      made.num_staying);
  exec.fence("tessera::distributed::nodes_by_owner");
  const auto num_leaving = static_cast<std::size_t>(num_own - made.num_staying);
  const auto nodes = allocate<Ordinal>(exec, label, num_leaving);
  const auto their_aggregates = allocate<Global>(exec, label, num_leaving);
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<Space>(exec, 0, num_leaving > 0 ? num_own : 0),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& leaving, const bool is_last) {
        if (place(v) >= 0) return;
        if (is_last) {
          nodes(leaving) = v;
          their_aggregates(leaving) = aggregate_of(v);
        }
        ++leaving;
      });
  exec.fence("tessera::distributed::nodes_by_owner");
  made.leaving = nodes;
  made.aggregates = their_aggregates;
  return made;
}

/// Nodes to one process keep their order.
template <class Space>
NodesByReceiver<Space> nodes_by_receiver(const Space& exec, const Partition& aggregates,
                                         const NodesByOwner<Space>& own) {
  const auto num_leaving = static_cast<Global>(own.leaving.extent(0));
  std::vector<Global> ends_of_shares, ends_of_keys;
  for (int p = 0; p < aggregates.processes(); ++p) {
    ends_of_shares.push_back(aggregates.first(p) + aggregates.own(p));
    ends_of_keys.push_back((p + 1) * num_leaving);
  }
  const GlobalNumbers<Space> ends = from_host(exec, ends_of_shares);
  const auto keys =
      allocate<Global>(exec, "tessera::distributed::nodes_by_receiver", own.leaving.extent(0));
  const auto aggregate_of = own.aggregates;
  Kokkos::parallel_for(
      "tessera::distributed::nodes_by_receiver",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Global>>(exec, 0, num_leaving),
      KOKKOS_LAMBDA(const Global i) {
        keys(i) = place_in(ends, aggregate_of(i) + 1) * num_leaving + i;
      });
  NodesByReceiver<Space> made;
  made.keys = sorted_once<Space>(exec, keys);
  const auto below =
      to_host(exec, counts_below<Space>(exec, made.keys, from_host(exec, ends_of_keys)));
  for (std::size_t p = 0; p < ends_of_keys.size(); ++p)
    made.counts.push_back(below[p] - (p == 0 ? 0 : below[p - 1]));
  return made;
}

/// The rows of nodes that leave, and their aggregates, by receiver.
template <class Space>
void list_leaving(const Space& exec, const NodesByOwner<Space>& own,
                  const GlobalNumbers<Space>& keys, Ordinal block_size,
                  const Array<Ordinal, Space>& rows, const Array<Global, Space>& aggregates) {
  const auto num_leaving = static_cast<Global>(keys.extent(0));
  const auto nodes = own.leaving;
  const auto aggregate_of = own.aggregates;
  Kokkos::parallel_for(
      "tessera::distributed::list_leaving",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const Global i = keys(r / block_size) % num_leaving;
        rows(r) = nodes(i) * block_size + r % block_size;
        if (r % block_size == 0) aggregates(r / block_size) = aggregate_of(i);
      });
  exec.fence("tessera::distributed::list_leaving");
}

/// The rows of nodes that come, `before` of them in front of `num_staying` own ones.
template <class Space>
void list_coming(const Space& exec, Ordinal before, Ordinal num_staying, Ordinal block_size,
                 const Array<Ordinal, Space>& rows) {
  Kokkos::parallel_for(
      "tessera::distributed::list_coming",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const Ordinal k = r / block_size;
        rows(r) = (k < before ? k : k + num_staying) * block_size + r % block_size;
      });
  exec.fence("tessera::distributed::list_coming");
}

/// The aggregates, numbered here, of own nodes that stay, `before` others' in front of them, and of
/// those that `come` from others; `place` becomes that among all of them.
template <class Space>
Array<Ordinal, Space> gathered_aggregates(const Space& exec, Global first,
                                          const ArrayView<const Global, Space>& aggregate_of,
                                          const ArrayView<Ordinal, Space>& place,
                                          Ordinal num_staying, Ordinal before,
                                          const Array<Global, Space>& come) {
  const std::string label = "tessera::distributed::gathered_aggregates";
  const auto num_come = static_cast<Ordinal>(come.extent(0));
  const auto gathered =
      allocate<Ordinal>(exec, label, static_cast<std::size_t>(num_staying) + come.extent(0));
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(place.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (place(v) < 0) return;
        const Global aggregate = aggregate_of(v);
        place(v) += before;
        gathered(place(v)) = aggregate < 0 ? -1 : static_cast<Ordinal>(aggregate - first);
      });
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, num_come), KOKKOS_LAMBDA(const Ordinal k) {
        gathered(k < before ? k : k + num_staying) = static_cast<Ordinal>(come(k) - first);
      });
  exec.fence("tessera::distributed::gathered_aggregates");
  return gathered;
}

/// Collective; for several processes.
template <class Space>
Gathering<Space> gathering_of(const Space& exec,
                              const std::shared_ptr<const Communicator>& processes,
                              const Partition& aggregates, const NodesByOwner<Space>& own,
                              Ordinal block_size) {
  const std::string label = "tessera::distributed::GatheredNodes";
  const std::size_t num_leaving = own.leaving.extent(0);
  const auto b = static_cast<std::size_t>(block_size);
  NodesByReceiver<Space> leaving;
  on_all_processes(*processes, [&] { leaving = nodes_by_receiver(exec, aggregates, own); });
  std::vector<std::int64_t> come(leaving.counts.size(), 0);
  processes->all_to_all(leaving.counts, come);
  const auto num_come =
      static_cast<std::size_t>(std::accumulate(come.begin(), come.end(), std::int64_t(0)));
  Gathering<Space> made;
  // Shares are contiguous: nodes of lower ranks come before this process's own ones.
  made.num_lower = static_cast<Ordinal>(
      std::accumulate(come.begin(), come.begin() + processes->rank(), std::int64_t(0)));
  auto plan = std::make_shared<CommunicationPlan<Space>>();
  plan->processes = processes;
  plan->num_source = static_cast<Ordinal>(own.place.extent(0)) * block_size;
  plan->num_target = (own.num_staying + static_cast<Ordinal>(num_come)) * block_size;
  plan->receivers = neighbours_of(leaving.counts, block_size);
  plan->senders = neighbours_of(come, block_size);
  Array<Global, Space> sent;
  AnyMessages<Space> messages;
  on_all_processes(*processes, [&] {
    sent = allocate<Global>(exec, label, num_leaving);
    made.aggregates = allocate<Global>(exec, label, num_come);
    const auto exports = allocate<Ordinal>(exec, label, num_leaving * b);
    const auto remotes = allocate<Ordinal>(exec, label, num_come * b);
    list_leaving<Space>(exec, own, leaving.keys, block_size, exports, sent);
    list_coming<Space>(exec, made.num_lower, own.num_staying, block_size, remotes);
    plan->exports = exports;
    plan->remotes = remotes;
    messages.reserve(*processes, num_leaving * sizeof(Global), num_come * sizeof(Global));
  });
  using Parts = typename AnyMessages<Space>::Parts;
  messages.template send<Global>(exec, *processes, sent, made.aggregates,
                                 parts_of<Parts>(neighbours_of(leaving.counts)),
                                 parts_of<Parts>(neighbours_of(come)));
  made.plan = plan;
  return made;
}

/// Rows of own nodes that stay, to those of gathered nodes or, `back`, from these.
template <class Space>
void copy_staying(const Space& exec, const ArrayView<const Ordinal, Space>& place,
                  Ordinal block_size, const MultiVectorView<double, Space>& own,
                  const MultiVectorView<double, Space>& gathered, bool back) {
  const auto rows = static_cast<Ordinal>(own.extent(0));
  const auto columns = static_cast<Ordinal>(own.extent(1));
  Kokkos::parallel_for(
      "tessera::distributed::copy_staying", Kokkos::RangePolicy<Space>(exec, 0, rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal node = place(i / block_size);
        if (node < 0) return;
        const Ordinal row = node * block_size + i % block_size;
        for (Ordinal k = 0; k < columns; ++k) {
          if (back)
            own(i, k) = gathered(row, k);
          else
            gathered(row, k) = own(i, k);
        }
      });
}

}  // namespace

template <class Space>
GatheredNodes<Space>::GatheredNodes(const Space& exec,
                                    const std::shared_ptr<const Communicator>& processes,
                                    const Partition& aggregates,
                                    const ArrayView<const Global, Space>& aggregate_of,
                                    Ordinal block_size, std::size_t num_columns)
    : m_block_size(block_size) {
  NodesByOwner<Space> own;
  on_all_processes(*processes,
                   [&] { own = nodes_by_owner<Space>(exec, aggregates, aggregate_of); });
  Gathering<Space> others;
  if (processes->size() > 1) others = gathering_of(exec, processes, aggregates, own, block_size);
  m_place = own.place;
  on_all_processes(*processes, [&] {
    m_others = Exchange<double, Space>(others.plan);
    m_others.reserve(num_columns, true);
    m_aggregate_of =
        gathered_aggregates<Space>(exec, aggregates.first(), aggregate_of, m_place, own.num_staying,
                                   others.num_lower, others.aggregates);
    m_room = allocate_multivector<double>(exec, "tessera::distributed::vectors", num_rows(),
                                          num_columns);
  });
}

template <class Space>
void GatheredNodes<Space>::gather(const Space& exec, const MultiVector<double, Space>& own,
                                  const MultiVector<double, Space>& gathered) {
  if (!m_others.is_empty()) m_others.forward(exec, own, gathered);
  copy_staying<Space>(exec, m_place, m_block_size, own, gathered, false);
}

template <class Space>
void GatheredNodes<Space>::give_back(const Space& exec, const MultiVector<double, Space>& gathered,
                                     const MultiVector<double, Space>& own) {
  if (!m_others.is_empty()) m_others.backward(exec, gathered, own);
  copy_staying<Space>(exec, m_place, m_block_size, own, gathered, true);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GatheredNodes)

}  // namespace tessera::distributed
