// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/fit_box_impl.hpp"

namespace tessera::kernels {

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, fit_box)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, fit_planes)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, sample_strides)

}  // namespace tessera::kernels
