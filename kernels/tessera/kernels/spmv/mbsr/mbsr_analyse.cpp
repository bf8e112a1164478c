// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv` for mBSR.
#include "tessera/kernels/spmv/mbsr/mbsr_analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space)                                                        \
  template MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A); \
  template MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A,  \
                                            MbsrSpmvKernel kernel, int lanes);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#define TESSERA_INSTANTIATE_SPACE(Space)                                \
  template int tensor_core_columns<double>(const MbsrSpmvPlan<Space>&); \
  template int tensor_core_columns<float>(const MbsrSpmvPlan<Space>&);  \
  template bool has_tensor_core_spmv<Space>();                          \
  template bool has_staged_spmv<Space>();
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)

#undef TESSERA_INSTANTIATE_SPACE
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
