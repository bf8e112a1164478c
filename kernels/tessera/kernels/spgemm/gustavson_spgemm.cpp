// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of gustavson_spgemm.hpp, for the host space.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/gustavson_spgemm_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                 \
  template Csr<SCALAR, SPACE, OFFSET> gustavson_spgemm(                                            \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&); \
  template void gustavson_numeric(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,             \
                                  const CsrView<SCALAR, SPACE, OFFSET>&,                           \
                                  const Csr<SCALAR, SPACE, OFFSET>&);

TESSERA_DETAIL_MATRICES_HOST(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
