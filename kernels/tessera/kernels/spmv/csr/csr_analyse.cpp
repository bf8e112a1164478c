// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv`.
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                   \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                        \
                                           const CsrView<Scalar, Space, Offset>& A); \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                        \
                                           const CsrView<Scalar, Space, Offset>& A,  \
                                           CsrSpmvAlgorithm algorithm, int lanes, int rows);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#define TESSERA_INSTANTIATE_SPACE(Space) template bool has_staged_csr_spmv<Space>();
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)

#undef TESSERA_INSTANTIATE_SPACE
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
