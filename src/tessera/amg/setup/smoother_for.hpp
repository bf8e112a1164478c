// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The smoothers of multigrid, and which ones it picks where the user leaves them open.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/selection_rules.hpp"

namespace tessera::amg {

/// Calls `action` for each smoother that `p` asks for: those of its `levels`, or the one for all.
template <class MaybeConstParameters, class Action>
void for_each_smoother(MaybeConstParameters& p, const Action& action) {
  if (p.levels.empty()) action(p.smoother);
  for (auto& level : p.levels)
    action(level.smoother);
}

/// True where nothing was set of what a pick would change.
inline bool is_left_open(const SmootherParameters& p) {
  const SmootherParameters open;
  return p.type == SmootherType::automatic && p.points == open.points &&
         p.chebyshev.kind == open.chebyshev.kind && p.chebyshev.degree == open.chebyshev.degree &&
         p.chebyshev.eigenvalue_ratio == open.chebyshev.eigenvalue_ratio;
}

/// The same of all that any smoother reads but the number of sweeps.
inline bool is_wholly_open(const SmootherParameters& p) {
  const SmootherParameters open;
  const auto& ilu = p.ilu;
  const auto& block_jacobi = p.block_jacobi;
  const auto& gauss_seidel = p.gauss_seidel;
  return is_left_open(p) && p.jacobi.omega == open.jacobi.omega &&
         p.jacobi.omega_over_radius == open.jacobi.omega_over_radius &&
         ilu.method == open.ilu.method && ilu.sweeps == open.ilu.sweeps &&
         ilu.solve == open.ilu.solve && ilu.shift == open.ilu.shift &&
         ilu.negative_pivots == open.ilu.negative_pivots &&
         block_jacobi.blocks == open.block_jacobi.blocks &&
         block_jacobi.block_rows == open.block_jacobi.block_rows &&
         gauss_seidel.order == open.gauss_seidel.order &&
         gauss_seidel.omega == open.gauss_seidel.omega &&
         gauss_seidel.symmetric == open.gauss_seidel.symmetric &&
         gauss_seidel.inner_sweeps == open.gauss_seidel.inner_sweeps &&
         p.fsai.pattern_power == open.fsai.pattern_power &&
         p.fsai.drop_tolerance == open.fsai.drop_tolerance &&
         p.fsai.max_row_entries == open.fsai.max_row_entries && p.fsai.omega == open.fsai.omega;
}

/// Where `asked` leaves the smoothers of `p`, which has as many, wholly open: those of type `from`
/// become of type `to`. False where there are none.
inline bool exchange_smoothers(const Parameters& asked, Parameters& p, SmootherType from,
                               SmootherType to) {
  bool any = false;
  const auto exchange = [&](const SmootherParameters& before, SmootherParameters& smoother) {
    if (!is_wholly_open(before) || smoother.type != from) return;
    smoother.type = to;
    any = true;
  };
  if (p.levels.empty()) exchange(asked.smoother, p.smoother);
  for (std::size_t l = 0; l < p.levels.size(); ++l)
    exchange(asked.levels[l].smoother, p.levels[l].smoother);
  return any;
}

/// Fills in the smoother that the user left open, by amg/selection_rules.hpp.
inline SmootherParameters smoother_for(SmootherParameters p, int block_size,
                                       bool symmetric = true) {
  if (p.type == SmootherType::automatic) {
    const bool of_nodes = block_size > 1 && symmetric && p.points == RelaxationPoints::all;
    p.type = of_nodes ? rules::smoother_of_nodes : rules::smoother_of_scalars;
  }
  return p;
}

/// The same for coupled unknowns of a node without near-nullspace vectors, A symmetric. What the
/// user set of it stays.
inline SmootherParameters smoother_without_vectors(SmootherParameters p) {
  if (!is_left_open(p)) return p;
  p.type = SmootherType::chebyshev;
  p.chebyshev.degree = rules::degree_without_vectors;
  p.chebyshev.eigenvalue_ratio = rules::eigenvalue_ratio_without_vectors;
  return p;
}

}  // namespace tessera::amg
