// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/descend.hpp"

#include "tessera/amg/coarsening/fine_values.hpp"
#include "tessera/amg/coarsening/make_coarsening.hpp"
#include "tessera/amg/setup/coarsest_level.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/level_products.hpp"
#include "tessera/amg/setup/level_storage.hpp"
#include "tessera/amg/setup/levels_in_float.hpp"
#include "tessera/amg/setup/prepare_level.hpp"
#include "tessera/amg/setup/released_values.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace tessera::amg {
namespace detail {

/// The size at which coarsening ends: the user's, or ours, for a device pays a launch for every
/// level, and a host the cube of the size. Never more than is solved densely: relaxation alone
/// would be a poor end.
template <class Space>
int coarse_size(const Parameters& p) {
  const int open = kernels::is_host_space<Space> ? 200 : 150;
  return std::min(p.coarse_size > 0 ? p.coarse_size : open, p.max_dense_size);
}

/// What `p` leaves for the level below `fine`.
template <class Scalar, class Space, class Offset>
CoarseningLimits limits(const Parameters& p, const FineLevel<Scalar, Space, Offset>& fine,
                        const CoarseningState& state) {
  const Ordinal nodes = fine.A->num_rows() / fine.block_size;
  const auto finest_entries = static_cast<double>(state.finest_entries);
  return {nodes, p.max_coarsening_ratio * nodes,
          p.max_operator_complexity * finest_entries - static_cast<double>(state.entries_so_far),
          finest_entries, state.notes};
}

/// Frees what is of use for new values alone: what the levels go on with, they have a share
/// in.
template <class Scalar, class Space, class Offset>
void forget_pattern(SetupLevel<Scalar, Space, Offset>& here) {
  SetupLevel<Scalar, Space, Offset> kept;
  kept.number = here.number;
  kept.chosen = here.chosen;
  kept.notes = std::move(here.notes);
  here = std::move(kept);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool descend(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
             FineLevel<Scalar, Space, Offset> fine, NearNullspace<Scalar, Space>& B,
             CoarseningState& state, PhaseTimer<Space>& timer,
             Hierarchy<Scalar, Space>& hierarchy) {
  const Parameters& p = setup.parameters;
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  hierarchy.first_level = setup.first_level;
  setup.symmetric = state.symmetric;
  setup.finest_entries = state.finest_entries;
  setup.levels.clear();
  setup.tail.reset();
  setup.levels.emplace_back().fine = std::move(fine);
  const int coarse_size = detail::coarse_size<Space>(p);
  bool ended = false;
  while (!ended) {
    auto& here = setup.levels.back();
    here.number = setup.first_level + static_cast<int>(levels.size());
    const bool is_small = here.fine.A->num_rows() <= coarse_size;
    const bool is_coarsest = is_small && p.coarse_sweeps == 0;
    // The callback is asked of levels that are relaxed alone, once their spectral radius is known.
    const bool is_listed = is_coarsest || !p.choose_level;
    if (is_listed && goes_to_float<Scalar>(listed_choice(p, here.number)) &&
        descend_in_float(exec, setup, {}, B, state, timer, hierarchy))
      return true;
    if (is_coarsest) break;
    if (!prepare_level(exec, p, here.fine, timer)) return false;
    here.chosen = setup.first_choice && levels.empty()
                      ? *setup.first_choice
                      : choices_for(p, here.fine, here.number, setup.symmetric);
    if (!is_listed && goes_to_float<Scalar>(here.chosen) &&
        descend_in_float(exec, setup, here.chosen, B, state, timer, hierarchy))
      return true;
    here.asked = here.chosen;
    if (setup.keeps_pattern && has_open_storage(here.asked)) here.near_nullspace = B.kept(exec);
    pick_storage(exec, B.view(), here);
    const bool is_last = is_small || here.number + 1 >= p.max_levels;
    if (!is_last) choose_products(exec, p, here, timer);
    Level<Scalar, Space>& level = levels.emplace_back();
    const auto finish = [&] {
      const bool is_rounded = setup.in_double.has_value() && levels.size() == 1;
      finish_level(exec, here, true, level, timer, is_rounded ? &*setup.in_double : nullptr);
      if (levels.size() == 1 && level.A != here.fine.A) here.fine.write_values = setup.write_values;
    };
    here.fine.stores_P_in_rows = !takes_tiles(here.chosen.P);
    here.fine.reads_rows = !is_other_than_rows(here.chosen.A.format);
    // A product of rows, where setup has its peak, is not to hold A in another format, too; one of
    // tiles frees the rows.
    const bool finishes_first = is_last || here.fine.multiplies_tiles;
    if (finishes_first) finish();
    std::optional<CoarseLevel<Scalar, Space, Offset>> coarse;
    LevelCoarsening how;
    if (is_last && !is_small)
      info.notes.push_back("stopped at max_levels = " + std::to_string(p.max_levels));
    if (!is_last) {
      how = coarsening_of_level({p.coarsening, p.smoothed_aggregation, p.pairwise},
                                here.chosen.coarsening, here.number);
      here.coarsening = make_coarsening<Scalar, Space, Offset>(how, setup.keeps_pattern);
      coarse = here.coarsening->initialize(exec, here.fine, B, detail::limits(p, here.fine, state),
                                           state, timer);
    }
    if (!finishes_first) finish();
    ended = !coarse;
    if (ended) restore_values(exec, here.fine);
    std::string products;
    FineLevel<Scalar, Space, Offset> next;
    if (!ended) {
      here.coarse = std::move(*coarse);
      state.entries_so_far += here.coarse.A.num_entries();
      ++state.depth;
      // What Views were moved from may hold their arrays still (Kokkos 4.6 on CUDA).
      coarse.reset();
      release_operator(here.fine);
      note_products(here);
      products = here.coarse.tiles ? "mbsr" : "csr";
      next = plan_products(exec, here, static_cast<int>(B.count()), timer);
      connect_levels(exec, p, setup.symmetric, here, level, timer);
    }
    info.levels.push_back(level_info(level, here.chosen.smoother));
    info.levels.back().aggregation = state.aggregation;
    info.levels.back().products = products;
    if (!ended) info.levels.back().coarsening = coarsening_name(how.type);
    if (!ended && setup.keeps_pattern) release_connection(p.reuse, here);
    if (!ended && !setup.keeps_pattern) detail::forget_pattern(here);
    info.levels.back().setup_ms = timer.lap();
    if (!ended) setup.levels.emplace_back().fine = std::move(next);
  }
  return end_hierarchy(exec, setup, B, ended, timer, hierarchy);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template bool descend(const Space&, HierarchySetup<Scalar, Space, Offset>&,            \
                        FineLevel<Scalar, Space, Offset>, NearNullspace<Scalar, Space>&, \
                        CoarseningState&, PhaseTimer<Space>&, Hierarchy<Scalar, Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
