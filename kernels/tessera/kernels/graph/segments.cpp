// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/segments_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SPACE)          \
  template Segments<SPACE> group_by<SPACE>( \
      const SPACE&, const NonDeduced<ArrayView<const Ordinal, SPACE>>&, Ordinal);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
