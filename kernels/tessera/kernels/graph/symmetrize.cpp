// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/symmetrize_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SPACE)                                                                 \
  template Graph<SPACE, std::int32_t> symmetrize(const SPACE&, const Graph<SPACE, std::int32_t>&); \
  template Graph<SPACE, std::int64_t> symmetrize(const SPACE&, const Graph<SPACE, std::int64_t>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
