// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregation of a graph's nodes around the roots of a maximal independent set.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <optional>

namespace tessera::kernels {

/// A partition of (most of) a graph's nodes.
template <class Space>
struct Aggregates {
  Ordinal num_aggregates = 0;
  Array<Ordinal, Space> aggregate_of;  ///< length num_nodes; -1: in no aggregate
  std::optional<Ordinal> num_members = {};  ///< nodes in aggregates, where that is known
};

/// Parallel aggregation (Cusp paper, section 3.2) of a symmetric graph: the nodes of an MIS(2)
/// are roots, their neighbours join them, and what remains joins the neighbouring aggregate with
/// which it has most edges (ties: the smaller aggregate, then the lower number).
///
/// `two_phase` looks, before the remainder joins, for a second MIS(2) among the nodes left over
/// and makes aggregates of those roots that have at least two neighbours left (Kelley and
/// Rajamanickam, "Parallel, portable algorithms for distance-2 maximal independent set and graph
/// coarsening", 2022, Algorithm 3): aggregates are then as small and even as a sequential sweep's.
///
/// Aggregates are numbered in the order of their roots. A node without neighbours gets -1.
template <class Space, class Offset>
Aggregates<Space> aggregate_mis2(const Space& exec, const Graph<Space, Offset>& graph,
                                 bool two_phase = true, std::uint32_t seed = 0);

}  // namespace tessera::kernels
