// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/run_tiled_solve.hpp"
#include "tessera/kernels/persistent/detail/short_offsets.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset, int size>
TiledReport persistent_bicgstab(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                                const CsrView<Scalar, Space, Offset>& A,
                                const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                const NonDeduced<ArrayView<const Scalar, Space>>& b,
                                const NonDeduced<ArrayView<Scalar, Space>>& x,
                                const PersistentLimits& limits, const TileOptions& options,
                                double time_limit_s, const PersistentTuning& tuning) {
  if constexpr (sizeof(Offset) > sizeof(std::int32_t)) {
    return persistent_bicgstab(
        exec, workspace, detail::with_short_offsets(exec, A, workspace.vectors.offsets()),
        detail::with_short_offsets(exec, tiles, workspace.tile_offsets, workspace.begins),
        inverse_diagonal, b, x, limits, options, time_limit_s, tuning);
  } else {
    const auto run = [&]<bool is_dynamic>() {
      using Rows = detail::TileShare<Scalar, Offset, size, is_dynamic>;
      return detail::run_tiled_solve<detail::BicgstabMethod<Rows>>(
          exec, "tessera::persistent::tiled_bicgstab", workspace, A, tiles, inverse_diagonal, b, x,
          limits, options, time_limit_s, tuning);
    };
    return options.is_dynamic ? run.template operator()<true>() : run.template operator()<false>();
  }
}

#define TESSERA_INSTANTIATE(...) TESSERA_INSTANTIATE_FUNCTION(persistent_bicgstab, __VA_ARGS__, 16)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
