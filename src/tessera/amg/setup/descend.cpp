// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/descend.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/coarsen_level.hpp"
#include "tessera/amg/setup/decide_storage.hpp"
#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/levels_in_float.hpp"
#include "tessera/amg/setup/prepare_level.hpp"
#include "tessera/amg/setup/store_level.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>

namespace tessera::amg {
namespace detail {

/// Whether coarsening ends with a level of that size: the user's, or ours. Never more than is
/// solved densely: relaxation alone would be a poor end.
inline bool is_small(const Parameters& p, Ordinal num_rows) {
  const int asked = p.coarse_size > 0 ? p.coarse_size : rules::coarse_size.value;
  return num_rows <= std::min(asked, p.max_dense_size);
}

/// Empties the hierarchy but for its finest level.
template <class Scalar, class Space, class Offset>
void begin_hierarchy(HierarchySetup<Scalar, Space, Offset>& setup,
                     FineLevel<Scalar, Space, Offset> finest, Hierarchy<Scalar, Space>& hierarchy) {
  finest.symmetric = setup.symmetric;
  finest.number = setup.first_level;
  hierarchy.first_level = setup.first_level;
  setup.levels.clear();
  setup.tail.reset();
  setup.levels.emplace_back().fine = std::move(finest);
}

template <class Scalar, class Space, class Offset>
LevelParameters choose_level(const HierarchySetup<Scalar, Space, Offset>& setup) {
  const auto& fine = setup.levels.back().fine;
  return setup.first_choice && setup.levels.size() == 1
             ? *setup.first_choice
             : choices_for(setup.parameters, fine, fine.number, setup.symmetric);
}

/// Storage that the values decide, and by it what is multiplied and kept.
template <class Scalar, class Space, class Offset>
void choose_storage(const Space& exec, const HierarchySetup<Scalar, Space, Offset>& setup,
                    const NearNullspace<Scalar, Space>& B, bool is_small,
                    SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer) {
  const Parameters& p = setup.parameters;
  here.asked = here.chosen;
  if (setup.keeps_pattern && has_open_storage(here.asked)) here.near_nullspace = B.kept(exec);
  pick_storage(exec, B.view(), here);
  decide_storage(exec, p, is_small || here.fine.number + 1 >= p.max_levels, here, timer);
}

/// What the cycle reads of the level's operator, and its smoother.
template <class Scalar, class Space, class Offset>
void store_level(const Space& exec, const HierarchySetup<Scalar, Space, Offset>& setup,
                 SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level,
                 PhaseTimer<Space>& timer) {
  const bool is_first = setup.levels.size() == 1;
  finish_level(exec, setup.parameters, here, true, level, timer);
  if (is_first && level.A != here.fine.A) here.storage.write_values = setup.write_values;
}

/// Frees what the levels go on without: where values do not come again, all that they have no share
/// in.
template <class Scalar, class Space, class Offset>
void release_level(const HierarchySetup<Scalar, Space, Offset>& setup,
                   SetupLevel<Scalar, Space, Offset>& here) {
  if (setup.keeps_pattern) return release_connection(setup.parameters.reuse, here);
  SetupLevel<Scalar, Space, Offset> kept;
  kept.fine.number = here.fine.number;
  kept.chosen = here.chosen;
  kept.notes = std::move(here.notes);
  here = std::move(kept);
}

}  // namespace detail

//! [setup loop]
template <class Scalar, class Space, class Offset>
bool descend(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
             FineLevel<Scalar, Space, Offset> finest, NearNullspace<Scalar, Space>& B,
             PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy) {
  const Parameters& p = setup.parameters;
  detail::begin_hierarchy(setup, std::move(finest), hierarchy);
  for (bool is_coarsest = false; !is_coarsest;) {
    auto& here = setup.levels.back();
    timer.enter_level(here.fine.number);
    const bool is_small = detail::is_small(p, here.fine.A->num_rows());
    const bool is_solved = is_small && p.coarse_sweeps == 0;
    // The callback is asked of levels that are relaxed alone, once their spectral radius is known.
    const bool is_listed = is_solved || !p.choose_level;
    if (is_listed && descend_in_float(exec, setup, {}, B, timer, hierarchy)) return true;
    if (is_solved) return end_hierarchy(exec, setup, B, false, timer, hierarchy);
    if (!prepare_level(exec, p, here.fine, timer)) return false;
    here.chosen = detail::choose_level(setup);
    if (!is_listed && descend_in_float(exec, setup, here.chosen, B, timer, hierarchy)) return true;

    detail::choose_storage(exec, setup, B, is_small, here, timer);
    auto& level = hierarchy.levels.emplace_back();
    if (here.storage.comes_first) detail::store_level(exec, setup, here, level, timer);
    if (!is_small) choose_coarsening(setup, hierarchy.info.levels, here);
    is_coarsest = is_small || !coarsen_level(exec, setup, here, B, timer, hierarchy.info.notes);
    if (!here.storage.comes_first) detail::store_level(exec, setup, here, level, timer);
    auto& info = hierarchy.info.levels;
    if (is_coarsest) {
      info.push_back(level_info(level, here.chosen.smoother));
    } else {
      release_operator(here);
      auto next = next_level(exec, here, static_cast<int>(B.count()), timer);
      connect_levels(exec, p, setup.symmetric, here, level, timer);
      info.push_back(coarsened_level_info(level, here));
      detail::release_level(setup, here);
      setup.levels.push_back(std::move(next));
    }
    info.back().setup_ms = timer.lap();
  }
  return end_hierarchy(exec, setup, B, true, timer, hierarchy);
}
//! [setup loop]

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template bool descend(const Space&, HierarchySetup<Scalar, Space, Offset>&,            \
                        FineLevel<Scalar, Space, Offset>, NearNullspace<Scalar, Space>&, \
                        PhaseTimer<Space>&, Hierarchy<Scalar, Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
