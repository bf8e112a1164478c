// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `jacobi_sweep` of CSR in mixed precision.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/csr/csr_products_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Working, Space, Offset) \
  TESSERA_DETAIL_JACOBI_SWEEP(Working, Space, CsrView<Storage, Space, Offset>)
TESSERA_DETAIL_FOR_EACH_MIXED_CSR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
