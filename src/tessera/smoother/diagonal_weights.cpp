// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/diagonal_weights_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                        \
  template Array<Scalar, Space> l1_jacobi_weights<Scalar, Space, Offset>( \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&);      \
  template Array<Scalar, Space> spai0_weights<Scalar, Space, Offset>(     \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
