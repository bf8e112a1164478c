// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of galerkin.hpp.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/galerkin_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> galerkin_product(                                           \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      const CsrView<SCALAR, SPACE, OFFSET>&);                                                     \
  template Csr<SCALAR, SPACE, OFFSET> galerkin_product(                                           \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      const CsrView<SCALAR, SPACE, OFFSET>&, GalerkinPlan<SCALAR, SPACE, OFFSET>&);               \
  template void galerkin_numeric(                                                                 \
      const SPACE&, const GalerkinPlan<SCALAR, SPACE, OFFSET>&,                                   \
      const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
      const CsrView<SCALAR, SPACE, OFFSET>&, const Csr<SCALAR, SPACE, OFFSET>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
