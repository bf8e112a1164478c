// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of spgemm.hpp.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/spgemm_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> spgemm(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, \
                                             const CsrView<SCALAR, SPACE, OFFSET>&,               \
                                             SpgemmAlgorithm);                                    \
  template void spgemm_numeric(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
                               const CsrView<SCALAR, SPACE, OFFSET>&,                             \
                               const Csr<SCALAR, SPACE, OFFSET>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
