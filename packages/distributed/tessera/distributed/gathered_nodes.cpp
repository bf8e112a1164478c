// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_nodes.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
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
  std::vector<Ordinal> leaving;  ///< the others, few: they lie at the border of the share
  std::vector<Partition::Global> aggregates;  ///< theirs
};

/// What goes to and comes from each process.
struct Gathering {
  HostPlan plan;
  std::vector<Partition::Global> aggregates;  ///< of the nodes that come, by process
  Ordinal num_lower = 0;  ///< nodes that come from lower ranks
};

}  // namespace gathered_nodes_detail
namespace {

using Global = Partition::Global;
using gathered_nodes_detail::Gathering;
using gathered_nodes_detail::NodesByOwner;

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
  const auto host_nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nodes);
  const auto host_aggregates =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), their_aggregates);
  made.leaving.assign(host_nodes.data(), host_nodes.data() + num_leaving);
  made.aggregates.assign(host_aggregates.data(), host_aggregates.data() + num_leaving);
  return made;
}

/// Writes the rows of a node, `place` nodes behind the first.
void set_rows(std::vector<Ordinal>& rows, std::size_t place, Ordinal node, Ordinal block_size) {
  for (Ordinal c = 0; c < block_size; ++c)
    rows[place * static_cast<std::size_t>(block_size) + static_cast<std::size_t>(c)] =
        node * block_size + c;
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
Gathering gathering_of(const std::shared_ptr<const Communicator>& processes,
                       const Partition& aggregates, const NodesByOwner<Space>& own,
                       Ordinal block_size) {
  const auto size = static_cast<std::size_t>(processes->size());
  const std::size_t num_leaving = own.leaving.size();
  const auto rows_of = [&](std::size_t nodes) {
    return nodes * static_cast<std::size_t>(block_size);
  };
  std::vector<std::size_t> owner(num_leaving);
  std::ranges::transform(own.aggregates, owner.begin(), [&](Global aggregate) {
    return static_cast<std::size_t>(aggregates.owner(aggregate));
  });
  Gathering made;
  HostPlan& plan = made.plan;
  plan.processes = processes;
  std::vector<std::int64_t> sent(size, 0);
  for (const std::size_t p : owner)
    ++sent[p];
  std::vector<std::size_t> next(size, 0);
  std::exclusive_scan(sent.begin(), sent.end(), next.begin(), std::size_t(0));
  std::vector<Global> sent_aggregates(num_leaving);
  plan.halo.exports.resize(rows_of(num_leaving));
  for (std::size_t i = 0; i < num_leaving; ++i) {
    const std::size_t place = next[owner[i]]++;
    set_rows(plan.halo.exports, place, own.leaving[i], block_size);
    sent_aggregates[place] = own.aggregates[i];
  }
  std::vector<std::int64_t> come(size, 0);
  processes->all_to_all(sent, come);
  made.aggregates.resize(
      static_cast<std::size_t>(std::accumulate(come.begin(), come.end(), std::int64_t(0))));
  std::vector<Communicator::Outgoing> outgoing;
  std::vector<Communicator::Incoming> incoming;
  for (const auto& n : neighbours_of(sent))
    outgoing.push_back({n.process, sent_aggregates.data() + n.first,
                        static_cast<std::size_t>(n.length) * sizeof(Global)});
  for (const auto& n : neighbours_of(come))
    incoming.push_back({n.process, made.aggregates.data() + n.first,
                        static_cast<std::size_t>(n.length) * sizeof(Global)});
  processes->start(outgoing, incoming)->wait();
  plan.halo.receivers = neighbours_of(sent, block_size);
  plan.halo.senders = neighbours_of(come, block_size);
  // Shares are contiguous: nodes of lower ranks come before this process's own ones.
  made.num_lower = static_cast<Ordinal>(
      std::accumulate(come.begin(), come.begin() + processes->rank(), std::int64_t(0)));
  const auto all = static_cast<Ordinal>(made.aggregates.size());
  plan.remotes.resize(rows_of(made.aggregates.size()));
  for (Ordinal k = 0; k < all; ++k)
    set_rows(plan.remotes, static_cast<std::size_t>(k),
             k < made.num_lower ? k : k + own.num_staying, block_size);
  plan.num_source = static_cast<Ordinal>(own.place.extent(0)) * block_size;
  plan.num_target = (own.num_staying + all) * block_size;
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
  const Gathering others =
      processes->size() > 1 ? gathering_of(processes, aggregates, own, block_size) : Gathering();
  m_place = own.place;
  on_all_processes(*processes, [&] {
    m_others = Exchange<double, Space>(
        others.plan.processes == nullptr ? nullptr : plan_on(exec, others.plan));
    m_others.reserve(num_columns, true);
    m_aggregate_of =
        gathered_aggregates<Space>(exec, aggregates.first(), aggregate_of, m_place, own.num_staying,
                                   others.num_lower, from_host(exec, others.aggregates));
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
