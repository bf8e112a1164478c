// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/tentative.hpp"

#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

/// Where this process's nodes go: those that stay follow each other, in ascending order, as those
/// do whose aggregate another process has.
template <class Space>
struct NodesByOwner {
  Array<Ordinal, Space> place;  ///< by node among those that stay; -1 for the others
  Ordinal num_staying = 0;
  std::vector<Ordinal> leaving;  ///< the others, few: they lie at the border of the share
  std::vector<Global> aggregates;  ///< theirs
};

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

/// Nodes of whole aggregates on the processes that have these, in ascending order; nodes without an
/// aggregate stay where they are.
template <class Space>
struct GatheredNodes {
  /// From each process's rows to those of its gathered nodes that come from others; null on one
  /// process.
  Plan rows;
  Array<Ordinal, Space> place;  ///< by own node that among the gathered ones; -1 where it leaves
  Array<Ordinal, Space> aggregate_of;  ///< of this process, by gathered node; -1 for none
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

/// The aggregates, numbered here, of own nodes that stay, `before` others' in front of them, and of
/// those that `come` from others; `place` becomes that among all of them.
template <class Space>
Array<Ordinal, Space> aggregates_of_gathered(const Space& exec, Global first,
                                             const ArrayView<const Global, Space>& aggregate_of,
                                             const ArrayView<Ordinal, Space>& place,
                                             Ordinal num_staying, Ordinal before,
                                             const Array<Global, Space>& come) {
  const std::string label = "tessera::distributed::aggregates_of_gathered";
  const auto num_come = static_cast<Ordinal>(come.extent(0));
  const auto gathered =
      allocate<Ordinal>(exec, label, static_cast<std::size_t>(num_staying + num_come));
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
  exec.fence("tessera::distributed::aggregates_of_gathered");
  return gathered;
}

/// Collective.
template <class Space>
GatheredNodes<Space> gathered_nodes(const Space& exec,
                                    const std::shared_ptr<const Communicator>& processes,
                                    const Partition& aggregates,
                                    const ArrayView<const Global, Space>& aggregate_of,
                                    Ordinal block_size) {
  NodesByOwner<Space> own = nodes_by_owner<Space>(exec, aggregates, aggregate_of);
  GatheredNodes<Space> made;
  made.place = own.place;
  std::vector<Global> come_aggregates;
  std::int64_t lower = 0;
  if (processes->size() > 1) {
    const auto size = static_cast<std::size_t>(processes->size());
    std::vector<std::vector<std::size_t>> leaving_to(size);
    for (std::size_t i = 0; i < own.leaving.size(); ++i)
      leaving_to[static_cast<std::size_t>(aggregates.owner(own.aggregates[i]))].push_back(i);
    auto plan = std::make_shared<CommunicationPlan>();
    plan->processes = processes;
    std::vector<std::int64_t> sent(size, 0);
    std::vector<Global> sent_aggregates;
    for (std::size_t p = 0; p < size; ++p) {
      sent[p] = static_cast<std::int64_t>(leaving_to[p].size());
      for (const std::size_t i : leaving_to[p]) {
        append_rows(plan->exports, own.leaving[i], block_size);
        sent_aggregates.push_back(own.aggregates[i]);
      }
    }
    std::vector<std::int64_t> come(size, 0);
    processes->all_to_all(sent, come);
    come_aggregates.resize(
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
    lower = std::accumulate(come.begin(), come.begin() + processes->rank(), std::int64_t(0));
    const auto all = static_cast<Ordinal>(come_aggregates.size());
    for (Ordinal k = 0; k < all; ++k)
      append_rows(plan->remotes, k < lower ? k : k + own.num_staying, block_size);
    plan->num_source = static_cast<Ordinal>(aggregate_of.extent(0)) * block_size;
    plan->num_target = (own.num_staying + all) * block_size;
    made.rows = plan;
  }
  made.aggregate_of = aggregates_of_gathered<Space>(
      exec, aggregates.first(), aggregate_of, made.place, own.num_staying,
      static_cast<Ordinal>(lower), from_host(exec, come_aggregates));
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
  const auto gathered =
      gathered_nodes<Space>(exec, processes, shares, aggregates.aggregate_of, block_size);
  const auto num_gathered = gathered.aggregate_of.extent(0) * static_cast<std::size_t>(block_size);
  const auto whole =
      allocate_multivector<double>(exec, "tessera::distributed::vectors", num_gathered, m);
  Exchange<double, Space> exchange(gathered.rows);
  const bool has_others = gathered.rows != nullptr;
  if (has_others) exchange.forward(exec, vectors, whole);
  copy_staying<Space>(exec, gathered.place, block_size, vectors, whole, false);

  SharedTentative<Space> made;
  on_all_processes(*processes, [&] {
    made.coarse_vectors = allocate_multivector<double>(
        exec, "tessera::distributed::vectors", static_cast<std::size_t>(aggregates.num_own) * m, m);
    Kokkos::deep_copy(exec, made.coarse_vectors, 0.0);
    if (num_gathered == 0) return;
    const kernels::Aggregates<Space> own{aggregates.num_own, gathered.aggregate_of};
    const auto tentative =
        amg::tentative_prolongator<Offset, double, Space>(exec, own, whole, block_size);
    made.coarse_vectors = tentative.coarse_near_nullspace;
    Kokkos::deep_copy(exec, whole, entries_of(exec, tentative.T, m));
    exec.fence("tessera::distributed::tentative");
  });
  const auto entries =
      allocate_multivector<double>(exec, "tessera::distributed::entries", vectors.extent(0), m);
  if (has_others) exchange.backward(exec, whole, entries);
  copy_staying<Space>(exec, gathered.place, block_size, entries, whole, true);
  on_all_processes(*processes, [&] {
    number_columns(exec, shares, aggregates.aggregate_of, block_size, entries, made);
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, tentative_prolongator)

}  // namespace tessera::distributed
