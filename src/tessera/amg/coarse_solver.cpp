// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarse_solver_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(Scalar, Space) template class CoarseSolver<Scalar, Space>;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                          \
  template void CoarseSolver<Scalar, Space>::setup(                         \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,         \
      const ConstMultiVectorView<Scalar, Space>&, const std::vector<int>&); \
  template bool CoarseSolver<Scalar, Space>::try_setup(                     \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,         \
      const ConstMultiVectorView<Scalar, Space>&, const std::vector<int>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
