// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/tentative.hpp"

#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

/// Nodes of whole aggregates on the processes that have these, in ascending order; nodes without an
/// aggregate stay where they are.
struct GatheredNodes {
  Plan rows;  ///< from each process's rows to those of its gathered nodes; null on one process
  std::vector<Ordinal> aggregate_of;  ///< of this process, by gathered node; -1 for none
};

/// Appends for each list that is not empty its rank and its place.
std::vector<CommunicationPlan::Neighbour> neighbours_of(const std::vector<std::int64_t>& lengths,
                                                        Ordinal scale) {
  std::vector<CommunicationPlan::Neighbour> neighbours;
  Ordinal first = 0;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    const auto length = static_cast<Ordinal>(lengths[p]) * scale;
    if (length > 0) neighbours.push_back({static_cast<int>(p), first, length});
    first += length;
  }
  return neighbours;
}

/// Each row of the nodes.
void append_rows(std::vector<Ordinal>& rows, Ordinal node, Ordinal block_size) {
  for (Ordinal c = 0; c < block_size; ++c)
    rows.push_back(node * block_size + c);
}

/// Collective.
GatheredNodes gathered_nodes(const std::shared_ptr<const Communicator>& processes,
                             const Partition& aggregates, const std::vector<Global>& aggregate_of,
                             Ordinal block_size) {
  const auto num_own = static_cast<Ordinal>(aggregate_of.size());
  GatheredNodes made;
  if (processes->size() == 1) {
    made.aggregate_of.assign(aggregate_of.begin(), aggregate_of.end());
    return made;
  }
  const auto size = static_cast<std::size_t>(processes->size());
  std::vector<std::vector<Ordinal>> nodes_to(size);
  std::vector<Ordinal> staying;
  for (Ordinal v = 0; v < num_own; ++v) {
    const Global aggregate = aggregate_of[static_cast<std::size_t>(v)];
    const bool stays = aggregate < 0 || aggregates.is_own(aggregate);
    const int owner = stays ? processes->rank() : aggregates.owner(aggregate);
    (owner == processes->rank() ? staying : nodes_to[static_cast<std::size_t>(owner)]).push_back(v);
  }
  auto plan = std::make_shared<CommunicationPlan>();
  plan->processes = processes;
  std::vector<std::int64_t> sent(size, 0);
  std::vector<Global> sent_aggregates;
  for (std::size_t p = 0; p < size; ++p) {
    sent[p] = static_cast<std::int64_t>(nodes_to[p].size());
    for (const Ordinal v : nodes_to[p]) {
      append_rows(plan->exports, v, block_size);
      sent_aggregates.push_back(aggregate_of[static_cast<std::size_t>(v)]);
    }
  }
  std::vector<std::int64_t> come(size, 0);
  processes->all_to_all(sent, come);
  std::vector<Global> come_aggregates(
      static_cast<std::size_t>(std::accumulate(come.begin(), come.end(), std::int64_t(0))));
  std::vector<Communicator::Outgoing> outgoing;
  std::vector<Communicator::Incoming> incoming;
  for (const auto& n : neighbours_of(sent, 1))
    outgoing.push_back({n.process, sent_aggregates.data() + n.first,
                        static_cast<std::size_t>(n.length) * sizeof(Global)});
  for (const auto& n : neighbours_of(come, 1))
    incoming.push_back({n.process, come_aggregates.data() + n.first,
                        static_cast<std::size_t>(n.length) * sizeof(Global)});
  processes->start(outgoing, incoming)->wait();
  plan->receivers = neighbours_of(sent, block_size);
  plan->senders = neighbours_of(come, block_size);

  // Shares are contiguous: nodes of lower ranks come before this process's own ones.
  const auto lower =
      std::accumulate(come.begin(), come.begin() + processes->rank(), std::int64_t(0));
  const auto take_others = [&](std::int64_t first, std::int64_t last) {
    for (auto k = first; k < last; ++k) {
      append_rows(plan->remotes, static_cast<Ordinal>(made.aggregate_of.size()), block_size);
      made.aggregate_of.push_back(
          static_cast<Ordinal>(come_aggregates[static_cast<std::size_t>(k)] - aggregates.first()));
    }
  };
  take_others(0, lower);
  for (const Ordinal v : staying) {
    append_rows(plan->from, v, block_size);
    append_rows(plan->to, static_cast<Ordinal>(made.aggregate_of.size()), block_size);
    const Global aggregate = aggregate_of[static_cast<std::size_t>(v)];
    made.aggregate_of.push_back(
        aggregate < 0 ? -1 : static_cast<Ordinal>(aggregate - aggregates.first()));
  }
  take_others(lower, static_cast<std::int64_t>(come_aggregates.size()));
  plan->num_source = num_own * block_size;
  plan->num_target = static_cast<Ordinal>(made.aggregate_of.size()) * block_size;
  made.rows = plan;
  return made;
}

/// The m entries of each row that has some, side by side.
template <class Space>
MultiVector<double, Space> entries_of(const Space& exec, const LocalRows<Space>& T, std::size_t m) {
  const auto entries = allocate_multivector<double>(exec, "tessera::distributed::entries",
                                                    static_cast<std::size_t>(T.num_rows), m);
  const auto view = T.view();
  const auto columns = static_cast<Ordinal>(m);
  Kokkos::parallel_for(
      "tessera::distributed::entries", Kokkos::RangePolicy<Space>(exec, 0, T.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Offset first = view.offsets(i);
        const bool has_some = first < view.offsets(i + 1);
        for (Ordinal k = 0; k < columns; ++k)
          entries(i, k) = has_some ? view.values(first + k) : 0.0;
      });
  return entries;
}

/// By node the number that its aggregate has here: own ones first, then those of `others`; -1 for
/// none.
template <class Space>
Array<Ordinal, Space> aggregates_here(const Space& exec, const Partition& aggregates,
                                      const ArrayView<const Global, Space>& aggregate_of,
                                      const std::vector<Global>& others) {
  const auto here = allocate<Ordinal>(exec, "tessera::distributed::here", aggregate_of.extent(0));
  const auto sorted = from_host(exec, others);
  const Global first = aggregates.first();
  const Ordinal own = aggregates.own();
  Kokkos::parallel_for(
      "tessera::distributed::here",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(here.extent(0))),
      KOKKOS_LAMBDA(const Ordinal v) {
        const Global aggregate = aggregate_of(v);
        if (aggregate < 0) {
          here(v) = -1;
        } else if (aggregate >= first && aggregate < first + own) {
          here(v) = static_cast<Ordinal>(aggregate - first);
        } else {
          here(v) = own + place_in(sorted, aggregate);
        }
      });
  exec.fence("tessera::distributed::here");
  return here;
}

/// The rows of T, m entries for each that is in an aggregate.
template <class Space>
LocalRows<Space> tentative_rows(const Space& exec, const Array<Ordinal, Space>& here,
                                Ordinal block_size, const MultiVector<double, Space>& entries) {
  const auto m = static_cast<Ordinal>(entries.extent(1));
  const auto num_rows = static_cast<Ordinal>(entries.extent(0));
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::tentative",
                                        static_cast<std::size_t>(num_rows) + 1);
  Offset total = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::tentative::offsets", Kokkos::RangePolicy<Space>(exec, 0, num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool is_last) {
        if (is_last) offsets(i) = sum;
        if (i < num_rows && here(i / block_size) >= 0) sum += m;
      },
      total);
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::tentative", static_cast<std::size_t>(total));
  const auto values =
      allocate<double>(exec, "tessera::distributed::tentative", static_cast<std::size_t>(total));
  Kokkos::parallel_for(
      "tessera::distributed::tentative", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        for (Offset e = offsets(i); e < offsets(i + 1); ++e) {
          const auto k = static_cast<Ordinal>(e - offsets(i));
          columns(e) = here(i / block_size) * m + k;
          values(e) = entries(i, k);
        }
      });
  exec.fence("tessera::distributed::tentative");
  return {num_rows, 0, offsets, columns, values};
}

/// T and its columns from the entries of its rows.
template <class Space>
void number_columns(const Space& exec, const Partition& aggregates,
                    const Array<Global, Space>& aggregate_of, int block_size,
                    const MultiVector<double, Space>& entries, SharedTentative<Space>& made) {
  const auto m = static_cast<Ordinal>(entries.extent(1));
  const auto others =
      numbers_of_others<Space>(exec, aggregate_of, aggregates.first(), aggregates.own());
  std::vector<Global> columns_of_others;
  for (const Global aggregate : others)
    for (Ordinal k = 0; k < m; ++k)
      columns_of_others.push_back(aggregate * m + k);
  made.columns = ColumnNumbers(aggregates.first() * m, aggregates.own() * m, columns_of_others);
  made.T = tentative_rows(exec, aggregates_here<Space>(exec, aggregates, aggregate_of, others),
                          block_size, entries);
  made.T.num_cols = made.columns.size();
}

}  // namespace

template <class Space>
SharedTentative<Space> tentative_prolongator(const Space& exec,
                                             const std::shared_ptr<const Communicator>& processes,
                                             const SharedAggregates<Space>& aggregates,
                                             const MultiVector<double, Space>& vectors,
                                             int block_size) {
  const auto m = vectors.extent(1);
  const Partition shares(*processes, aggregates.num_own);
  const auto on_host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), aggregates.aggregate_of);
  const std::vector<Global> aggregate_of(on_host.data(), on_host.data() + on_host.extent(0));
  const GatheredNodes gathered = gathered_nodes(processes, shares, aggregate_of, block_size);
  const std::vector<Ordinal>& aggregate_of_gathered = gathered.aggregate_of;
  const auto num_gathered = aggregate_of_gathered.size() * static_cast<std::size_t>(block_size);
  const auto whole =
      allocate_multivector<double>(exec, "tessera::distributed::vectors", num_gathered, m);
  Exchange<double, Space> exchange(gathered.rows);
  exchange.forward(exec, vectors, whole);

  SharedTentative<Space> made;
  on_all_processes(*processes, [&] {
    made.coarse_vectors = allocate_multivector<double>(
        exec, "tessera::distributed::vectors", static_cast<std::size_t>(aggregates.num_own) * m, m);
    Kokkos::deep_copy(exec, made.coarse_vectors, 0.0);
    if (num_gathered == 0) return;
    const kernels::Aggregates<Space> own{aggregates.num_own,
                                         from_host(exec, aggregate_of_gathered)};
    const auto tentative =
        amg::tentative_prolongator<Offset, double, Space>(exec, own, whole, block_size);
    made.coarse_vectors = tentative.coarse_near_nullspace;
    Kokkos::deep_copy(exec, whole, entries_of(exec, tentative.T, m));
    exec.fence("tessera::distributed::tentative");
  });
  const auto entries =
      allocate_multivector<double>(exec, "tessera::distributed::entries", vectors.extent(0), m);
  exchange.backward(exec, whole, entries);
  on_all_processes(*processes, [&] {
    number_columns(exec, shares, aggregates.aggregate_of, block_size, entries, made);
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, tentative_prolongator)

}  // namespace tessera::distributed
