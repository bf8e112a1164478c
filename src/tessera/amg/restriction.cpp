// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/restriction_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                        \
  template Array<SCALAR, SPACE> skewness(const SPACE&,                                    \
                                         const kernels::CsrView<SCALAR, SPACE, OFFSET>&,  \
                                         const kernels::CsrView<SCALAR, SPACE, OFFSET>&); \
  template kernels::Csr<SCALAR, SPACE, OFFSET> smooth_restriction(                        \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                       \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&,                                  \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                          \
      const Tentative<SCALAR, SPACE, OFFSET>&, const WeakFilter<SPACE>&, std::size_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(SPACE)                                            \
  template void discount_skew_rows(const SPACE&, const Array<float, SPACE>&,  \
                                   const Array<double, SPACE>&);              \
  template void discount_skew_rows(const SPACE&, const Array<double, SPACE>&, \
                                   const Array<double, SPACE>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
