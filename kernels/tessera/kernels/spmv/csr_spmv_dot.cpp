// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `spmv_dot`.
#include "tessera/kernels/spmv/csr_spmv_dot_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                             \
  extern template void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan,                 \
                            NonDeduced<Scalar> alpha, const CsrView<Scalar, Space, Offset>& A, \
                            const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,          \
                            NonDeduced<Scalar> beta,                                           \
                            const NonDeduced<MultiVectorView<Scalar, Space>>& y);              \
  template void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,                    \
                         const CsrView<Scalar, Space, Offset>& A,                              \
                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,             \
                         const NonDeduced<MultiVectorView<Scalar, Space>>& y,                  \
                         const NonDeduced<ArrayView<Scalar, Space>>& result);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
