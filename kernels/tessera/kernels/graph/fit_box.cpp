// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/fit_box_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                                                 \
  template BoxFit fit_box(const SPACE&, const Graph<SPACE, OFFSET>&, const Box&, int);            \
  template PlaneFit fit_planes(const SPACE&, const Graph<SPACE, OFFSET>&, const Box&, int, bool); \
  template std::optional<std::vector<Ordinal>> sample_strides(const SPACE&,                       \
                                                              const Graph<SPACE, OFFSET>&);
#define TESSERA_INSTANTIATE(SPACE)                \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
