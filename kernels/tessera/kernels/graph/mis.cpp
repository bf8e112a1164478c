// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/mis_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                    \
  template Array<std::int8_t, SPACE> maximal_independent_set(        \
      const SPACE&, const Graph<SPACE, OFFSET>&, int, std::uint32_t, \
      const NonDeduced<ArrayView<const std::int8_t, SPACE>>&);
#define TESSERA_INSTANTIATE(SPACE)                \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
