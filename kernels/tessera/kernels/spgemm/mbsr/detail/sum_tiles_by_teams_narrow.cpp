// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of sum_tiles_by_teams: factors of 16 bits.

#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles_by_teams_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE(...) TESSERA_INSTANTIATE_FUNCTION(sum_tiles_by_teams, __VA_ARGS__)

TESSERA_DETAIL_PRODUCTS_NARROW(TESSERA_INSTANTIATE, ::tessera::HostSpace)
#if TESSERA_HAVE_DEVICE
TESSERA_DETAIL_PRODUCTS_NARROW(TESSERA_INSTANTIATE, ::tessera::DeviceSpace)
#endif
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
