// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of mbsr_spgemm.hpp.

#include "tessera/kernels/spgemm/mbsr/detail/instantiate_products.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(A, B, C, SPACE)                                                        \
  template Mbsr<C, SPACE> spgemm_symbolic<C, A, B, SPACE>(const SPACE&, const MbsrView<A, SPACE>&, \
                                                          const MbsrView<B, SPACE>&, TileLayout,   \
                                                          MbsrSpgemmPlan<SPACE>&);                 \
  template void spgemm_numeric(const SPACE&, const MbsrSpgemmPlan<SPACE>&,                         \
                               const MbsrView<A, SPACE>&, const MbsrView<B, SPACE>&,               \
                               const Mbsr<C, SPACE>&);

TESSERA_FOR_EACH_TILE_PRODUCT(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
