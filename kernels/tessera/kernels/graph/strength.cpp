// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/strength_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                             \
  template Array<double, SPACE> coupling_scale(                                                \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, StrengthMeasure, int, std::size_t); \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double,                             \
      const NonDeduced<ArrayView<const double, SPACE>>&, int);                                 \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
