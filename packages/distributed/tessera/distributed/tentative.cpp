// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/tentative.hpp"

#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/gathered_nodes.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <vector>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

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
                                      const GlobalNumbers<Space>& others) {
  const auto here = allocate<Ordinal>(exec, "tessera::distributed::here", aggregate_of.extent(0));
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
          here(v) = own + place_in(others, aggregate);
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

/// m columns for each aggregate.
template <class Space>
GlobalNumbers<Space> columns_of(const Space& exec, const GlobalNumbers<Space>& aggregates,
                                Ordinal m) {
  if (m == 1) return aggregates;
  const auto columns = allocate<Global>(exec, "tessera::distributed::tentative::columns",
                                        aggregates.extent(0) * static_cast<std::size_t>(m));
  Kokkos::parallel_for(
      "tessera::distributed::tentative::columns",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(columns.extent(0))),
      KOKKOS_LAMBDA(const Ordinal c) { columns(c) = aggregates(c / m) * m + c % m; });
  exec.fence("tessera::distributed::tentative");
  return columns;
}

/// T and its columns from the entries of its rows.
template <class Space>
void number_columns(const Space& exec, const Partition& aggregates,
                    const Array<Global, Space>& aggregate_of, int block_size,
                    const MultiVector<double, Space>& entries, SharedTentative<Space>& made) {
  const auto m = static_cast<Ordinal>(entries.extent(1));
  const auto others =
      numbers_of_others<Space>(exec, aggregate_of, aggregates.first(), aggregates.own());
  made.columns = ColumnNumbers<Space>(aggregates.first() * m, aggregates.own() * m,
                                      columns_of<Space>(exec, others, m));
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
  GatheredNodes<Space> gathered(exec, processes, shares, aggregates.aggregate_of, block_size, m);
  const auto whole = gathered.room();
  gathered.gather(exec, vectors, whole);

  SharedTentative<Space> made;
  MultiVector<double, Space> entries;
  on_all_processes(*processes, [&] {
    entries =
        allocate_multivector<double>(exec, "tessera::distributed::entries", vectors.extent(0), m);
    made.coarse_vectors = allocate_multivector<double>(
        exec, "tessera::distributed::vectors", static_cast<std::size_t>(aggregates.num_own) * m, m);
    Kokkos::deep_copy(exec, made.coarse_vectors, 0.0);
    if (gathered.num_rows() == 0) return;
    const kernels::Aggregates<Space> own{aggregates.num_own, gathered.aggregate_of()};
    const auto tentative =
        amg::tentative_prolongator<Offset, double, Space>(exec, own, whole, block_size);
    made.coarse_vectors = tentative.coarse_near_nullspace;
    Kokkos::deep_copy(exec, whole, entries_of(exec, tentative.T, m));
    exec.fence("tessera::distributed::tentative");
  });
  gathered.give_back(exec, whole, entries);
  on_all_processes(*processes, [&] {
    number_columns(exec, shares, aggregates.aggregate_of, block_size, entries, made);
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, tentative_prolongator)

}  // namespace tessera::distributed
