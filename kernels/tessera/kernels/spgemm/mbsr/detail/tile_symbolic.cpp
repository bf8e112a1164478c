// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of tile_symbolic.hpp.

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/multiply_patterns_by_teams_impl.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/multiply_patterns_by_threads_impl.hpp"

#include <limits>

namespace tessera::kernels::spgemm_detail {

void require_countable_tiles(std::int64_t num_tiles) {
  require(num_tiles <= std::numeric_limits<std::int32_t>::max(), [&] {
    return "the product has " + std::to_string(num_tiles) +
           " tiles, more than the 2147483647 that mBSR counts";
  });
}

#define TESSERA_INSTANTIATE(SPACE)                                                                 \
  template TilePattern<SPACE> multiply_patterns_by_teams(                                          \
      const SPACE&, const TilePatternView<SPACE>&, const TilePatternView<SPACE>&, SizeHistogram&); \
  template Ordinal longest_row(const SPACE&, const ArrayView<const std::int32_t, SPACE>&);         \
  template void start_tiles(const SPACE&, const ArrayView<const TileMap, SPACE>&,                  \
                            const ArrayView<std::int64_t, SPACE>&);

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

template TilePattern<HostSpace> multiply_patterns_by_threads(const HostSpace&,
                                                             const TilePatternView<HostSpace>&,
                                                             const TilePatternView<HostSpace>&);

}  // namespace tessera::kernels::spgemm_detail
