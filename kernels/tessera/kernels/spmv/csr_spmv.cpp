// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `spmv`.
#include "tessera/kernels/spmv/csr_spmv_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                                \
  template void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, NonDeduced<Scalar> alpha, \
                     const CsrView<Scalar, Space, Offset>& A,                                     \
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,                    \
                     NonDeduced<Scalar> beta,                                                     \
                     const NonDeduced<MultiVectorView<Scalar, Space>>& y);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
