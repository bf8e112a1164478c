// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/structured_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                           \
  template std::optional<StructuredAggregates<SPACE>> aggregate_structured( \
      const SPACE&, const Graph<SPACE, OFFSET>&, Ordinal, const std::optional<Box>&);
#define TESSERA_INSTANTIATE(SPACE)                \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
