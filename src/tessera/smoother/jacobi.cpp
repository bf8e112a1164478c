// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/jacobi_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                   \
  template class JacobiSmoother<Scalar, Space, Offset>;                              \
  template JacobiSmoother<Scalar, Space, Offset> make_jacobi<Scalar, Space, Offset>( \
      const Space&, const kernels::Csr<Scalar, Space, Offset>&,                      \
      const kernels::CsrSpmvPlan<Space>&, double, double, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
