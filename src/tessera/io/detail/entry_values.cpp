// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/entry_values_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::detail {

#define TESSERA_INSTANTIATE(Space)                                                               \
  template std::optional<std::size_t> find_duplicate(const Space&,                               \
                                                     const SortedEntries<Space, std::int32_t>&); \
  template std::optional<std::size_t> find_duplicate(const Space&,                               \
                                                     const SortedEntries<Space, std::int64_t>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                               \
  template Array<Scalar, Space> gather_values(const Space&, const SortedEntries<Space, Offset>&, \
                                              const ArrayView<const Scalar, Space>&, Scalar);    \
  template void sum_duplicates(const Space&, SortedEntries<Space, Offset>&, Array<Scalar, Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

}  // namespace tessera::detail
