// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/nodes_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                              \
  template Nodes find_nodes(const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&, int); \
  template kernels::Csr<SCALAR, SPACE, OFFSET> node_by_node(                                    \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&, const Nodes&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(SCALAR, SPACE)                                                \
  template void to_node_by_node(const SPACE&, const Nodes&,                               \
                                const NonDeduced<ConstMultiVectorView<SCALAR, SPACE>>&,   \
                                const MultiVectorView<SCALAR, SPACE>&);                   \
  template void from_node_by_node(const SPACE&, const Nodes&,                             \
                                  const NonDeduced<ConstMultiVectorView<SCALAR, SPACE>>&, \
                                  const MultiVectorView<SCALAR, SPACE>&);                 \
  template MultiVector<SCALAR, SPACE> unit_vectors<SCALAR, SPACE>(const SPACE&, const Nodes&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
