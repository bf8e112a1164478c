// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/core/symmetry_probe_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                            \
  template bool looks_symmetric(const Space&, const kernels::CsrView<Scalar, Space, Offset>&, \
                                const kernels::CsrSpmvPlan<Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
