// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv` for CSR stored in 16 and 8 bits.
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(Storage, Space, Offset)                            \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                         \
                                           const CsrView<Storage, Space, Offset>& A); \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                         \
                                           const CsrView<Storage, Space, Offset>& A,  \
                                           CsrSpmvAlgorithm algorithm, int lanes, int rows);
#define TESSERA_INSTANTIATE(Storage, Space)                \
  TESSERA_INSTANTIATE_OFFSET(Storage, Space, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(Storage, Space, std::int64_t)
#define TESSERA_INSTANTIATE_SMALL(Space) TESSERA_FOR_EACH_SMALL_STORAGE(TESSERA_INSTANTIATE, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SMALL)

#undef TESSERA_INSTANTIATE_SMALL
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
