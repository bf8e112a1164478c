// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates the graph problem.
#include "tessera/gallery/detail/graph_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::gallery_detail {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FAMILY(make_graph, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::gallery_detail
