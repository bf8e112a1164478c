// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pairwise aggregation as the thesis's algorithm 17 has it, on the host: what the kernel is held
/// to.
#pragma once

#include "support/device.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/pairwise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace tessera::test {

using kernels::PairwiseOptions;

/// What `aggregate_pairwise` returns, on the host.
struct Partition {
  Ordinal num_aggregates = 0;
  std::vector<Ordinal> aggregate_of;

  friend bool operator==(const Partition&, const Partition&) = default;
};

template <class Offset, class Scalar, class Space>
Partition pairwise(const Space& exec, const HostMatrix<Scalar>& A,
                   const PairwiseOptions& options = {}) {
  const auto matrix = make_csr<Offset>(exec, A);
  const auto result = kernels::aggregate_pairwise(exec, matrix.view(), options);
  return {result.num_aggregates, to_host(result.aggregate_of)};
}

/// A graph with weights: what the reference matches by.
struct WeightedGraph {
  std::vector<std::map<Ordinal, double>> weights;
  std::vector<double> scale;

  Ordinal size() const { return static_cast<Ordinal>(scale.size()); }
  double coupling(Ordinal i, Ordinal j) const {
    return weights[i].at(j) / std::max(scale[i], scale[j]);
  }
};

template <class Scalar>
WeightedGraph weighted_graph(const HostMatrix<Scalar>& A, std::size_t longest_row) {
  WeightedGraph graph{std::vector<std::map<Ordinal, double>>(A.num_rows),
                      std::vector<double>(A.num_rows, 0.0)};
  for_each_entry(A, [&](Ordinal i, Ordinal j, Scalar entry) {
    const auto value = std::abs(static_cast<double>(entry));
    if (std::isnan(value)) return;
    graph.weights[i][j] += value;
    graph.weights[j][i] += value;
  });
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    auto& row = graph.weights[i];
    if (row.count(i) > 0) graph.scale[i] = row.at(i);
    row.erase(i);
    if (graph.scale[i] == 0) {
      for (const auto& [j, weight] : row)
        graph.scale[i] = std::max(graph.scale[i], weight);
    }
    const auto length = static_cast<std::size_t>(A.offsets[i + 1] - A.offsets[i]);
    if (length > longest_row) graph.scale[i] = std::numeric_limits<double>::infinity();
  }
  return graph;
}

/// Algorithm 17, round by round: the root of each node, -1 for none.
inline std::vector<Ordinal> match(const WeightedGraph& graph, const PairwiseOptions& options,
                                  bool last_pass) {
  const Ordinal n = graph.size();
  // Of v's neighbours that `admitted` tells, the one of the strongest coupling; -1 for none.
  const auto strongest = [&](Ordinal v, bool by_powers, const auto& admitted) {
    std::tuple<double, std::uint32_t, Ordinal> best{0.0, 0u, -1};
    for (const auto& entry : graph.weights[v]) {
      const Ordinal j = entry.first;
      double coupling = graph.coupling(v, j);
      const bool couples = options.zeros ? coupling >= 0 : coupling > 0;
      if (!couples || std::isinf(graph.scale[v]) || std::isinf(graph.scale[j]) || !admitted(j))
        continue;
      if (by_powers) coupling = std::ldexp(1.0, std::ilogb(coupling));
      const auto [low, high] = std::minmax(v, j);
      const std::uint32_t drawn =
          kernels::hash32(static_cast<std::uint32_t>(high),
                          kernels::hash32(static_cast<std::uint32_t>(low), options.seed));
      best = std::max(best, {coupling, drawn, j});
    }
    return std::get<Ordinal>(best);
  };
  const auto proposal = [&](Ordinal v, bool by_powers, const std::vector<Ordinal>& before) {
    const Ordinal free = strongest(v, by_powers, [&](Ordinal j) { return before[j] < 0; });
    const Ordinal taken = strongest(v, false, [&](Ordinal j) { return before[j] >= 0; });
    const bool weak = free >= 0 && taken >= 0 &&
                      graph.coupling(v, free) < options.weak_share * graph.coupling(v, taken);
    return weak ? -1 : free;
  };
  std::vector<Ordinal> root(n, -1);
  std::vector<Ordinal> left(n);
  std::iota(left.begin(), left.end(), 0);
  for (int round = 0; round < options.max_rounds; ++round) {
    if (left.size() <= static_cast<std::size_t>(options.unmatched_share * n)) break;
    const auto before = root;
    const auto is_taken = [&](Ordinal j) { return before[j] >= 0; };
    const bool by_powers = round > 0 && 2 * round >= options.max_rounds;
    std::vector<Ordinal> next;
    for (const Ordinal v : left) {
      const Ordinal w = proposal(v, by_powers, before);
      const Ordinal taken = strongest(v, false, is_taken);
      if (w >= 0 && proposal(w, by_powers, before) == v) {
        root[v] = std::min(v, w);
      } else if (w >= 0) {
        next.push_back(v);
      } else if (taken >= 0) {
        root[v] = last_pass ? before[taken] : v;
      }
    }
    left = next;
  }
  const auto before = root;
  for (const Ordinal v : left) {
    const Ordinal taken = strongest(v, false, [&](Ordinal j) { return before[j] >= 0; });
    const Ordinal any = strongest(v, false, [](Ordinal) { return true; });
    root[v] = taken >= 0 && last_pass ? before[taken] : any >= 0 ? v : -1;
  }
  return root;
}

/// Roots in their order.
inline Partition numbered(const std::vector<Ordinal>& root) {
  std::map<Ordinal, Ordinal> number;
  for (const Ordinal r : root) {
    if (r >= 0) number[r] = 0;
  }
  Partition result;
  for (auto& entry : number)
    entry.second = result.num_aggregates++;
  for (const Ordinal r : root)
    result.aggregate_of.push_back(r < 0 ? -1 : number.at(r));
  return result;
}

inline WeightedGraph graph_of_aggregates(const WeightedGraph& fine, const Partition& aggregates) {
  WeightedGraph coarse{std::vector<std::map<Ordinal, double>>(aggregates.num_aggregates),
                       std::vector<double>(aggregates.num_aggregates, 0.0)};
  for (Ordinal i = 0; i < fine.size(); ++i) {
    const Ordinal group = aggregates.aggregate_of[i];
    if (group < 0) continue;
    coarse.scale[group] += fine.scale[i];
    for (const auto& [j, weight] : fine.weights[i]) {
      const Ordinal other = aggregates.aggregate_of[j];
      if (other >= 0 && other != group) coarse.weights[group][other] += weight;
    }
  }
  return coarse;
}

template <class Scalar>
Partition pairwise_reference(const HostMatrix<Scalar>& A, const PairwiseOptions& options) {
  auto graph = weighted_graph(A, options.longest_row);
  Partition last = numbered(match(graph, options, options.passes == 1));
  Partition result = last;
  for (int pass = 1; pass < options.passes; ++pass) {
    graph = graph_of_aggregates(graph, last);
    auto root = match(graph, options, pass + 1 == options.passes);
    for (Ordinal v = 0; v < graph.size(); ++v)
      root[v] = root[v] < 0 ? v : root[v];
    last = numbered(root);
    for (Ordinal& group : result.aggregate_of)
      group = group < 0 ? -1 : last.aggregate_of[group];
    result.num_aggregates = last.num_aggregates;
  }
  return result;
}

}  // namespace tessera::test
