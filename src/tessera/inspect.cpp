// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/inspect_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                           \
  template MatrixFacts inspect(const Space&, const kernels::CsrView<Scalar, Space, Offset>&, \
                               const kernels::CsrSpmvPlan<Space>&);                          \
  template std::vector<int> nullspace_columns(                                               \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,                          \
      const kernels::CsrSpmvPlan<Space>&, const ConstMultiVectorView<Scalar, Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
