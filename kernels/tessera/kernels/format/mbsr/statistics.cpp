// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of the statistics of tiles.
#include "tessera/kernels/format/mbsr/statistics_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space)                                      \
  template RowStatistics tile_row_statistics(const Space& exec,                  \
                                             const MbsrView<Storage, Space>& A); \
  template std::array<std::int64_t, tile_places + 1> tile_histogram(             \
      const Space& exec, const MbsrView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
