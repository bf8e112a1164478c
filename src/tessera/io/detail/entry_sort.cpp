// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/entry_sort_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::detail {

#define TESSERA_INSTANTIATE(Space)                                                                \
  template bool is_sorted(const Space&, const EntryList<Space>&);                                 \
  template std::size_t expanded_size(const Space&, const EntryList<Space>&);                      \
  template Array<std::int32_t, Space> row_offsets<Space, std::int32_t>(const Space&,              \
                                                                       const EntryList<Space>&);  \
  template Array<std::int64_t, Space> row_offsets<Space, std::int64_t>(const Space&,              \
                                                                       const EntryList<Space>&);  \
  template SortedEntries<Space, std::int32_t> sort_entries(const Space&, const EntryList<Space>&, \
                                                           std::size_t);                          \
  template SortedEntries<Space, std::int64_t> sort_entries(const Space&, const EntryList<Space>&, \
                                                           std::size_t);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::detail
