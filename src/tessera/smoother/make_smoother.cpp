// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/make_smoother_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                        \
  template std::unique_ptr<Smoother<Scalar, Space>> make_smoother<Scalar, Space, Offset>( \
      const Space&, const SmootherParameters&,                                            \
      const std::shared_ptr<const SparseOperator<Scalar, Space>>&,                        \
      const kernels::CsrView<Scalar, Space, Offset>&, const Array<const Scalar, Space>&, double);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
