// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/detail/select_steps.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tessera::detail {

bool uses_reduction(const amg::Parameters& p) {
  const auto is_reduction = [](amg::CoarseningKind kind) {
    return kind == amg::CoarseningKind::reduction;
  };
  if (p.levels.empty()) return is_reduction(p.coarsening);
  return std::any_of(p.levels.begin(), p.levels.end(), [&](const amg::LevelParameters& level) {
    const amg::CoarseningKind kind = level.coarsening.type;
    return is_reduction(kind == amg::CoarseningKind::same ? p.coarsening : kind);
  });
}

void select_for_reduction(SolveParameters& p, SolverName asked,
                          std::vector<Selection>& selections) {
  if (p.preconditioner != PreconditionerKind::amg || !uses_reduction(p.amg)) return;
  if (asked == SolverName::automatic && p.solver.name == SolverName::cg) {
    p.solver.name = SolverName::gmres;
    std::erase_if(selections, [](const Selection& s) { return s.setting == "solver.name=cg"; });
    selections.push_back(
        {"solver.name=gmres", "solver gmres", "a reduction's cycle is not symmetric"});
  }
  double& complexity = p.amg.max_operator_complexity;
  if (complexity != amg::Parameters{}.max_operator_complexity) return;
  complexity = rules::complexity_of_reduction;
  selections.push_back({fmt::format("amg.max_operator_complexity={:g}", complexity),
                        fmt::format("operator complexity up to {:g}", complexity),
                        "a reduction's levels lose few points"});
}

}  // namespace tessera::detail
