// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `residual_norm` of CSR in mixed precision.
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/csr_mixed_spmv_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Working, Space, Offset)                                    \
  extern template void residual<Working>(                                                       \
      const Space&, const CsrSpmvPlan<Space>&, const CsrView<Storage, Space, Offset>&,          \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&);                                                  \
  template void residual_norm<Working>(                                                         \
      const Space&, const CsrSpmvPlan<Space>&, const CsrView<Storage, Space, Offset>&,          \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&, const ArrayView<double, Space>&);
TESSERA_DETAIL_FOR_EACH_MIXED_CSR(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
