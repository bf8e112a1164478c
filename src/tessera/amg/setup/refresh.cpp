// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/refresh.hpp"

#include "tessera/amg/setup/coarsen_level.hpp"
#include "tessera/amg/setup/decide_storage.hpp"
#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/level_galerkin_product.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/level_relaxation.hpp"
#include "tessera/amg/setup/levels_in_float.hpp"
#include "tessera/amg/setup/prepare_level.hpp"
#include "tessera/amg/setup/store_level.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// Picks the storage that is open for the values that the level has by now. Whether that of P or R
/// changes.
template <class Scalar, class Space, class Offset>
bool pick_storage_again(const Space& exec, SetupLevel<Scalar, Space, Offset>& here,
                        PhaseTimer<Space>& timer) {
  if (!has_open_storage(here.asked)) return false;
  timer.start(exec, "storage");
  const StorageScalar P = here.chosen.P.scalar;
  const StorageScalar R = here.chosen.R.scalar;
  pick_storage(exec, here.near_nullspace, here);
  return here.chosen.P.scalar != P || here.chosen.R.scalar != R;
}

/// The way from the level at `depth` to the next, and that one's operator, again. `restores`: P and
/// R are stored otherwise than before.
template <class Scalar, class Space, class Offset>
void refresh_coarse(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                    bool keeps_interpolation, bool restores, std::size_t depth,
                    Level<Scalar, Space>& level, PhaseTimer<Space>& timer) {
  auto& here = setup.levels[depth];
  const bool connects = !keeps_interpolation || restores;
  if (connects) unscale_restriction(exec, here);
  if (!keeps_interpolation && here.coarsening->makes_new_interpolation())
    make_room_for_interpolation(exec, here);
  LevelGalerkinProduct<Scalar, Space, Offset> product(here, true, timer);
  here.coarsening->compute(exec, here.fine, keeps_interpolation, product, here.coarse, timer);
  release_operator(here);
  renew_connection(here);
  // Plans hold for new values, and what is in compressed rows sees them.
  if (connects) connect_levels(exec, setup.parameters, setup.symmetric, here, level, timer);
  relax_fine_points(exec, setup.parameters, here, level);
  release_connection(setup.parameters.reuse, here);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool refresh(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
             bool keeps_interpolation, PhaseTimer<Space>& timer,
             Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  if (setup.write_values) {
    timer.start(exec, "conversion");
    renew_values(exec, setup.write_values, setup.levels.front().fine);
  }
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    auto& here = setup.levels[depth];
    timer.enter_level(setup.first_level + static_cast<int>(depth));
    const bool relaxes = levels[depth].smoother != nullptr;
    if (relaxes && !prepare_level(exec, setup.parameters, here.fine, timer)) return false;
    const bool restores = relaxes && detail::pick_storage_again(exec, here, timer);
    if (here.storage.converts) {
      timer.start(exec, "conversion");
      refill_tiles(exec, here);
    }
    finish_level(exec, setup.parameters, here, relaxes, levels[depth], timer);
    if (depth + 1 < setup.levels.size())
      detail::refresh_coarse(exec, setup, keeps_interpolation, restores, depth, levels[depth],
                             timer);
    auto& shown = hierarchy.info.levels[depth];
    const std::string aggregation = shown.aggregation;
    const std::string products = shown.products;
    const std::string coarsening = shown.coarsening;
    shown = level_info(levels[depth], here.chosen.smoother);
    shown.aggregation = aggregation;
    shown.products = products;
    shown.coarsening = coarsening;
    shown.setup_ms = timer.lap();
  }
  if (setup.tail != nullptr)
    return refresh_in_float(exec, setup, keeps_interpolation, timer, hierarchy);
  return hierarchy.coarsest_is_relaxed || solve_coarsest(exec, setup, timer, hierarchy);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refresh)

}  // namespace tessera::amg
