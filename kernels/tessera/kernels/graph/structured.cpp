// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/structured.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/cut_pairs.hpp"
#include "tessera/kernels/graph/pieces_of_box.hpp"

namespace tessera::kernels {

/// What a graph says of itself.
template <class Space, class Offset>
struct LookAtGraph {
  Space exec;
  Graph<Space, Offset> graph;

  Ordinal num_nodes() const { return graph.num_nodes; }
  bool has_edges() const { return graph.num_edges() > 0; }
  BoxFit fit(const Box& box) const { return fit_box(exec, graph, box, largest_reach); }
  PlaneFit planes(const Box& box, bool spares_rim) const {
    return fit_planes(exec, graph, box, largest_reach, spares_rim);
  }
  std::optional<std::vector<Ordinal>> strides() const { return sample_strides(exec, graph); }
};

template <class Space, class Offset>
std::optional<StructuredAggregates<Space>> aggregate_structured(const Space& exec,
                                                                const Graph<Space, Offset>& graph,
                                                                Ordinal width,
                                                                const std::optional<Box>& hint) {
  require(width == 0 || width >= 2, [&] {
    return "width = " + std::to_string(width) + "; expected 0 (automatic) or at least 2";
  });
  LookAtGraph<Space, Offset> look{exec, graph};
  const auto pieces = choose_pieces(look, width, hint);
  if (!pieces) return std::nullopt;
  StructuredAggregates<Space> result;
  result.fine = pieces->fine;
  result.coarse = pieces->coarse;
  result.aggregates.num_aggregates = static_cast<Ordinal>(pieces->coarse.size());
  result.aggregates.num_members = static_cast<Ordinal>(pieces->active);
  result.aggregates.aggregate_of = number_pieces_of(exec, graph, 0, *pieces);
  if (pieces->may_cut) {
    const std::int64_t cut = count_cut_pairs(
        exec, FitBox<Space, Offset>(graph, pieces->fine, largest_reach), {0, 0, graph.num_nodes},
        result.aggregates.aggregate_of, pieces->spares_rim);
    if (cut > rules::max_cut_pairs) return std::nullopt;
  }
  return result;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, aggregate_structured)

}  // namespace tessera::kernels
