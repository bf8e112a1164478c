// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `spmv_dot` and `residual_norm` of CSR, in one precision and in mixed ones. By
/// one source, as most of what they are made of is the same.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/csr/csr_products_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_DOT(Storage, Working, Space, Offset)              \
  extern TESSERA_DETAIL_SPMV(Working, Space, CsrView<Storage, Space, Offset>) \
      TESSERA_DETAIL_SPMV_DOT(Working, Space, CsrView<Storage, Space, Offset>)
#define TESSERA_INSTANTIATE_NORM(Storage, Working, Space, Offset)                 \
  extern TESSERA_DETAIL_RESIDUAL(Working, Space, CsrView<Storage, Space, Offset>) \
      TESSERA_DETAIL_RESIDUAL_NORM(Working, Space, CsrView<Storage, Space, Offset>)
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)       \
  TESSERA_INSTANTIATE_DOT(Scalar, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_NORM(Scalar, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
TESSERA_DETAIL_FOR_EACH_MIXED_CSR(TESSERA_INSTANTIATE_DOT)
TESSERA_DETAIL_FOR_EACH_MIXED_CSR(TESSERA_INSTANTIATE_NORM)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_NORM
#undef TESSERA_INSTANTIATE_DOT

}  // namespace tessera::kernels
