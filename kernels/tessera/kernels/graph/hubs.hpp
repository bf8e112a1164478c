// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Hubs: rows so long that coarsening must not follow them.
#pragma once

#include "tessera/kernels/graph/aggregate.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::kernels {

/// The most entries that a row may have without being a hub's: ten times the root of the number of
/// rows, by which sparse orderings tell a dense row from others (Amestoy, Davis & Duff, SIAM J.
/// Matrix Anal. Appl. 17 (1996), and AMD's default), but eight average rows, and 1024, at the
/// least.
///
/// A hub ties everything to everything else: no two of its neighbours are more than two edges
/// apart, its row of a smoothed prolongator reaches all aggregates, and the Galerkin product has
/// the square of that. One thread would read the row, too.
inline std::size_t longest_ordinary_row(Ordinal num_rows, std::size_t num_entries) {
  const double n = std::max<Ordinal>(1, num_rows);
  const double average = static_cast<double>(num_entries) / n;
  return static_cast<std::size_t>(std::max({10 * std::sqrt(n), 8 * average, 1024.0}));
}

/// Which nodes are hubs: those whose rows of A (`block_size` for each) are longer than `longest`
/// on average.
template <class Space, class Offset>
struct HubTest {
  ArrayView<const Offset, Space> offsets;
  Ordinal block_size;
  std::size_t longest;

  KOKKOS_FUNCTION bool operator()(Ordinal node) const {
    const Offset entries = offsets((node + 1) * block_size) - offsets(node * block_size);
    return static_cast<std::size_t>(entries) / block_size > longest;
  }
};

/// A scan: an aggregate of each hub that is in none, from number `first` on.
template <class Space, class Offset>
struct NumberHubs {
  HubTest<Space, Offset> is_hub;
  Array<Ordinal, Space> aggregate_of;
  Ordinal first;

  KOKKOS_FUNCTION void operator()(Ordinal v, Ordinal& count, bool last) const {
    if (aggregate_of(v) >= 0 || !is_hub(v)) return;
    if (last) aggregate_of(v) = first + count;
    ++count;
  }
};

/// Makes an aggregate of each hub that is in none, after the others; returns how many, for which it
/// waits.
template <class Space, class Offset>
Ordinal add_hub_aggregates(const Space& exec, const HubTest<Space, Offset>& is_hub,
                           Aggregates<Space>& aggregates) {
  const Array<Ordinal, Space> aggregate_of = aggregates.aggregate_of;
  Ordinal num_hubs = 0;
  Kokkos::parallel_scan(
      "tessera::hubs::aggregates", Kokkos::RangePolicy<Space>(exec, 0, aggregate_of.extent(0)),
      NumberHubs<Space, Offset>{is_hub, aggregate_of, aggregates.num_aggregates}, num_hubs);
  exec.fence("tessera::hubs::aggregates");
  aggregates.num_aggregates += num_hubs;
  if (aggregates.num_members) *aggregates.num_members += num_hubs;
  return num_hubs;
}

}  // namespace tessera::kernels
