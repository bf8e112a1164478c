// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `chebyshev_step` of CSR.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/csr/csr_products_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_DETAIL_CHEBYSHEV_STEP(Scalar, Space, CsrView<Scalar, Space, Offset>)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
