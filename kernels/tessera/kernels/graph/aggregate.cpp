// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"

namespace tessera::kernels {

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, aggregate_mis2)

}  // namespace tessera::kernels
