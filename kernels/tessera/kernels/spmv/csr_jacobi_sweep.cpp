// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `jacobi_sweep`.
#include "tessera/kernels/spmv/csr_spmv_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                        \
  template void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,           \
                             const CsrView<Scalar, Space, Offset>& A,                     \
                             const NonDeduced<ArrayView<const Scalar, Space>>& d,         \
                             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,    \
                             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x_in, \
                             const NonDeduced<MultiVectorView<Scalar, Space>>& x_out);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
