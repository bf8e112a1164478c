// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/tentative_prolongator_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                 \
  template Tentative<SCALAR, SPACE, OFFSET> tentative_prolongator<OFFSET, SCALAR, SPACE>(          \
      const SPACE&, const kernels::Aggregates<SPACE>&, const ConstMultiVectorView<SCALAR, SPACE>&, \
      int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
