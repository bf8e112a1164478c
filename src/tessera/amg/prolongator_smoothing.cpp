// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/prolongator_smoothing_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                         \
  template kernels::Csr<SCALAR, SPACE, OFFSET> smooth_prolongator(                         \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const WeakFilter<SPACE>&, std::size_t,      \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&);                                  \
  template void smooth_prolongator_numeric(                                                \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const kernels::Csr<SCALAR, SPACE, OFFSET>&, \
      const WeakFilter<SPACE>&, std::size_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
