// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `residual_norm`.
#include "tessera/kernels/spmv/csr_residual_norm_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                        \
  extern template void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,        \
                                const CsrView<Scalar, Space, Offset>& A,                  \
                                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b, \
                                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, \
                                const NonDeduced<MultiVectorView<Scalar, Space>>& r);     \
  template void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,          \
                              const CsrView<Scalar, Space, Offset>& A,                    \
                              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,   \
                              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,   \
                              const NonDeduced<MultiVectorView<Scalar, Space>>& r,        \
                              const NonDeduced<ArrayView<double, Space>>& result);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
