// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/segments.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels {

/// Both directions of every edge, row by row in no particular order, with duplicates.
template <class Space, class Offset>
void scatter_both_directions(const Space& exec, const Graph<Space, Offset>& graph,
                             const Array<Offset, Space>& next,
                             const Array<Ordinal, Space>& columns) {
  Kokkos::parallel_for(
      "tessera::symmetrize::scatter", Kokkos::RangePolicy<Space>(exec, 0, graph.num_nodes),
      KOKKOS_LAMBDA(const Ordinal i) {
        for (Offset k = graph.offsets(i); k < graph.offsets(i + 1); ++k) {
          const Ordinal j = graph.columns(k);
          if (j == i) continue;
          columns(Kokkos::atomic_fetch_add(&next(i), Offset(1))) = j;
          columns(Kokkos::atomic_fetch_add(&next(j), Offset(1))) = i;
        }
      });
}

/// Sorts each row of `columns` and moves its distinct neighbours to its front; their number goes to
/// `counts`.
template <class Space, class Offset>
void sort_unique_rows(const Space& exec, const Array<Offset, Space>& offsets,
                      const Array<Ordinal, Space>& columns, const Array<Offset, Space>& counts) {
  Kokkos::parallel_for(
      "tessera::symmetrize::sort", Kokkos::RangePolicy<Space>(exec, 0, offsets.extent(0) - 1),
      KOKKOS_LAMBDA(const Ordinal i) {
        Ordinal* row = columns.data() + offsets(i);
        const auto length = static_cast<std::size_t>(offsets(i + 1) - offsets(i));
        sort_ascending(row, length);
        Offset distinct = 0;
        for (std::size_t k = 0; k < length; ++k) {
          if (distinct == 0 || row[k] != row[distinct - 1]) row[distinct++] = row[k];
        }
        counts(i) = distinct;
      });
}

template <class Space, class Offset>
Graph<Space, Offset> symmetrize(const Space& exec, const Graph<Space, Offset>& graph) {
  const Ordinal n = graph.num_nodes;
  const Kokkos::RangePolicy<Space> nodes(exec, 0, n);
  auto wide = allocate<Offset>(exec, "tessera::symmetrize::wide_offsets", n + 1);
  Kokkos::deep_copy(exec, wide, Offset(0));
  Kokkos::parallel_for(
      "tessera::symmetrize::count", nodes, KOKKOS_LAMBDA(const Ordinal i) {
        for (Offset k = graph.offsets(i); k < graph.offsets(i + 1); ++k) {
          const Ordinal j = graph.columns(k);
          if (j == i) continue;
          Kokkos::atomic_inc(&wide(i));
          Kokkos::atomic_inc(&wide(j));
        }
      });
  const std::size_t wide_total =
      counts_to_offsets<Offset, Space>(exec, wide, "the graph with both directions of every edge");
  auto offsets = allocate<Offset>(exec, "tessera::symmetrize::offsets", n + 1);
  auto scattered = allocate<Ordinal>(exec, "tessera::symmetrize::scattered", wide_total);
  Kokkos::deep_copy(exec, offsets, wide);
  scatter_both_directions(exec, graph, offsets, scattered);
  sort_unique_rows(exec, wide, scattered, offsets);
  const std::size_t total = counts_to_offsets<Offset, Space>(exec, offsets);
  auto columns = allocate<Ordinal>(exec, "tessera::symmetrize::columns", total);
  Kokkos::parallel_for(
      "tessera::symmetrize::compact", nodes, KOKKOS_LAMBDA(const Ordinal i) {
        const Offset shift = wide(i) - offsets(i);
        for (Offset k = offsets(i); k < offsets(i + 1); ++k)
          columns(k) = scattered(k + shift);
      });
  return {n, offsets, columns};
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, symmetrize)

}  // namespace tessera::kernels
