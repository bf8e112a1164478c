// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of count_rows.

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/count_rows_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                                                  \
  template void count_rows(                                                                        \
      const SPACE&, const ArrayView<const OFFSET, SPACE>&, const ArrayView<const Ordinal, SPACE>&, \
      const ArrayView<const OFFSET, SPACE>&, const ArrayView<const Ordinal, SPACE>&, Ordinal,      \
      const RowWorkspace<SPACE>&, const std::optional<SizeHistogram>&);
#define TESSERA_INSTANTIATE_SPACE(SPACE)          \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)
#undef TESSERA_INSTANTIATE_OFFSET
#undef TESSERA_INSTANTIATE_SPACE

}  // namespace tessera::kernels::spgemm_detail
