// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/selection_rules.hpp"
#include "tessera/solve/detail/select_steps.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tessera {
namespace detail {

using amg::CoarseningKind;

/// What matrices like this one are solved by in the least time, and in the least but for that.
struct RankedCoarsenings {
  CoarseningKind first, second;
  std::string why;
};

bool aggregation_is_open(const amg::SmoothedAggregationParameters& p) {
  const amg::SmoothedAggregationParameters open;
  return p.aggregation == open.aggregation && p.strength_measure == open.strength_measure &&
         p.strength_threshold == open.strength_threshold &&
         p.strength_scaling == open.strength_scaling &&
         p.prolongator_omega == open.prolongator_omega;
}

bool is_mesh_in_the_plane(const MatrixFacts& facts) {
  return facts.symmetric && diagonal_of_one_sign(facts) && !facts.has_hubs &&
         facts.positive_couplings > rules::few_positive_couplings &&
         facts.entries <= rules::max_entries_in_the_plane * facts.rows;
}

/// Aggregates do little along streamlines that go round, even beside incomplete factors.
bool goes_round(const MatrixFacts& facts) {
  return facts.long_streamlines >= rules::long_streamlines_of_classical &&
         facts.positive_couplings <= rules::few_positive_couplings && diagonal_of_one_sign(facts);
}

RankedCoarsenings ranked_on_grid(const MatrixFacts& facts, bool is_flow) {
  if (is_flow && goes_round(facts))
    return {rules::coarsening_of_long_streamlines, rules::coarsening_of_others,
            fmt::format("{:.0f} % of the couplings are of one direction, and of a few streamlines "
                        "{:.0f} % are long, on a grid",
                        100 * facts.skew_share, 100 * facts.long_streamlines)};
  return {rules::coarsening_of_others,
          is_flow ? rules::runner_up_of_flows_on_grids : rules::runner_up_of_others,
          is_flow ? fmt::format("{:.0f} % of the couplings are of one direction, on a grid",
                                100 * facts.skew_share)
                  : "rows repeat each other as on a grid"};
}

RankedCoarsenings ranked_off_grid(const MatrixFacts& facts, bool is_flow) {
  const double positive = 100 * facts.positive_couplings;
  if (is_mesh_in_the_plane(facts))
    return {rules::coarsening_of_meshes_in_the_plane, rules::runner_up_of_meshes_in_the_plane,
            fmt::format("{:.0f} % of the couplings are positive, in short rows that do not repeat "
                        "each other: a mesh in the plane",
                        positive)};
  const bool has_few = facts.positive_couplings <= rules::few_positive_couplings;
  if (!facts.symmetric && has_few && diagonal_of_one_sign(facts))
    return {rules::coarsening_without_symmetry,
            is_flow ? rules::runner_up_of_flows_off_grids : rules::coarsening_of_others,
            "the matrix is not symmetric, and its rows do not repeat each other"};
  return {rules::coarsening_of_others, rules::runner_up_of_others,
          has_few ? "nearly all couplings are negative"
                  : fmt::format("{:.0f} % of the couplings are positive", positive)};
}

/// On a device Jacobi smooths, which beside aggregates does little along closed streamlines, on
/// grids either. What is off grids is as on a host, but for a reduction, whose setup takes several
/// times as long there.
RankedCoarsenings ranked_on_device(const MatrixFacts& facts, int block_size) {
  const RankedCoarsenings usual{rules::coarsening_of_others, rules::runner_up_of_others, ""};
  if (block_size > 1)
    return {usual.first, usual.second, fmt::format("{} unknowns per node", block_size)};
  if (facts.has_vectors) return {usual.first, usual.second, "near-nullspace vectors were given"};
  const bool is_flow =
      !facts.symmetric && facts.skew_share >= rules::skew_share_of_classical_on_devices &&
      facts.positive_couplings <= rules::few_positive_couplings && diagonal_of_one_sign(facts);
  if (is_flow)
    return {rules::coarsening_of_flows_on_devices, rules::coarsening_of_others,
            fmt::format("{:.0f} % of the couplings are of one direction", 100 * facts.skew_share)};
  if (!facts.is_whole)
    return {usual.first, usual.second, "nothing else was measured on several GPUs"};
  if (facts.repeated_rows >= rules::repeated_rows_of_grid) return ranked_on_grid(facts, false);
  if (facts.full_blocks > 1)
    return {usual.first, usual.second,
            fmt::format("rows come in full blocks of {}", facts.full_blocks)};
  return ranked_off_grid(facts, false);
}

RankedCoarsenings ranked_coarsenings(const MatrixFacts& facts, int block_size) {
  const RankedCoarsenings usual{rules::coarsening_of_others, rules::runner_up_of_others, ""};
  if (!facts.on_host) return ranked_on_device(facts, block_size);
  if (block_size > 1)
    return {usual.first, usual.second, fmt::format("{} unknowns per node", block_size)};
  if (facts.reacting_unknowns > 1)
    return {rules::coarsening_of_reactions, rules::coarsening_of_others,
            fmt::format("the {} unknowns of a node turn into each other", facts.reacting_unknowns)};
  if (facts.has_vectors) return {usual.first, usual.second, "near-nullspace vectors were given"};
  const bool is_flow = !facts.symmetric && facts.skew_share >= rules::skew_share_of_convection;
  return facts.repeated_rows >= rules::repeated_rows_of_grid ? ranked_on_grid(facts, is_flow)
                                                             : ranked_off_grid(facts, is_flow);
}

/// Where all vertices are few edges apart, a smoothed prolongator's rows reach a good part of them.
void select_smoothing(amg::SmoothedAggregationParameters& p, const MatrixFacts& facts,
                      int block_size, std::vector<Selection>& selections) {
  if (!is_uneven_graph(facts) || block_size > 1 || facts.has_vectors) return;
  p.prolongator_omega = rules::omega_of_uneven_graphs;
  selections.push_back({fmt::format("amg.smoothed_aggregation.prolongator_omega={:g}",
                                    rules::omega_of_uneven_graphs.value),
                        "prolongators without smoothing", why_uneven_graph(facts)});
}

void select_coarsening(SolveParameters& parameters, const MatrixFacts& facts, int block_size,
                       std::vector<Selection>& selections) {
  amg::Parameters& p = parameters.amg;
  if (p.coarsening != CoarseningKind::automatic) return;
  const bool is_open = coarsening_is_open(p);
  p.coarsening = rules::coarsening_of_others;
  const int coarse_size = p.coarse_size == 0 ? rules::coarse_size.value : p.coarse_size;
  const bool is_one_level = facts.rows <= std::min(coarse_size, p.max_dense_size);
  if (!is_open || is_one_level || parameters.preconditioner != PreconditionerKind::amg) return;
  const RankedCoarsenings ranked = ranked_coarsenings(facts, block_size);
  p.coarsening = ranked.first;
  const std::string name = amg::coarsening_name(ranked.first);
  selections.push_back(
      {"amg.coarsening=" + name,
       fmt::format("coarsening {}, runner-up {}", name, amg::coarsening_name(ranked.second)),
       ranked.why});
  if (ranked.first == CoarseningKind::smoothed_aggregation)
    select_smoothing(p.smoothed_aggregation, facts, block_size, selections);
}

}  // namespace detail

bool coarsening_is_open(const amg::Parameters& asked) {
  return asked.coarsening == amg::CoarseningKind::automatic && asked.levels.empty() &&
         !asked.choose_level && detail::aggregation_is_open(asked.smoothed_aggregation);
}

}  // namespace tessera
