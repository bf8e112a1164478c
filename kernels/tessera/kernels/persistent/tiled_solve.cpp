// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/tiled_solve.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/run_tiled_solve.hpp"
#include "tessera/kernels/persistent/detail/short_offsets.hpp"

namespace tessera::kernels {
namespace {

template <template <class> class Method, class Scalar, class Space, class Offset, int size,
          class... Others>
TiledReport solve_tiled_by(const Space& exec, const char* label,
                           TiledWorkspace<Scalar, Space>& workspace, const TileOptions& options,
                           const CsrView<Scalar, Space, Offset>& A,
                           const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                           const Others&... others) {
  if constexpr (sizeof(Offset) > sizeof(std::int32_t)) {
    return solve_tiled_by<Method>(
        exec, label, workspace, options,
        detail::with_short_offsets(exec, A, workspace.vectors.offsets()),
        detail::with_short_offsets(exec, tiles, workspace.tile_offsets, workspace.begins),
        others...);
  } else {
    const auto run = [&]<bool is_dynamic>() {
      return detail::run_tiled_solve<Method<detail::TileShare<Scalar, Offset, size, is_dynamic>>>(
          exec, label, workspace, A, tiles, others...);
    };
    return options.is_dynamic ? run.template operator()<true>() : run.template operator()<false>();
  }
}

}  // namespace

template <class Scalar, class Space, class Offset, int size>
TiledReport persistent_cg(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                          const CsrView<Scalar, Space, Offset>& A,
                          const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                          const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                          const NonDeduced<ArrayView<const Scalar, Space>>& b,
                          const NonDeduced<ArrayView<Scalar, Space>>& x,
                          const PersistentLimits& limits, const TileOptions& options,
                          double time_limit_s, const PersistentTuning& tuning) {
  return solve_tiled_by<detail::CgMethod>(exec, "tessera::persistent::tiled_cg", workspace, options,
                                          A, tiles, inverse_diagonal, b, x, limits, options,
                                          time_limit_s, tuning);
}

template <class Scalar, class Space, class Offset, int size>
TiledReport persistent_bicgstab(const Space& exec, TiledWorkspace<Scalar, Space>& workspace,
                                const CsrView<Scalar, Space, Offset>& A,
                                const MixedTilesView<Scalar, Space, Offset, size>& tiles,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                const NonDeduced<ArrayView<const Scalar, Space>>& b,
                                const NonDeduced<ArrayView<Scalar, Space>>& x,
                                const PersistentLimits& limits, const TileOptions& options,
                                double time_limit_s, const PersistentTuning& tuning) {
  return solve_tiled_by<detail::BicgstabMethod>(exec, "tessera::persistent::tiled_bicgstab",
                                                workspace, options, A, tiles, inverse_diagonal, b,
                                                x, limits, options, time_limit_s, tuning);
}

#define TESSERA_INSTANTIATE(name, ...) TESSERA_INSTANTIATE_FUNCTION(name, __VA_ARGS__, 16)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE, persistent_cg)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE, persistent_bicgstab)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
