// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of sum_tiles_by_threads: all storages.

#include "tessera/kernels/spgemm/mbsr/detail/instantiate_products.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles_by_threads_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE(A, B, C, SPACE)                                                \
  template void sum_tiles_by_threads(const SPACE&, const MbsrSpgemmPlan<SPACE>&,           \
                                     const MbsrView<A, SPACE>&, const MbsrView<B, SPACE>&, \
                                     const Mbsr<C, SPACE>&);

TESSERA_DETAIL_PRODUCTS_OF(TESSERA_INSTANTIATE, ::tessera::HostSpace)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
