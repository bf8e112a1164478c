// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is chosen for a level that is distributed over processes.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/distributed/cycle.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/smoother/point_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace tessera::distributed {

/// By the list, and by what the callback makes of it. `spectral_radius`: of the level's D^-1 A,
/// where there is a callback, which each process calls; where it throws on one, all throw.
/// Collective.
/// @throws Error of kind `configuration` for what is no parameter of a level, and for what levels
/// over several processes do not have
template <class Space>
amg::LevelParameters choice_of_level(const amg::Parameters& p, const Level<Space>& level,
                                     int number, bool symmetric, double spectral_radius) {
  amg::LevelParameters chosen = amg::listed_choice(p, number);
  if (p.choose_level) {
    const amg::LevelFacts facts{
        number,
        level.A.row_shares->size(),
        level.A.processes->sum_of(static_cast<std::int64_t>(level.A.rows.num_entries())),
        level.block_size,
        spectral_radius,
        symmetric};
    on_all_processes(*level.A.processes, [&] {
      chosen = p.choose_level(facts, chosen);
      check_parameters(chosen, "amg.choose_level of level " + std::to_string(number) + ": ");
      check_level(chosen);
      if (chosen.smoother.points != RelaxationPoints::all) check_points(chosen.smoother);
    });
  }
  chosen.smoother = amg::smoother_for(chosen.smoother, level.block_size, symmetric);
  return chosen;
}

/// Whether a level's coarsening may be of that kind, by the parameters alone, which leave none
/// open.
inline bool names_coarsening(const amg::Parameters& p, amg::CoarseningKind kind) {
  if (p.levels.empty()) return p.coarsening == kind;
  return std::ranges::any_of(p.levels, [&](const amg::LevelParameters& level) {
    const amg::CoarseningKind own = level.coarsening.type;
    return (own == amg::CoarseningKind::same ? p.coarsening : own) == kind;
  });
}

}  // namespace tessera::distributed
