// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/jacobi_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space)                                       \
  template class JacobiSmoother<Scalar, Space>;                                  \
  template JacobiSmoother<Scalar, Space> make_jacobi<Scalar, Space>(             \
      const Space&, const std::shared_ptr<const SparseOperator<Scalar, Space>>&, \
      const Array<const Scalar, Space>&, double, double, int);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
