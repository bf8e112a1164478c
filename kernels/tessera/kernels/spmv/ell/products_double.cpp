// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of the products of ELL with vectors of double.
#include "tessera/kernels/spmv/detail/ell_sweep.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space) \
  TESSERA_DETAIL_INSTANTIATE_PRODUCTS(EllView, Storage, double, Space)
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
