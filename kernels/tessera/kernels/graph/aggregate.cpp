// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                                            \
  template Aggregates<SPACE> aggregate_mis2(const SPACE&, const Graph<SPACE, OFFSET>&, bool, \
                                            std::uint32_t);
#define TESSERA_INSTANTIATE(SPACE)                \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
