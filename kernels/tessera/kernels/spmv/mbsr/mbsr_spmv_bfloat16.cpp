// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of the products of matrices stored in BFloat16.
#include "tessera/kernels/spmv/mbsr/mbsr_spmv_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#if TESSERA_ALL_STORAGE_SCALARS

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Working, Space) \
  TESSERA_DETAIL_INSTANTIATE_PRODUCTS(MbsrView, BFloat16, Working, Space)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels

#endif
