// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of pattern_fingerprint.hpp.
#include "tessera/kernels/spmv/pattern_fingerprint_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels::detail {

#define TESSERA_INSTANTIATE(Space)                                                                 \
  template RowFacts row_facts(const Space&, const ArrayView<const std::int32_t, Space>&, Ordinal); \
  template RowFacts row_facts(const Space&, const ArrayView<const std::int64_t, Space>&, Ordinal); \
  template std::uint64_t fingerprint_of(const Space&, const ArrayView<const Ordinal, Space>&,      \
                                        std::size_t);                                              \
  template std::uint64_t fingerprint_of(const Space&, const ArrayView<const TileMap, Space>&,      \
                                        std::size_t);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::detail
