// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pairwise_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET) \
  template Aggregates<SPACE> aggregate_pairwise(   \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const PairwiseOptions&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
