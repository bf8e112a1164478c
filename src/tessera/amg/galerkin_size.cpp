// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/galerkin_size_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                          \
  template bool galerkin_product_fits(                                                      \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                         \
      const kernels::CsrView<SCALAR, SPACE, OFFSET>&, int, std::size_t, double, double);    \
  template double estimate_galerkin_entries(const SPACE&,                                   \
                                            const kernels::CsrView<SCALAR, SPACE, OFFSET>&, \
                                            const kernels::CsrView<SCALAR, SPACE, OFFSET>&, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
